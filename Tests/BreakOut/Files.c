// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Attempts on files, sockets and memory that belong to others. Main thread.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <unistd.h>

#include "BreakOut.h"

enum { lent = 4 };

static int opens(const char *path, int flags) {
  int file = open(path, flags | O_CLOEXEC, 0600);
  int result = outcome(file);
  if (file >= 0) close(file);
  return result;
}

static int opensIn(const struct target *target, const char *name, int flags) {
  char path[4200];
  snprintf(path, sizeof path, "%s/%s", target->folder, name);
  return opens(path, flags);
}

static int readShadow(const struct target *target) { return (void)target, opens("/etc/shadow", O_RDONLY); }
static int readSecret(const struct target *target) { return opensIn(target, "secret", O_RDONLY); }
static int writeSecret(const struct target *target) { return opensIn(target, "secret", O_WRONLY); }
static int makeFile(const struct target *target) { return opensIn(target, "new", O_WRONLY | O_CREAT); }
static int listFolder(const struct target *target) { return opens(target->folder, O_RDONLY | O_DIRECTORY); }
static int removeSecret(const struct target *target) {
  char path[4200];
  snprintf(path, sizeof path, "%s/victim", target->folder);
  return outcome(unlink(path));
}
// A process that may write a file may empty it by opening it for reading alone, or for no access at all.
static int emptySecret(const struct target *target) { return opensIn(target, "secret", O_RDONLY | O_TRUNC); }
static int emptySecretUnread(const struct target *target) { return opensIn(target, "secret", O_ACCMODE | O_TRUNC); }
static int rewriteSecret(const struct target *target) { return opensIn(target, "secret", O_WRONLY | O_TRUNC); }
/// Newer processor architectures lack this call.
static int emptySecretByOldCall(const struct target *target) {
#if defined(SYS_open)
  char path[4200];
  snprintf(path, sizeof path, "%s/secret", target->folder);
  return outcome(syscall(SYS_open, path, O_RDONLY | O_TRUNC, 0));
#else
  return (void)target, ENOSYS;
#endif
}
static int emptySecretByNewCall(const struct target *target) {
  char path[4200];
  unsigned long long how[3] = {O_RDONLY | O_TRUNC};
  snprintf(path, sizeof path, "%s/secret", target->folder);
  return outcome(syscall(437 /* openat2 */, AT_FDCWD, path, how, sizeof how));
}
/// Climbs out: from the working folder to the root by many "..", and down again.
static int climb(const struct target *target) {
  char path[8400] = "";
  for (int step = 0; step < 32; step++) strcat(path, "../");
  strcat(path, target->folder + 1);
  strcat(path, "/secret");
  return opens(path, O_RDONLY);
}
static int writeOwnBundle(const struct target *target) {
  (void)target;
  char path[4200];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length < 0) return errno;
  path[length] = 0;
  strcpy(strrchr(path, '/'), "/new");
  return opens(path, O_WRONLY | O_CREAT);
}
static int sharedMemoryFile(const struct target *target) {
  (void)target;
  int result = opens("/dev/shm/bulkhead-break-out", O_RDWR | O_CREAT);
  unlink("/dev/shm/bulkhead-break-out");
  return result;
}
static int systemVMemory(const struct target *target) {
  (void)target;
  int identifier = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  int result = outcome(identifier);
  if (identifier >= 0) shmctl(identifier, IPC_RMID, NULL);
  return result;
}

static int connects(int family, int type, const void *address, socklen_t size) {
  int number = socket(family, type, 0);
  if (number < 0) return errno;
  int result = outcome(connect(number, address, size));
  close(number);
  return result;
}
static socklen_t unixAddress(struct sockaddr_un *address, const char *name, int isAbstract) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  snprintf(address->sun_path + isAbstract, sizeof address->sun_path - 1, "%s", name);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)isAbstract + strlen(name) + (isAbstract ? 0 : 1));
}
static int bindPort(const struct target *target) {
  (void)target;
  struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int number = socket(AF_INET, SOCK_STREAM, 0);
  if (number < 0) return errno;
  int result = outcome(bind(number, (struct sockaddr *)&any, sizeof any));
  close(number);
  return result;
}
static int unixSocket(const struct target *target) {
  char path[4200];
  struct sockaddr_un address;
  snprintf(path, sizeof path, "%s/socket", target->folder);
  socklen_t size = unixAddress(&address, path, 0);
  return connects(AF_UNIX, SOCK_STREAM, &address, size);
}
static int abstractSocket(const struct target *target) {
  struct sockaddr_un address;
  socklen_t size = unixAddress(&address, target->socket, 1);
  return connects(AF_UNIX, SOCK_STREAM, &address, size);
}
static int netlinkSocket(const struct target *target) {
  (void)target;
  int number = socket(AF_NETLINK, SOCK_RAW, 0);
  int result = outcome(number);
  if (number >= 0) close(number);
  return result;
}
/// A pair needs no socket(), and a pair of datagram sockets can name any address.
static int pairOfDatagrams(const struct target *target) {
  int ends[2];
  struct sockaddr_un address;
  char name[300];
  snprintf(name, sizeof name, "%s-datagrams", target->socket);
  socklen_t size = unixAddress(&address, name, 1);
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) < 0) return errno;
  int result = outcome(sendto(ends[0], "x", 1, 0, (struct sockaddr *)&address, size));
  close(ends[0]);
  close(ends[1]);
  return result;
}

/// The command that asks for a delegation, since Linux 6.19.
static int delegateFile(const struct target *target) {
  (void)target;
  struct {
    unsigned flags;
    unsigned short type, padding;
  } delegation = {0, F_RDLCK, 0};
  return outcome(fcntl(lent, 1040 /* F_SETDELEG */, &delegation));
}
/// Commands that each have an honest use; 0, or the number of the first that fails. The memory that is lent is for reading.
static int commandDescriptors(const struct target *target) {
  (void)target;
  int ends[2];
  if (pipe(ends) < 0) return errno;
  struct flock locks[6] = {{0}};
  for (int index = 0; index < 6; index++) locks[index].l_type = F_RDLCK;
  unsigned long long hint = 0;
  const int results[] = {
      fcntl(lent, F_DUPFD, 0), fcntl(lent, F_DUPFD_CLOEXEC, 0), fcntl(lent, F_SETFD, fcntl(lent, F_GETFD)),
      fcntl(lent, F_SETFL, fcntl(lent, F_GETFL)), fcntl(lent, F_GETLK, &locks[0]), fcntl(lent, F_SETLK, &locks[1]),
      fcntl(lent, F_SETLKW, &locks[2]), fcntl(lent, F_OFD_GETLK, &locks[3]), fcntl(lent, F_OFD_SETLK, &locks[4]),
      fcntl(lent, F_OFD_SETLKW, &locks[5]), fcntl(lent, F_GETOWN), fcntl(lent, F_GETLEASE),
      fcntl(ends[0], F_GETPIPE_SZ), fcntl(lent, F_GET_RW_HINT, &hint), fcntl(lent, F_GET_SEALS),
  };
  int count = sizeof results / sizeof *results;
  for (int index = 0; index < count; index++) {
    if (results[index] < 0) return index + 1;
  }
  return 0;
}

static int reopenMemory(const struct target *target) { return (void)target, opens("/proc/self/fd/4", O_RDWR); }
/// Gets through where there is nothing to read, but a descriptor to read from.
static int readNothing(const struct target *target) {
  (void)target;
  char byte;
  ssize_t count = read(0, &byte, 1);
  return count > 0 ? EEXIST : outcome(count);
}
static int openMemoryUp(const struct target *target) { return (void)target, outcome(fchmod(lent, 0600)); }
static int mapMemory(const struct target *target) {
  (void)target;
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, lent, 0);
  return memory == MAP_FAILED ? errno : 0;
}
static int unprotectMemory(const struct target *target) {
  (void)target;
  void *memory = mmap(NULL, 4096, PROT_READ, MAP_SHARED, lent, 0);
  return memory == MAP_FAILED ? errno : outcome(mprotect(memory, 4096, PROT_READ | PROT_WRITE));
}

const struct attempt fileAttempts[] = {
    {"read-shadow", readShadow},         {"read-secret", readSecret},           {"write-secret", writeSecret},
    {"make-file", makeFile},             {"remove-file", removeSecret},         {"list-folder", listFolder},
    {"empty-secret", emptySecret},       {"empty-secret-unread", emptySecretUnread},
    {"rewrite-secret", rewriteSecret},   {"empty-secret-by-new-call", emptySecretByNewCall},
    {"empty-secret-by-old-call", emptySecretByOldCall},
    {"climb", climb},                    {"write-own-bundle", writeOwnBundle},  {"shared-memory-file", sharedMemoryFile},
    {"system-v-memory", systemVMemory},  {"bind-port", bindPort},               {"unix-socket", unixSocket},
    {"abstract-socket", abstractSocket}, {"netlink-socket", netlinkSocket},     {"pair-of-datagrams", pairOfDatagrams},
    {"read-nothing", readNothing},
    {"delegate-file", delegateFile},     {"command-descriptors", commandDescriptors},
    {"reopen-memory", reopenMemory},     {"open-memory-up", openMemoryUp},      {"map-memory", mapMemory},
    {"unprotect-memory", unprotectMemory}, {NULL, NULL},
};

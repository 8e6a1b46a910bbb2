// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Attempts on what a machine or a user has one of: memory, quotas, the handler of crashes. Main thread.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "BreakOut.h"

enum { control = 3, lent = 4, pageByteCount = 4096 };

static int writesTo(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno;
  int result = outcome(write(file, text, strlen(text)));
  close(file);
  return result;
}

/// Has the kernel end other processes first when memory runs out.
static int spareItself(const struct target *target) { return (void)target, writesTo("/proc/self/oom_score_adj", "0"); }

/// Fills a file in memory by writing, so that no page of it is mapped.
static int hoardMemory(const struct target *target) {
  (void)target;
  static const char page[pageByteCount];
  int file = memfd_create("hoard", MFD_CLOEXEC);
  if (file < 0) return errno;
  int result = outcome(write(file, page, sizeof page));
  close(file);
  return result;
}

static int enlargePipe(const struct target *target) {
  (void)target;
  int ends[2];
  if (pipe(ends) < 0) return errno;
  int result = outcome(fcntl(ends[0], F_SETPIPE_SZ, 128 << 10));
  close(ends[0]);
  close(ends[1]);
  return result;
}

static int enlargeSocket(const struct target *target) {
  (void)target;
  int byteCount = 1 << 20;
  return outcome(setsockopt(control, SOL_SOCKET, SO_SNDBUF, &byteCount, sizeof byteCount));
}

/// Libraries set such limits on their waits.
static int limitWait(const struct target *target) {
  (void)target;
  int ends[2];
  struct timeval second = {1, 0};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return errno;
  int result = outcome(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second));
  close(ends[0]);
  close(ends[1]);
  return result;
}

static int watchFile(const struct target *target) {
  (void)target;
  int watches = inotify_init1(IN_CLOEXEC);
  if (watches < 0) return errno;
  int result = outcome(inotify_add_watch(watches, "/", IN_MODIFY));
  close(watches);
  return result;
}

/// Sends `count` copies of a descriptor. Returns 0 or an errno.
static int sendCopies(int socket, int count) {
  char byte = 0;
  struct iovec part = {&byte, 1};
  union {
    char bytes[CMSG_SPACE(sizeof(int) * 250)];
    struct cmsghdr align;
  } rights = {{0}};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &rights};
  message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count);
  struct cmsghdr *entry = CMSG_FIRSTHDR(&message);
  *entry = (struct cmsghdr){CMSG_LEN(sizeof(int) * (size_t)count), SOL_SOCKET, SCM_RIGHTS};
  for (int index = 0; index < count; index++) ((int *)(void *)CMSG_DATA(entry))[index] = 2;
  return outcome(sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL));
}

/// Sends a thousand descriptors that nobody receives. A user's other programs could send none then, if their limit is as usual.
static int sendManyDescriptors(const struct target *target) {
  (void)target;
  int ends[2], result = 0;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return errno;
  for (int count = 0; count < 1000 && result == 0; count += 50) result = sendCopies(ends[0], 50);
  close(ends[0]);
  close(ends[1]);
  return result;
}

/// Takes the pages out of memory that others have mapped. The memory that is lent has to be writable.
static int punchHole(const struct target *target) {
  (void)target;
  return outcome(fallocate(lent, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, pageByteCount));
}
static int reserveRoom(const struct target *target) { return (void)target, outcome(fallocate(lent, 0, 0, pageByteCount)); }

static int removePages(const struct target *target) {
  (void)target;
  void *memory = mmap(NULL, pageByteCount, PROT_READ | PROT_WRITE, MAP_SHARED, lent, 0);
  if (memory == MAP_FAILED) return errno;
  int result = outcome(madvise(memory, pageByteCount, MADV_REMOVE));
  munmap(memory, pageByteCount);
  return result;
}
/// Advice that the C library and Swift's runtime give; 0, or the number of the first that fails.
static int adviseKernel(const struct target *target) {
  (void)target;
  const int advices[] = {MADV_NORMAL, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTNEED, MADV_DONTDUMP, MADV_DONTFORK, MADV_FREE};
  void *memory = mmap(NULL, pageByteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return errno;
  for (int index = 0; index < (int)(sizeof advices / sizeof *advices); index++) {
    if (madvise(memory, pageByteCount, advices[index]) < 0) return index + 1;
  }
  munmap(memory, pageByteCount);
  return 0;
}

/// Gets through if the kernel would start a handler of crashes: it does with a limit of 0, but not with 1.
static int beDumped(const struct target *target) {
  (void)target;
  struct rlimit limit;
  if (getrlimit(RLIMIT_CORE, &limit) < 0) return errno;
  return limit.rlim_cur == 1 ? EPERM : 0;
}
static int inviteHandler(const struct target *target) {
  (void)target;
  struct rlimit none = {0, 0};
  return outcome(setrlimit(RLIMIT_CORE, &none));
}
static int lowerLimit(const struct target *target) {
  (void)target;
  struct rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) < 0) return errno;
  return outcome(setrlimit(RLIMIT_FSIZE, &limit));
}

static int opens(const char *path, int flags) {
  int file = open(path, flags | O_CLOEXEC);
  int result = outcome(file);
  if (file >= 0) close(file);
  return result;
}
static int readSettings(const struct target *target) { return (void)target, opens("/proc/sys/kernel/core_pattern", O_RDONLY); }
static int openSettings(const struct target *target) { return (void)target, opens("/proc/sys/kernel/core_pattern", O_WRONLY); }
static int readOwnStatus(const struct target *target) { return (void)target, opens("/proc/self/status", O_RDONLY); }

/// Has the kernel make page tables for memory that is only read: all of it is one page of zeros.
static int fillPageTables(const struct target *target) {
  (void)target;
  const size_t byteCount = (size_t)40 << 30, step = 2 << 20;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  volatile char *memory = mmap(NULL, byteCount, PROT_READ, flags, -1, 0);
  if (memory == MAP_FAILED) return errno;
  madvise((void *)(size_t)memory, byteCount, MADV_NOHUGEPAGE);
  for (size_t offset = 0; offset < byteCount; offset += step) (void)memory[offset];
  return 0;
}

const struct attempt quotaAttempts[] = {
    {"spare-itself", spareItself},   {"hoard-memory", hoardMemory},
    {"enlarge-pipe", enlargePipe},   {"enlarge-socket", enlargeSocket},
    {"limit-wait", limitWait},       {"watch-file", watchFile},
    {"punch-hole", punchHole},       {"reserve-room", reserveRoom},
    {"remove-pages", removePages},   {"advise-kernel", adviseKernel},
    {"be-dumped", beDumped},         {"invite-handler", inviteHandler},
    {"lower-limit", lowerLimit},     {"send-many-descriptors", sendManyDescriptors},
    {"read-settings", readSettings}, {"open-settings", openSettings},
    {"read-own-status", readOwnStatus}, {"fill-page-tables", fillPageTables},
    {NULL, NULL},
};

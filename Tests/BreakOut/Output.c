// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Attempts through the descriptor that error messages go to. Main thread.
//
// Each exists twice: on descriptor 2, and on descriptor 4, where the test lends what a process must not have as its 2.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "BreakOut.h"

enum { errors = 2, lent = 4 };

/// Gets through where the descriptor leads to something that other processes use, and not to a socket.
static int identify(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) < 0) return errno;
  return S_ISSOCK(status.st_mode) ? ENOENT : 0;
}
/// Gets through where it tells what others have written there, such as keys that have been pressed.
static int count(int descriptor) {
  int unread = 0;
  if (ioctl(descriptor, FIONREAD, &unread) < 0) return errno;
  return unread > 0 ? 0 : ENODATA;
}
static int readFrom(int descriptor) {
  char byte;
  ssize_t result = recv(descriptor, &byte, 1, MSG_DONTWAIT);
  if (result < 0 && errno == ENOTSOCK) result = read(descriptor, &byte, 1);
  return result == 0 ? ENODATA : outcome(result);
}
static int reopen(int descriptor) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  int file = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  int result = outcome(file);
  if (file >= 0) close(file);
  return result;
}
static int empty(int descriptor) { return outcome(ftruncate(descriptor, 0)); }

static int writeMuch(int descriptor, int mebibytes) {
  static char text[1 << 20];
  for (size_t index = 0; index < sizeof text; index++) text[index] = index % 80 == 79 ? '\n' : 'x';
  for (int index = 0; index < mebibytes; index++) {
    for (size_t written = 0; written < sizeof text;) {
      ssize_t result = write(descriptor, text + written, sizeof text - written);
      if (result < 0) return errno;
      written += (size_t)result;
    }
  }
  return 0;
}

/// Passes 1024 descriptors along with 64 bytes.
static int passDescriptors(const struct target *target) {
  (void)target;
  enum { each = 16, rounds = 64 };
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(each * sizeof(int))];
  } control;
  memset(&control, 0, sizeof control);
  control.header = (struct cmsghdr){
      .cmsg_len = CMSG_LEN(each * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
  for (int index = 0; index < each; index++) ((int *)CMSG_DATA(&control.header))[index] = lent;
  char byte = '\n';
  struct iovec content = {&byte, 1};
  struct msghdr message = {
      .msg_iov = &content, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  for (int round = 0; round < rounds; round++) {
    // While many are on their way, the kernel takes no more.
    int attempts = 0;
    while (sendmsg(errors, &message, 0) < 0) {
      if (errno != ETOOMANYREFS || ++attempts > 1000) return errno;
      usleep(1000);
    }
  }
  return 0;
}

#define ATTEMPT(name, call)                                                                      \
  static int name##Errors(const struct target *target) { return (void)target, call(errors); }   \
  static int name##Lent(const struct target *target) { return (void)target, call(lent); }
ATTEMPT(identify, identify)
ATTEMPT(count, count)
ATTEMPT(read, readFrom)
ATTEMPT(reopen, reopen)
ATTEMPT(empty, empty)
static int floodErrors(const struct target *target) { return (void)target, writeMuch(errors, 100); }
static int floodLent(const struct target *target) { return (void)target, writeMuch(lent, 4); }

const struct attempt outputAttempts[] = {
    {"identify-errors", identifyErrors}, {"identify-lent", identifyLent}, {"count-errors", countErrors},
    {"count-lent", countLent},           {"read-errors", readErrors},     {"read-lent", readLent},
    {"reopen-errors", reopenErrors},     {"reopen-lent", reopenLent},     {"empty-errors", emptyErrors},
    {"empty-lent", emptyLent},           {"flood-errors", floodErrors},   {"flood-lent", floodLent},
    {"pass-descriptors", passDescriptors}, {NULL, NULL},
};

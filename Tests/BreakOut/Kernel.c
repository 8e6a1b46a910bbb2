// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Attempts on the kernel: parts of it that no sound needs. Main thread.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "BreakOut.h"

static int closing(long descriptor) {
  int result = outcome(descriptor);
  if (descriptor >= 0) close((int)descriptor);
  return result;
}

/// Moves the sleepers of one word to another: other processes sleep at the doorbells' words.
static int requeueSleepers(const struct target *target) {
  (void)target;
  static int words[2];
  return outcome(syscall(SYS_futex, &words[0], 3 /* FUTEX_REQUEUE */, 0, 1L, &words[1], 0));
}
static int mountFolder(const struct target *target) {
  int result = outcome(mount("tmpfs", target->folder, "tmpfs", 0, NULL));
  if (result == 0) umount2(target->folder, MNT_DETACH);
  return result;
}
static int openTree(const struct target *target) {
  return closing(syscall(428 /* open_tree */, AT_FDCWD, target->folder, 1u /* OPEN_TREE_CLONE */));
}
static int unshareUser(const struct target *target) { return (void)target, outcome(unshare(CLONE_NEWUSER)); }
static int joinNamespaces(const struct target *target) {
  int process = (int)syscall(434 /* pidfd_open */, target->process, 0);
  int result = outcome(setns(process < 0 ? 3 : process, CLONE_NEWUTS));
  if (process >= 0) close(process);
  return result;
}
static int changeRoot(const struct target *target) { return outcome(chroot(target->folder)); }
static int addKey(const struct target *target) {
  (void)target;
  return outcome(syscall(SYS_add_key, "user", "bulkhead-break-out", "x", 1, -2 /* the process's own keys */));
}
static int loadProgram(const struct target *target) {
  (void)target;
  union bpf_attr map;
  memset(&map, 0, sizeof map);
  map.map_type = BPF_MAP_TYPE_ARRAY;
  map.key_size = map.value_size = 4;
  map.max_entries = 1;
  return closing(syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map));
}
static int countEvents(const struct target *target) {
  (void)target;
  struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE, .size = sizeof event, .config = PERF_COUNT_SW_CPU_CLOCK};
  event.exclude_kernel = 1;
  return closing(syscall(SYS_perf_event_open, &event, 0, -1, -1, 0));
}
static int catchPageFaults(const struct target *target) {
  (void)target;
  return closing(syscall(SYS_userfaultfd, O_CLOEXEC | 1 /* UFFD_USER_MODE_ONLY */));
}
static int queueOperations(const struct target *target) {
  (void)target;
  unsigned char parameters[120] = {0};
  return closing(syscall(425 /* io_uring_setup */, 1, parameters));
}
static int typeIntoTerminal(const struct target *target) { return (void)target, outcome(ioctl(4, TIOCSTI, "x")); }
static int loadModule(const struct target *target) {
  (void)target;
  return outcome(syscall(SYS_finit_module, 3, "", 0));
}
static int setClock(const struct target *target) { return (void)target, outcome(syscall(SYS_settimeofday, NULL, NULL)); }
static int regainPrivileges(const struct target *target) {
  (void)target;
  return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? EPERM : 0;
}
static int haveCapabilities(const struct target *target) {
  (void)target;
  struct {
    unsigned version;
    int process;
  } header = {0x20080522, 0};
  struct {
    unsigned effective, permitted, inheritable;
  } data[2] = {{0}};
  if (syscall(SYS_capget, &header, data) < 0) return errno;
  return data[0].permitted | data[1].permitted ? 0 : EPERM;
}
/// Libraries make such a call to find out what a kernel lacks.
static int missingCall(const struct target *target) { return (void)target, outcome(syscall(-1)); }
#if defined(__x86_64__)
/// The calls of 32-bit programs have other numbers, which a filter by number does not know.
static int oldCalls(const struct target *target) {
  (void)target;
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory");
  return result > 0 ? 0 : ENOSYS;
}
static int narrowCalls(const struct target *target) {
  (void)target;
  long result = syscall(0x40000000 + SYS_getpid);
  return outcome(result);
}
#endif

const struct attempt kernelAttempts[] = {
    {"requeue-sleepers", requeueSleepers}, {"mount", mountFolder},
    {"open-tree", openTree},
    {"unshare", unshareUser},
    {"join-namespaces", joinNamespaces},
    {"change-root", changeRoot},
    {"add-key", addKey},
    {"load-program", loadProgram},
    {"count-events", countEvents},
    {"catch-page-faults", catchPageFaults},
    {"queue-operations", queueOperations},
    {"type-into-terminal", typeIntoTerminal},
    {"load-module", loadModule},
    {"set-clock", setClock},
    {"regain-privileges", regainPrivileges},
    {"have-capabilities", haveCapabilities},
    {"missing-call", missingCall},
#if defined(__x86_64__)
    {"old-calls", oldCalls},
    {"narrow-calls", narrowCalls},
#endif
    {NULL, NULL},
};

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Attempts on other processes, and to gain another identity or more rights. Main thread.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "BreakOut.h"

static int opensOf(const struct target *target, const char *name, int flags) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", target->process, name);
  int file = open(path, flags | O_CLOEXEC);
  int result = outcome(file);
  if (file >= 0) close(file);
  return result;
}

// Signal 0 only asks whether the process might.
static int signalProcess(const struct target *target) { return outcome(kill(target->process, 0)); }
static int signalThread(const struct target *target) {
  return outcome(syscall(SYS_tgkill, target->process, target->process, 0));
}
static int signalEverybody(const struct target *target) { return (void)target, outcome(kill(-1, 0)); }
static int signalByDescriptor(const struct target *target) {
  int process = (int)syscall(434 /* pidfd_open */, target->process, 0);
  if (process < 0) return errno;
  int result = outcome(syscall(424 /* pidfd_send_signal */, process, 0, NULL, 0));
  close(process);
  return result;
}
static int ownerOfDescriptor(const struct target *target) { return outcome(fcntl(3, F_SETOWN, target->process)); }
static int traceProcess(const struct target *target) { return outcome(ptrace(PTRACE_SEIZE, target->process, NULL, NULL)); }
static int readMemory(const struct target *target) {
  char bytes[8];
  struct iovec own = {bytes, sizeof bytes}, other = {target->address, sizeof bytes};
  return outcome(process_vm_readv(target->process, &own, 1, &other, 1, 0));
}
static int writeMemory(const struct target *target) {
  char bytes[8] = "written";
  struct iovec own = {bytes, sizeof bytes}, other = {target->address, sizeof bytes};
  return outcome(process_vm_writev(target->process, &own, 1, &other, 1, 0));
}
static int openMemory(const struct target *target) { return opensOf(target, "mem", O_RDWR); }
static int openDescriptors(const struct target *target) { return opensOf(target, "fd", O_RDONLY | O_DIRECTORY); }
static int openEnvironment(const struct target *target) { return opensOf(target, "environ", O_RDONLY); }
static int openRoot(const struct target *target) { return opensOf(target, "root", O_RDONLY | O_DIRECTORY); }
static int rankOther(const struct target *target) {
  struct sched_param none = {0};
  return outcome(sched_setscheduler(target->process, SCHED_BATCH, &none));
}
static int limitOther(const struct target *target) {
  struct rlimit limit;
  return outcome(prlimit(target->process, RLIMIT_NOFILE, NULL, &limit));
}

static int ownRank(const struct target *target) {
  (void)target;
  struct sched_param highest = {99};
  return outcome(sched_setscheduler(0, SCHED_FIFO, &highest));
}
static int ownProcessors(const struct target *target) {
  (void)target;
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  return outcome(sched_setaffinity(0, sizeof first, &first));
}
static int becomeRoot(const struct target *target) { return (void)target, outcome(setuid(0)); }
static int forkOnce(const struct target *target) {
  (void)target;
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  return outcome(child);
}
/// Leaves a child that has left the group and the session, and sleeps. It stays this one's child, so that the test finds it.
static int leaveHeir(const struct target *target) {
  (void)target;
  int ready[2];
  if (pipe(ready) < 0) return errno;
  pid_t child = fork();
  if (child == 0) {
    setsid();
    write(ready[1], "x", 1);
    while (1) pause();
  }
  char byte;
  if (child > 0) read(ready[0], &byte, 1);
  return outcome(child);
}
static int leaveSession(const struct target *target) { return (void)target, outcome(setsid()); }
/// Ends with status 42 when it gets through: nothing is left then that could answer.
static int runShell(const struct target *target) {
  (void)target;
  return outcome(execl("/bin/sh", "sh", "-c", "exit 42", NULL));
}

/// Runs this program once more, which it may do by its path, and ends with status 42 like the shell.
static int runByDescriptor(const struct target *target) {
  (void)target;
  char *arguments[] = {"again", "again", NULL}, *environment[] = {NULL};
  int file = open(ownPath, O_PATH | O_CLOEXEC);
  if (file < 0) return errno;
  int result = outcome(syscall(SYS_execveat, file, "", arguments, environment, 0x1000 /* AT_EMPTY_PATH */));
  close(file);
  return result;
}
/// The same, out of a copy in memory.
static int runMemory(const struct target *target) {
  (void)target;
  char *arguments[] = {"again", "again", NULL}, *environment[] = {NULL}, bytes[4096];
  int memory = memfd_create("program", MFD_CLOEXEC), file = open(ownPath, O_RDONLY | O_CLOEXEC);
  if (memory < 0 || file < 0) return errno;
  for (ssize_t count; (count = read(file, bytes, sizeof bytes)) > 0;) write(memory, bytes, (size_t)count);
  close(file);
  int result = outcome(fexecve(memory, arguments, environment));
  close(memory);
  return result;
}

static void *sleepForEver(void *context) {
  while (1) pause();
  return context;
}
/// Gets through when nothing stops it before a number that no plug-in needs. The kernel does not count root's threads, but it
/// counts the memory of their stacks.
static int threadStorm(const struct target *target) {
  (void)target;
  for (int count = 0; count < 4000; count++) {
    pthread_t thread;
    int error = pthread_create(&thread, NULL, sleepForEver, NULL);
    if (error) return error;
  }
  return 0;
}
static int descriptorStorm(const struct target *target) {
  (void)target;
  // As many as it may have: a user's initial limit is often less than this storm.
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  int result = 0, last = 3;
  for (int count = 0; count < 2000 && result == 0; count++) {
    int copy = dup(3);
    result = outcome(copy);
    if (copy >= 0) last = copy;
  }
  for (int number = 5; number <= last; number++) close(number);
  return result;
}
static int memoryStorm(const struct target *target) {
  (void)target;
  size_t size = (size_t)1 << 38;
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return errno;
  munmap(memory, size);
  return 0;
}
/// In the folder for temporary files, which is one in memory where it has its own.
static int largeFile(const struct target *target) {
  (void)target;
  const char *folder = getenv("TMPDIR");
  int file = open(folder ? folder : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  int result = outcome(ftruncate(file, (off_t)1 << 36));
  close(file);
  return result;
}
static int dumpCore(const struct target *target) {
  (void)target;
  struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  return outcome(setrlimit(RLIMIT_CORE, &limit));
}

const struct attempt processAttempts[] = {
    {"signal-process", signalProcess},     {"signal-thread", signalThread},
    {"signal-everybody", signalEverybody}, {"signal-by-descriptor", signalByDescriptor},
    {"owner-of-descriptor", ownerOfDescriptor}, {"trace-process", traceProcess},
    {"read-memory", readMemory},           {"write-memory", writeMemory},
    {"open-memory", openMemory},           {"open-descriptors", openDescriptors},
    {"open-environment", openEnvironment}, {"open-root", openRoot},
    {"rank-other", rankOther},             {"limit-other", limitOther},
    {"own-rank", ownRank},                 {"own-processors", ownProcessors},
    {"become-root", becomeRoot},           {"fork", forkOnce},
    {"leave-session", leaveSession},       {"run-shell", runShell},
    {"leave-heir", leaveHeir},            {"run-by-descriptor", runByDescriptor},
    {"run-memory", runMemory},
    {"thread-storm", threadStorm},         {"descriptor-storm", descriptorStorm},
    {"memory-storm", memoryStorm},         {"large-file", largeFile},
    {"dump-core", dumpCore},               {NULL, NULL},
};

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Starts a program unconfined, and holds the steps shared with confined starts. The calling thread waits until the program
// runs.
#define _GNU_SOURCE
#include "Spawning.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CConfinementShims.h"

// A sanitizer keeps its state in the process's memory. A child that borrows the memory would change its parent's state.
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
enum { borrowed = CLONE_VFORK | SIGCHLD, sharing = MAP_SHARED };
#else
enum { borrowed = CLONE_VM | CLONE_VFORK | SIGCHLD, sharing = MAP_PRIVATE };
#endif

void *Spawning_share(size_t byteCount) {
  void *memory = mmap(NULL, byteCount, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void Spawning_endSharing(void *memory, size_t byteCount) { munmap(memory, byteCount); }

pid_t Spawning_bear(int (*body)(void *), char *stack, int flags, void *context) {
  pid_t child = clone(body, stack + Spawning_stackByteCount, borrowed | flags, context);
  return child < 0 ? -errno : child;
}

void Spawning_reap(pid_t process) {
  while (process > 0 && syscall(SYS_wait4, process, NULL, 0, NULL) < 0 && errno == EINTR) {
  }
}

void Spawning_resetSignals(void) {
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

int Spawning_openMemoryRank(void) { return open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); }

void Spawning_rankFirstForMemory(int file) {
  // The host keeps its own rank, although the caller borrows its memory: the kernel exempts a process whose parent waits for
  // it.
  while (file >= 0 && write(file, "1000", 4) < 0 && errno == EINTR) {
  }
}

static int orErrno(int result) { return result < 0 ? -errno : result; }

struct Spawning_Descriptors Spawning_openDescriptors(int control, int lent, int output) {
  return (struct Spawning_Descriptors){control, lent, orErrno(open("/dev/null", O_RDWR | O_CLOEXEC)), output};
}

void Spawning_closeDescriptors(const struct Spawning_Descriptors *descriptors) {
  if (descriptors->nowhere >= 0) close(descriptors->nowhere);
}

/// Moves a descriptor above the numbers of the child's descriptors. Returns it or -errno; a negative value stays.
static int moveUp(int descriptor) { return descriptor < 0 ? descriptor : orErrno(fcntl(descriptor, F_DUPFD, 5)); }

int Spawning_takeDescriptors(const struct Spawning_Descriptors *descriptors) {
  // First move all of them, so that none is overwritten before it is used.
  int nowhere = moveUp(descriptors->nowhere), output = moveUp(descriptors->output);
  int control = moveUp(descriptors->control), lent = moveUp(descriptors->lent);
  // If one of them failed, the child would keep the host's descriptor of that number, perhaps the terminal.
  if (nowhere < 0) return nowhere;
  if (descriptors->output >= 0 && output < 0) return output;
  if (control < 0) return control;
  if (descriptors->lent >= 0 && lent < 0) return lent;
  dup2(nowhere, 0);
  // Output and errors of the host stay closed, too: they lead to the user's terminal, files and pipes.
  dup2(output < 0 ? nowhere : output, 1);
  dup2(output < 0 ? nowhere : output, 2);
  dup2(control, 3);
  if (lent >= 0) dup2(lent, 4);
  syscall(SYS_close_range, lent >= 0 ? 5u : 4u, ~0u, 0u);
  return 0;
}

/// The state that this process and its child share.
struct Start {
  const char *path;
  char *const *arguments;
  char *const *environment;
  struct Spawning_Descriptors descriptors;
  int error;
  char stack[Spawning_stackByteCount] __attribute__((aligned(16)));
};

static int become(void *context) {
  struct Start *start = context;
  setpgid(0, 0);
  Spawning_rankFirstForMemory(Spawning_openMemoryRank());
  start->error = -Spawning_takeDescriptors(&start->descriptors);
  if (start->error) return 127;
  Spawning_resetSignals();
  execve(start->path, start->arguments, start->environment);
  start->error = errno;
  return 127;
}

pid_t CConfinementShims_spawn(const char *path, char *const arguments[], char *const environment[], int controlDescriptor,
                        int lentDescriptor, int output) {
  struct Start *start = Spawning_share(sizeof *start);
  if (!start) return -ENOMEM;
  start->path = path;
  start->arguments = arguments;
  start->environment = environment;
  start->descriptors = Spawning_openDescriptors(controlDescriptor, lentDescriptor, output);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = Spawning_bear(become, start->stack, 0, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  Spawning_closeDescriptors(&start->descriptors);
  int error = start->error;
  Spawning_endSharing(start, sizeof *start);
  if (child < 0 || error == 0) return child;
  Spawning_reap(child);
  return -error;
}

void CConfinementShims_adoptOrphans(void) { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

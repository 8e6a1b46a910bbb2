// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Starts a program unconfined, and what confined ones do likewise. The calling thread waits until it runs.
#define _GNU_SOURCE
#include "Spawning.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CLinuxShims.h"

void Spawning_resetSignals(void) {
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

int Spawning_takeDescriptors(const struct Spawning_Descriptors *descriptors) {
  // Whatever their numbers are: out of the way first, so that none is overwritten before it is used.
  int control = fcntl(descriptors->control, F_DUPFD, 5);
  int lent = descriptors->lent < 0 ? -1 : fcntl(descriptors->lent, F_DUPFD, 5);
  if (control < 0 || (descriptors->lent >= 0 && lent < 0)) return -errno;
  // Standard output is the host's own to write: what a child prints goes where its complaints go.
  dup2(descriptors->nowhere, 0);
  if (descriptors->isQuiet) dup2(descriptors->nowhere, 2);
  if (dup2(2, 1) < 0) dup2(descriptors->nowhere, 1);
  dup2(control, 3);
  if (lent >= 0) dup2(lent, 4);
  syscall(SYS_close_range, lent >= 0 ? 5u : 4u, ~0u, 0u);
  return 0;
}

pid_t CLinuxShims_spawn(const char *path, char *const arguments[], char *const environment[], int controlDescriptor,
                        int lentDescriptor, int isQuiet) {
  volatile int failure = 0;
  struct Spawning_Descriptors descriptors = {
      controlDescriptor, lentDescriptor, open("/dev/null", O_RDWR | O_CLOEXEC), isQuiet};
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // vfork: the child borrows this memory and stops this thread until it has become another program,
  // which spares a copy of the page tables. All it calls is safe after vfork.
  pid_t child = vfork();
  if (child == 0) {
    setpgid(0, 0);
    failure = -Spawning_takeDescriptors(&descriptors);
    if (failure == 0) {
      Spawning_resetSignals();
      execve(path, arguments, environment);
      failure = errno;
    }
    _exit(127);
  }
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (descriptors.nowhere >= 0) close(descriptors.nowhere);
  if (child < 0) return -error;
  if (failure != 0) {
    syscall(SYS_wait4, child, NULL, 0, NULL);
    return -failure;
  }
  return child;
}

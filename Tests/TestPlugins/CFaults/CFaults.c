// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Faults that a plug-in must not commit, committed. Render thread of the test plug-in.
#include "CFaults.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void CFaults_exit(int status) { _exit(status); }

void CFaults_crash(void) { *(volatile int *)(uintptr_t)8 = 1; }

void CFaults_raise(int signal) { kill(getpid(), signal); }

void CFaults_loop(int milliseconds) {
  const int64_t end = nanoseconds() + (int64_t)milliseconds * 1000000;
  while (milliseconds < 0 || nanoseconds() < end) {
  }
}

void CFaults_sleep(int milliseconds) {
  struct timespec time = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
  while (nanosleep(&time, &time) != 0) {
  }
}

void CFaults_allocate(void) {
  void *volatile memory = malloc(4096);
  free(memory);
}

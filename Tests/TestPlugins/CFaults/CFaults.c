// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Faults that a plug-in must not commit, committed. Render thread of the test plug-in.
#include "CFaults.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
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

/// Lowers this process's own limit, so that the fault takes nothing from other processes.
static void lower(int resource, rlim_t most) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = most;
  setrlimit(resource, &limit);
}

void CFaults_hoardMemory(void) {
  lower(RLIMIT_AS, (rlim_t)4 << 30);
  while (mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED) {
  }
}

void CFaults_hoardDescriptors(void) {
  lower(RLIMIT_NOFILE, 64);
  while (dup(0) >= 0) {
  }
}

void CFaults_leakMuch(void) {
  const size_t byteCount = (size_t)8 << 20;
  volatile char *volatile memory = malloc(byteCount);
  if (memory) memset((void *)memory, 1, byteCount);
}

static void *doNothing(void *context) {
  for (;;) pause();
  return context;
}

void CFaults_forkMany(void) {
  for (int count = 0; count < 100; count++) {
    if (fork() == 0) doNothing(NULL);
  }
}

static void *compute(void *context) {
  for (volatile unsigned number = 0;; number++) {
  }
  return context;
}

static void startThreads(int most, void *(*body)(void *)) {
  pthread_t thread;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 * 1024);
  for (int count = 0; count < most && pthread_create(&thread, &small, body, NULL) == 0; count++) {
  }
  pthread_attr_destroy(&small);
}

void CFaults_startManyThreads(void) { startThreads(1000, doNothing); }

void CFaults_startBusyThreads(void) { startThreads(4, compute); }

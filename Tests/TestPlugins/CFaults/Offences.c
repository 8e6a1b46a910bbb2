// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Offences that reach beyond one process or one kernel: files, locks, leaks. Control thread of the test plug-in.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "CFaults.h"

/// What all plug-ins of one host share, in a file that is named after the host.
struct Shared {
  int openingCount;
  /// The process that has a kernel, and whether it is inside a block.
  pid_t owner;
  int isInsideBlock;
};

static int sharedFile = -1;

static struct Shared *shared(void) {
  static struct Shared *memory;
  if (memory) return memory;
  char path[PATH_MAX];
  // Its own folder, where it has one: not every kernel gives a confined process its own /tmp.
  const char *folder = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/bulkhead-offender-%d", folder ? folder : "/tmp", getppid());
  sharedFile = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (sharedFile < 0 || ftruncate(sharedFile, sizeof *memory) != 0) abort();
  void *mapped = mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE, MAP_SHARED, sharedFile, 0);
  if (mapped == MAP_FAILED) abort();
  memory = mapped;
  return memory;
}

int CFaults_countOpening(void) { return __atomic_add_fetch(&shared()->openingCount, 1, __ATOMIC_SEQ_CST); }

int CFaults_claimInstance(void) {
  shared();
  return flock(sharedFile, LOCK_EX | LOCK_NB) == 0;
}

void CFaults_releaseInstance(void) {
  if (sharedFile >= 0) flock(sharedFile, LOCK_UN);
}

// Set once this process is the owner, so that the render thread's notes are about it.
static struct Shared *note;

int CFaults_mourn(int wasInsideBlock) {
  struct Shared *memory = shared();
  const pid_t owner = memory->owner;
  const int isOrphaned = owner != 0 && owner != getpid() && kill(owner, 0) != 0 && errno == ESRCH;
  if (isOrphaned && memory->isInsideBlock == wasInsideBlock) return 1;
  memory->owner = getpid();
  memory->isInsideBlock = 0;
  note = memory;
  return 0;
}

void CFaults_tidyUp(void) {
  if (note) note->owner = 0;
}

void CFaults_setInsideBlock(int isInside) {
  if (note) note->isInsideBlock = isInside;
}

static int rendering;
void CFaults_setRendering(int isRendering) { rendering = isRendering; }
int CFaults_isRendering(void) { return rendering; }

void CFaults_ownFileName(uint8_t *name, int32_t byteCount) {
  Dl_info info;
  const int isKnown = dladdr((void *)(uintptr_t)&CFaults_ownFileName, &info) && info.dli_fname;
  const char *path = isKnown ? info.dli_fname : "";
  const char *slash = strrchr(path, '/');
  snprintf((char *)name, (size_t)byteCount, "%s", slash ? slash + 1 : path);
}

int CFaults_isInHost(void) {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  const char *name = strrchr(path, '/');
  return name && strcmp(name, "/bulkhead") == 0;
}

float CFaults_noise(void) {
  static uint64_t state;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  state = state * 6364136223846793005u + (uint64_t)now.tv_nsec;
  return (float)((int64_t)state >> 40) / 8388608.0f;
}

void CFaults_lock(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

void CFaults_readFile(void) {
  char bytes[16];
  const int file = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  if (read(file, bytes, sizeof bytes) < 0) abort();
  close(file);
}

void CFaults_leakMemory(int byteCount) {
  volatile char *memory = malloc((size_t)byteCount);
  for (int index = 0; memory && index < byteCount; index += 512) memory[index] = 1;
}

void CFaults_leakDescriptor(void) {
  if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0) abort();
}

static void *waitForEver(void *context) {
  for (;;) pause();
  return context;
}

void CFaults_leakThread(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 * 1024);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (pthread_create(&thread, &attributes, waitForEver, NULL) != 0) abort();
  pthread_attr_destroy(&attributes);
}

void CFaults_leaveHeir(const char *path) {
  const pid_t child = fork();
  if (child == 0) {
    sleep(20);
    _exit(0);
  }
  FILE *file = fopen(path, "w");
  if (!file) abort();
  fprintf(file, "%d", (int)child);
  fclose(file);
}

void CFaults_leaveProcess(void) {
  const pid_t child = fork();
  if (child != 0) return;
  setsid();
  close_range(0, ~0u, 0);
  sleep(20);
  _exit(0);
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Counts an extension's forbidden calls on its render thread. Loaded before all other libraries; any thread.
//
// The extension marks the stretch in which it renders for RealtimeSanitizer, and this library defines the marks. Within the
// stretch, calls for memory, locks, files and sleep are counted by kind, with the name of the first caller, and then carried
// out. WatchedCalls.c has the list. The counts are in a mapped file, whose descriptor BULKHEAD_RENDERWATCH names, so that a
// crash loses none.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "Watching.h"

static struct RenderWatch_Counts *counts;
__thread int RenderWatch_depth WATCHED_DEPTH_MODEL;

__attribute__((constructor)) static void begin(void) {
  const char *number = getenv("BULKHEAD_RENDERWATCH");
  int file = number ? atoi(number) : 0;
  if (file <= 2) return;
  void *memory = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return;
  counts = memory;
  counts->magic = RenderWatch_magic;
}

EXPORT void __rtsan_realtime_enter(void) {
  if (counts && RenderWatch_depth++ == 0) __atomic_add_fetch(&counts->renderCount, 1, __ATOMIC_RELAXED);
}

EXPORT void __rtsan_realtime_exit(void) {
  if (counts && RenderWatch_depth > 0) RenderWatch_depth--;
}

static const char *fileName(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/// True if a library only passes on requests of its callers.
static int isGoBetween(const char *library) {
  static const char *const names[] = {"libc.so", "libstdc++.so", "libc++", "libgcc_s.so", "libbulkhead-renderwatch.so"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    if (strncmp(library, names[index], strlen(names[index])) == 0) return 1;
  }
  return 0;
}

/// The library that contains an address, or NULL.
static const char *libraryOf(void *address) {
  Dl_info info;
  return dladdr(address, &info) && info.dli_fname ? fileName(info.dli_fname) : NULL;
}

/// The library that made the request: the caller's, or the next one up the stack if the caller only passes it on.
static const char *offender(void *caller) {
  const char *library = libraryOf(caller);
  if (!library || !isGoBetween(library)) return library;
  void *frames[24];
  const int count = backtrace(frames, 24);
  for (int index = 0; index < count; index++) {
    const char *name = libraryOf(frames[index]);
    if (name && !isGoBetween(name)) return name;
  }
  return library;
}

void RenderWatch_note(enum RenderWatch_Kind kind, const char *function, void *caller) {
  struct RenderWatch_Offence *offence = &counts->offences[kind];
  if (__atomic_fetch_add(&offence->count, 1, __ATOMIC_RELAXED) != 0) return;
  // The search for the name may allocate or lock, which is not the unit's fault.
  const int before = RenderWatch_depth;
  RenderWatch_depth = 0;
  const char *library = offender(caller);
  snprintf(offence->first, sizeof offence->first, "%s called by %s", function, library ? library : "code of no library");
  RenderWatch_depth = before;
}

void *RenderWatch_findNext(const char *name) {
  // The search may allocate, which is not the unit's fault.
  int before = RenderWatch_depth;
  RenderWatch_depth = 0;
  void *found = dlsym(RTLD_NEXT, name);
  RenderWatch_depth = before;
  if (!found) abort();
  return found;
}

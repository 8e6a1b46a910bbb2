// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Counts what an extension does on its render thread that it should not. Loaded before all other libraries; any thread.
//
// The extension marks the stretch in which it renders for RealtimeSanitizer; the marks end up here. Inside of it
// memory, locks, files and sleep are counted by kind, with the first offender's name, and done all the same; WatchedCalls.c
// has the list. The counts lie in the file whose descriptor BULKHEAD_RENDERWATCH says, mapped, so that a crash loses none of
// them.
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

/// Whether a library only passes on what somebody else asked it for.
static int isGoBetween(const char *library) {
  static const char *const names[] = {"libc.so", "libstdc++.so", "libc++", "libgcc_s.so", "libbulkhead-renderwatch.so"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    if (strncmp(library, names[index], strlen(names[index])) == 0) return 1;
  }
  return 0;
}

/// The library that an address lies in, or NULL.
static const char *libraryOf(void *address) {
  Dl_info info;
  return dladdr(address, &info) && info.dli_fname ? fileName(info.dli_fname) : NULL;
}

/// The library that asked for it: the caller's, or behind a go-between the next one up the stack.
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
  // Naming it may allocate or lock itself, which is no offence of the unit's.
  const int before = RenderWatch_depth;
  RenderWatch_depth = 0;
  const char *library = offender(caller);
  snprintf(offence->first, sizeof offence->first, "%s called by %s", function, library ? library : "code of no library");
  RenderWatch_depth = before;
}

void *RenderWatch_findNext(const char *name) {
  // The search may allocate; that is not the unit's doing.
  int before = RenderWatch_depth;
  RenderWatch_depth = 0;
  void *found = dlsym(RTLD_NEXT, name);
  RenderWatch_depth = before;
  if (!found) abort();
  return found;
}

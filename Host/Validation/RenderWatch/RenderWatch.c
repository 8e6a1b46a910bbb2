// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Counts what an extension does on its render thread that it should not. Loaded before all other libraries.
//
// The extension marks the stretch in which it renders for RealtimeSanitizer; the marks end up here. Inside of it
// memory, locks, files and sleep are counted by kind, with the first offender's name, and done all the same. The counts
// lie in the file whose descriptor BULKHEAD_RENDERWATCH says, mapped, so that a crash loses none of them.
#define _GNU_SOURCE
#include "RenderWatch.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static struct RenderWatch_Counts *counts;
// Initial-exec: the usual way to a thread's own memory may allocate it at its first use.
static __thread int depth __attribute__((tls_model("initial-exec")));

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
  if (counts && depth++ == 0) __atomic_add_fetch(&counts->renderCount, 1, __ATOMIC_RELAXED);
}

EXPORT void __rtsan_realtime_exit(void) {
  if (counts && depth > 0) depth--;
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

/// Counts one offence of a thread that renders; `caller` is an address in whoever committed it.
__attribute__((noinline)) static void note(enum RenderWatch_Kind kind, const char *function, void *caller) {
  struct RenderWatch_Offence *offence = &counts->offences[kind];
  if (__atomic_fetch_add(&offence->count, 1, __ATOMIC_RELAXED) != 0) return;
  // Naming it may allocate or lock itself, which is no offence of the unit's.
  const int before = depth;
  depth = 0;
  const char *library = offender(caller);
  snprintf(offence->first, sizeof offence->first, "%s called by %s", function, library ? library : "code of no library");
  depth = before;
}

// Not marked as unlikely: the compiler would move it, and the return address with it, into a function of its own.
#define NOTE(kind, function) \
  if (depth > 0) note(RenderWatch_##kind, function, __builtin_return_address(0))

/// The function of that name that would have been called without this library.
#define NEXT(name) \
  static __typeof__(&name) next; \
  if (!next) *(void **)&next = findNext(#name)

static void *findNext(const char *name) {
  // The search may allocate; that is not the unit's doing.
  int before = depth;
  depth = 0;
  void *found = dlsym(RTLD_NEXT, name);
  depth = before;
  if (!found) abort();
  return found;
}

// MARK: Memory. The C library's own names for its functions need no search, which would allocate itself.

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

EXPORT void *malloc(size_t size) {
  NOTE(allocate, "malloc");
  return __libc_malloc(size);
}

EXPORT void *calloc(size_t count, size_t size) {
  NOTE(allocate, "calloc");
  return __libc_calloc(count, size);
}

EXPORT void *realloc(void *memory, size_t size) {
  NOTE(allocate, "realloc");
  return __libc_realloc(memory, size);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size) {
  NOTE(allocate, "aligned_alloc");
  return __libc_memalign(alignment, size);
}

EXPORT void *memalign(size_t alignment, size_t size) {
  NOTE(allocate, "memalign");
  return __libc_memalign(alignment, size);
}

EXPORT int posix_memalign(void **memory, size_t alignment, size_t size) {
  NOTE(allocate, "posix_memalign");
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}

EXPORT void free(void *memory) {
  if (memory) NOTE(release, "free");
  __libc_free(memory);
}

// MARK: Locks. To try and fail blocks nobody.

EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex) {
  NEXT(pthread_mutex_lock);
  NOTE(lock, "pthread_mutex_lock");
  return next(mutex);
}

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  NEXT(pthread_rwlock_rdlock);
  NOTE(lock, "pthread_rwlock_rdlock");
  return next(lock);
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  NEXT(pthread_rwlock_wrlock);
  NOTE(lock, "pthread_rwlock_wrlock");
  return next(lock);
}

EXPORT int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  NEXT(pthread_cond_wait);
  NOTE(wait, "pthread_cond_wait");
  return next(condition, mutex);
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  NEXT(pthread_cond_timedwait);
  NOTE(wait, "pthread_cond_timedwait");
  return next(condition, mutex, until);
}

EXPORT int pthread_join(pthread_t thread, void **result) {
  NEXT(pthread_join);
  NOTE(wait, "pthread_join");
  return next(thread, result);
}

EXPORT int poll(struct pollfd *descriptors, nfds_t count, int milliseconds) {
  NEXT(poll);
  if (milliseconds != 0) NOTE(wait, "poll");
  return next(descriptors, count, milliseconds);
}

EXPORT int select(int count, fd_set *read, fd_set *write, fd_set *except, struct timeval *time) {
  NEXT(select);
  NOTE(wait, "select");
  return next(count, read, write, except, time);
}

// MARK: Files

static mode_t modeArgument(int flags, va_list arguments) {
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name, parameters, ...) \
  EXPORT int name parameters { \
    NEXT(name); \
    NOTE(open, #name); \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = modeArgument(flags, arguments); \
    va_end(arguments); \
    return next(__VA_ARGS__, mode); \
  }

OPEN(open, (const char *path, int flags, ...), path, flags)
OPEN(open64, (const char *path, int flags, ...), path, flags)
OPEN(openat, (int folder, const char *path, int flags, ...), folder, path, flags)
OPEN(openat64, (int folder, const char *path, int flags, ...), folder, path, flags)

EXPORT FILE *fopen(const char *path, const char *mode) {
  NEXT(fopen);
  NOTE(open, "fopen");
  return next(path, mode);
}

EXPORT FILE *fopen64(const char *path, const char *mode) {
  NEXT(fopen64);
  NOTE(open, "fopen64");
  return next(path, mode);
}

EXPORT int fclose(FILE *file) {
  NEXT(fclose);
  NOTE(open, "fclose");
  return next(file);
}

EXPORT int close(int descriptor) {
  NEXT(close);
  NOTE(open, "close");
  return next(descriptor);
}

EXPORT ssize_t read(int descriptor, void *bytes, size_t count) {
  NEXT(read);
  NOTE(read, "read");
  return next(descriptor, bytes, count);
}

EXPORT ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  NEXT(pread);
  NOTE(read, "pread");
  return next(descriptor, bytes, count, offset);
}

EXPORT ssize_t recv(int socket, void *bytes, size_t count, int flags) {
  NEXT(recv);
  NOTE(read, "recv");
  return next(socket, bytes, count, flags);
}

EXPORT size_t fread(void *items, size_t size, size_t count, FILE *file) {
  NEXT(fread);
  NOTE(read, "fread");
  return next(items, size, count, file);
}

EXPORT char *fgets(char *line, int size, FILE *file) {
  NEXT(fgets);
  NOTE(read, "fgets");
  return next(line, size, file);
}

EXPORT ssize_t write(int descriptor, const void *bytes, size_t count) {
  NEXT(write);
  NOTE(write, "write");
  return next(descriptor, bytes, count);
}

EXPORT ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  NEXT(pwrite);
  NOTE(write, "pwrite");
  return next(descriptor, bytes, count, offset);
}

EXPORT ssize_t send(int socket, const void *bytes, size_t count, int flags) {
  NEXT(send);
  NOTE(write, "send");
  return next(socket, bytes, count, flags);
}

EXPORT size_t fwrite(const void *items, size_t size, size_t count, FILE *file) {
  NEXT(fwrite);
  NOTE(write, "fwrite");
  return next(items, size, count, file);
}

EXPORT int puts(const char *line) {
  NEXT(puts);
  NOTE(write, "puts");
  return next(line);
}

EXPORT int vfprintf(FILE *file, const char *format, va_list arguments) {
  NEXT(vfprintf);
  NOTE(write, "vfprintf");
  return next(file, format, arguments);
}

EXPORT int printf(const char *format, ...) {
  static __typeof__(&vfprintf) next;
  if (!next) *(void **)&next = findNext("vfprintf");
  NOTE(write, "printf");
  va_list arguments;
  va_start(arguments, format);
  int count = next(stdout, format, arguments);
  va_end(arguments);
  return count;
}

EXPORT int fprintf(FILE *file, const char *format, ...) {
  static __typeof__(&vfprintf) next;
  if (!next) *(void **)&next = findNext("vfprintf");
  NOTE(write, "fprintf");
  va_list arguments;
  va_start(arguments, format);
  int count = next(file, format, arguments);
  va_end(arguments);
  return count;
}

// MARK: Sleep

EXPORT int usleep(useconds_t microseconds) {
  NEXT(usleep);
  NOTE(sleep, "usleep");
  return next(microseconds);
}

EXPORT unsigned sleep(unsigned seconds) {
  NEXT(sleep);
  NOTE(sleep, "sleep");
  return next(seconds);
}

EXPORT int nanosleep(const struct timespec *time, struct timespec *rest) {
  NEXT(nanosleep);
  NOTE(sleep, "nanosleep");
  return next(time, rest);
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
  NEXT(clock_nanosleep);
  NOTE(sleep, "clock_nanosleep");
  return next(clock, flags, time, rest);
}

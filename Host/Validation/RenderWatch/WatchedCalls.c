// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The functions that a render thread must not call, defined before those of the C library. Any thread.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "Watching.h"

// MARK: Memory. The C library's other names for these functions need no search, which would itself allocate.

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

// MARK: Locks. Trylock is absent: it never blocks.

WATCH(lock, int, pthread_mutex_lock, (pthread_mutex_t *mutex), (mutex))
WATCH(lock, int, pthread_rwlock_rdlock, (pthread_rwlock_t *lock), (lock))
WATCH(lock, int, pthread_rwlock_wrlock, (pthread_rwlock_t *lock), (lock))

// MARK: Waiting

WATCH(wait, int, pthread_cond_wait, (pthread_cond_t *condition, pthread_mutex_t *mutex), (condition, mutex))
WATCH(
    wait, int, pthread_cond_timedwait, (pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until),
    (condition, mutex, until))
WATCH(wait, int, pthread_join, (pthread_t thread, void **result), (thread, result))
WATCH(
    wait, int, select, (int count, fd_set *read, fd_set *write, fd_set *except, struct timeval *time),
    (count, read, write, except, time))

EXPORT int poll(struct pollfd *descriptors, nfds_t count, int milliseconds) {
  NEXT(poll);
  if (milliseconds != 0) NOTE(wait, "poll");
  return next(descriptors, count, milliseconds);
}

// MARK: Files

static mode_t modeArgument(int flags, va_list arguments) {
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

#define WATCH_OPEN(name, parameters, ...) \
  EXPORT int name parameters { \
    NEXT(name); \
    NOTE(open, #name); \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = modeArgument(flags, arguments); \
    va_end(arguments); \
    return next(__VA_ARGS__, mode); \
  }

WATCH_OPEN(open, (const char *path, int flags, ...), path, flags)
WATCH_OPEN(open64, (const char *path, int flags, ...), path, flags)
WATCH_OPEN(openat, (int folder, const char *path, int flags, ...), folder, path, flags)
WATCH_OPEN(openat64, (int folder, const char *path, int flags, ...), folder, path, flags)

WATCH(open, FILE *, fopen, (const char *path, const char *mode), (path, mode))
WATCH(open, FILE *, fopen64, (const char *path, const char *mode), (path, mode))
WATCH(open, int, fclose, (FILE *file), (file))
WATCH(open, int, close, (int descriptor), (descriptor))

WATCH(read, ssize_t, read, (int descriptor, void *bytes, size_t count), (descriptor, bytes, count))
WATCH(read, ssize_t, pread, (int descriptor, void *bytes, size_t count, off_t offset), (descriptor, bytes, count, offset))
WATCH(read, ssize_t, recv, (int socket, void *bytes, size_t count, int flags), (socket, bytes, count, flags))
WATCH(read, size_t, fread, (void *items, size_t size, size_t count, FILE *file), (items, size, count, file))
WATCH(read, char *, fgets, (char *line, int size, FILE *file), (line, size, file))

WATCH(write, ssize_t, write, (int descriptor, const void *bytes, size_t count), (descriptor, bytes, count))
WATCH(
    write, ssize_t, pwrite, (int descriptor, const void *bytes, size_t count, off_t offset),
    (descriptor, bytes, count, offset))
WATCH(write, ssize_t, send, (int socket, const void *bytes, size_t count, int flags), (socket, bytes, count, flags))
WATCH(write, size_t, fwrite, (const void *items, size_t size, size_t count, FILE *file), (items, size, count, file))
WATCH(write, int, puts, (const char *line), (line))
WATCH(write, int, vfprintf, (FILE *file, const char *format, va_list arguments), (file, format, arguments))

/// Prints the arguments after `format` to a file, by the function that takes a list.
#define PRINT(name, file, format) \
  NEXT(vfprintf); \
  NOTE(write, name); \
  va_list arguments; \
  va_start(arguments, format); \
  int count = next(file, format, arguments); \
  va_end(arguments); \
  return count

EXPORT int printf(const char *format, ...) { PRINT("printf", stdout, format); }
EXPORT int fprintf(FILE *file, const char *format, ...) { PRINT("fprintf", file, format); }

// MARK: Sleep

WATCH(sleep, int, usleep, (useconds_t microseconds), (microseconds))
WATCH(sleep, unsigned, sleep, (unsigned seconds), (seconds))
WATCH(sleep, int, nanosleep, (const struct timespec *time, struct timespec *rest), (time, rest))
WATCH(
    sleep, int, clock_nanosleep, (clockid_t clock, int flags, const struct timespec *time, struct timespec *rest),
    (clock, flags, time, rest))

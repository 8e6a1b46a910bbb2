// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A disk that is slow for one file: loaded before the C library, it lets each read of that file take its time. Any thread.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/// Milliseconds that a read of this descriptor takes: SLOW_DISK is the end of the file's name, a colon, and the milliseconds.
static long delay_of(int descriptor) {
    const char *wish = getenv("SLOW_DISK");
    const char *colon = wish ? strrchr(wish, ':') : NULL;
    if (!colon) return 0;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path);
    size_t wanted = (size_t)(colon - wish);
    if (length < (ssize_t)wanted || memcmp(path + length - wanted, wish, wanted) != 0) return 0;
    return strtol(colon + 1, NULL, 10);
}

static void take_time(int descriptor, size_t count) {
    // The few bytes of a header come at once, so that opening takes no minutes.
    if (count < 4096) return;
    long milliseconds = delay_of(descriptor);
    if (milliseconds <= 0) return;
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&time, NULL);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
    static ssize_t (*next)(int, void *, size_t);
    if (!next) next = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    take_time(descriptor, count);
    return next(descriptor, bytes, count);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
    static ssize_t (*next)(int, void *, size_t, off_t);
    if (!next) next = (ssize_t(*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread");
    take_time(descriptor, count);
    return next(descriptor, bytes, count, offset);
}

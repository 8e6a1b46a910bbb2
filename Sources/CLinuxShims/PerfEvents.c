// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// perf_event_open, which has no wrapper and takes a structure of bit fields.
#define _GNU_SOURCE
#include "CLinuxShims.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "FutexCalls.h"

int CLinuxShims_systemCallCounter(pid_t thread, uint64_t tracepoint, bool isFutexLeftOut) {
  struct perf_event_attr attributes = {
      .type = PERF_TYPE_TRACEPOINT, .size = sizeof attributes, .config = tracepoint, .disabled = 1};
  int descriptor = (int)syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (descriptor < 0) return -errno;
  char filter[64];
  snprintf(filter, sizeof filter, "id != %d && id != %d && id != %d", SYS_futex, SYS_futex_wait, SYS_futex_wake);
  if ((!isFutexLeftOut || ioctl(descriptor, PERF_EVENT_IOC_SET_FILTER, filter) == 0) &&
      ioctl(descriptor, PERF_EVENT_IOC_ENABLE, 0) == 0)
    return descriptor;
  int error = errno;
  close(descriptor);
  return -error;
}

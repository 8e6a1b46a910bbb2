// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A seccomp filter while it is built.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>

enum { SystemCallFilter_capacity = 1024 };

/// The instructions of a filter, in order.
struct SystemCallFilter {
  struct sock_filter instructions[SystemCallFilter_capacity];
  unsigned short count;
};

/// Fills in the filter for the process with the number `ownProcess`. With `keepsFiles` that process may keep its own files.
/// Allocates nothing.
void SystemCallFilter_make(struct SystemCallFilter *filter, int keepsFiles, int hasOwnRoot, uint32_t ownProcess);

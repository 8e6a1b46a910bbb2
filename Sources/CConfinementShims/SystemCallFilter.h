// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A seccomp filter in the making.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>

enum { SystemCallFilter_capacity = 1024 };

struct SystemCallFilter {
  struct sock_filter instructions[SystemCallFilter_capacity];
  unsigned short count;
};

/// Fills in the filter for a process that knows itself as `ownProcess`, and may keep files of its own. Allocates nothing.
void SystemCallFilter_make(struct SystemCallFilter *filter, int keepsFiles, int hasOwnRoot, uint32_t ownProcess);

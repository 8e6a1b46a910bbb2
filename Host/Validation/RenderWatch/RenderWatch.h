// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The counts of the library that watches a render thread, in memory that outlives the extension. See RenderWatch.c.
#pragma once

#include <stdint.h>

enum {
  RenderWatch_magic = 0x57444e52,
  RenderWatch_kindCount = 8,
  RenderWatch_nameByteCount = 120,
};

/// The kinds of calls, in the order of their counts.
enum RenderWatch_Kind {
  RenderWatch_allocate,
  RenderWatch_release,
  RenderWatch_lock,
  RenderWatch_wait,
  RenderWatch_open,
  RenderWatch_read,
  RenderWatch_write,
  RenderWatch_sleep,
};

/// The calls of one kind.
struct RenderWatch_Offence {
  uint64_t count;
  /// The function and the library that called it first, as a C string.
  char first[RenderWatch_nameByteCount];
};

/// All counts in the memory.
struct RenderWatch_Counts {
  uint32_t magic;
  uint32_t reserved;
  /// The number of rendered blocks.
  uint64_t renderCount;
  struct RenderWatch_Offence offences[RenderWatch_kindCount];
};

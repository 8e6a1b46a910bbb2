// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the library that is loaded before an extension's own counts, in memory that outlives the extension. See RenderWatch.c.
#pragma once

#include <stdint.h>

enum {
  RenderWatch_magic = 0x57444e52,
  RenderWatch_kindCount = 8,
  RenderWatch_nameByteCount = 120,
};

/// What is counted, in this order.
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

/// One kind of offence.
struct RenderWatch_Offence {
  uint64_t count;
  /// The function, and the library that called it first; ends with a zero.
  char first[RenderWatch_nameByteCount];
};

/// The whole memory.
struct RenderWatch_Counts {
  uint32_t magic;
  uint32_t reserved;
  /// Blocks that were rendered while somebody watched.
  uint64_t renderCount;
  struct RenderWatch_Offence offences[RenderWatch_kindCount];
};

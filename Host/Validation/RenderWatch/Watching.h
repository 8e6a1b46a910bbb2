// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The macros that define a watched function. Any thread.
#pragma once

#include "RenderWatch.h"

#define EXPORT __attribute__((visibility("default")))

// Initial-exec: the default model may allocate a thread's memory at its first use.
#define WATCHED_DEPTH_MODEL __attribute__((tls_model("initial-exec")))

/// Above zero while this thread renders and its calls are counted.
extern __thread int RenderWatch_depth WATCHED_DEPTH_MODEL;

/// Counts one call of a rendering thread; `caller` is an address in the calling code.
__attribute__((noinline)) void RenderWatch_note(enum RenderWatch_Kind kind, const char *function, void *caller);

/// The function of that name without this library.
void *RenderWatch_findNext(const char *name);

// Not marked as unlikely: the compiler would move the code, with its return address, into a separate function.
#define NOTE(kind, function) \
  if (RenderWatch_depth > 0) RenderWatch_note(RenderWatch_##kind, function, __builtin_return_address(0))

/// Declares `next`, the function without this library.
#define NEXT(name) \
  static __typeof__(&name) next; \
  if (!next) *(void **)&next = RenderWatch_findNext(#name)

/// Defines a function that counts a call and passes it on. Parameters and arguments are in parentheses.
#define WATCH(kind, result, name, parameters, arguments) \
  EXPORT result name parameters { \
    NEXT(name); \
    NOTE(kind, #name); \
    return next arguments; \
  }

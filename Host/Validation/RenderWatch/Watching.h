// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How a call is watched: what stands in front of the C library's functions has this in common. Any thread.
#pragma once

#include "RenderWatch.h"

#define EXPORT __attribute__((visibility("default")))

// Initial-exec: the usual way to a thread's own memory may allocate it at its first use.
#define WATCHED_DEPTH_MODEL __attribute__((tls_model("initial-exec")))

/// Above zero while this thread renders and somebody counts.
extern __thread int RenderWatch_depth WATCHED_DEPTH_MODEL;

/// Counts one offence of a thread that renders; `caller` is an address in whoever committed it.
__attribute__((noinline)) void RenderWatch_note(enum RenderWatch_Kind kind, const char *function, void *caller);

/// The function of that name that would have been called without this library.
void *RenderWatch_findNext(const char *name);

// Not marked as unlikely: the compiler would move it, and the return address with it, into a function of its own.
#define NOTE(kind, function) \
  if (RenderWatch_depth > 0) RenderWatch_note(RenderWatch_##kind, function, __builtin_return_address(0))

/// Makes `next` the function that would have been called.
#define NEXT(name) \
  static __typeof__(&name) next; \
  if (!next) *(void **)&next = RenderWatch_findNext(#name)

/// A function that is counted and then called. Parameters and arguments are in brackets.
#define WATCH(kind, result, name, parameters, arguments) \
  EXPORT result name parameters { \
    NEXT(name); \
    NOTE(kind, #name); \
    return next arguments; \
  }

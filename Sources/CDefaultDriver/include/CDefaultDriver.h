// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The driver of a program that names none: a module that is linked into the program provides it.
//
// The engine must not depend on PipeWire, and still plays there by default. So it looks for a function that a module may define.
#pragma once

#include <stddef.h>

/// Makes a driver: a retained Swift object that conforms to `AudioDriver`. `PipeWireIO` defines it.
extern void *Bulkhead_makeDefaultDriver(void) __attribute__((weak));

/// Makes the default driver; NULL if no linked module has one.
static inline void *CDefaultDriver_make(void) { return Bulkhead_makeDefaultDriver ? Bulkhead_makeDefaultDriver() : NULL; }

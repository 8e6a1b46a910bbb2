// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The kernels for processors with vectors of 256 bits: x86-64-v3. Render thread; any thread asks whether the processor has them.
#include "CSpatialKernels.h"

#if defined(__x86_64__)

// All functions below may use the instructions; the call in `CSpatialKernels_wide` decides whether they run.
#pragma clang attribute push(__attribute__((target("arch=x86-64-v3"))), apply_to = function)
#define BUILD(name) name##Wide
#define BUILD_NAME "x86-64-v3"
#include "Kernels.h"
#pragma clang attribute pop

static const CSpatialKernels_Functions functions = BUILD_FUNCTIONS;

const CSpatialKernels_Functions *CSpatialKernels_wide(void) {
  return __builtin_cpu_supports("x86-64-v3") ? &functions : 0;
}

#else

const CSpatialKernels_Functions *CSpatialKernels_wide(void) { return 0; }

#endif

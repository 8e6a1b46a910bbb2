// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The kernels for every processor of the architecture. Render thread.
#define BUILD(name) name##Everywhere
#if defined(__x86_64__)
#define BUILD_NAME "x86-64"
#else
#define BUILD_NAME "every processor"
#endif
#include "Kernels.h"

static const CSpatialKernels_Functions functions = BUILD_FUNCTIONS;

const CSpatialKernels_Functions *CSpatialKernels_everywhere(void) { return &functions; }

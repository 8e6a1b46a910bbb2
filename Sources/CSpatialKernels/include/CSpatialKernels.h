// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The arithmetic of sound in space, built for processors with narrow and with wide vectors. Render thread.
//
// Both builds come from one text, `Kernels.h`, without contraction of products and sums. So they put out the same bits.
// `Host/ARCHITECTURE.md` says how to add a kernel. The functions allocate nothing, lock nothing and enter no kernel, so they
// carry the mark of Swift's compiler for the render path.
#pragma once

#include <stdint.h>

#define CSPATIALKERNELS_VOUCHED static inline __attribute__((always_inline, swift_attr("@_noLocks")))

/// The factors of a transform of `size` real samples.
///
/// A spectrum has `size` numbers: the real parts of size / 2 bins, then their imaginary parts. The first imaginary part is the
/// real part of the bin at half the sample rate.
typedef struct {
  long size;
  /// cos and sin of -2 pi k / (size / 2), each for k below size / 2; then of -2 pi k / size.
  const float *halfCosines, *halfSines, *cosines, *sines;
} CSpatialKernels_Transform;

/// A filter for one ear: rows of a table in a mixture, and a delay between two rows of a table of delays.
typedef struct {
  const float *rows[6];
  float weights[6];
  /// The rows that count; the others have a weight of 0.
  long rowCount;
  const float *delay, *nextDelay;
  /// The share of `nextDelay`.
  float fraction;
} CSpatialKernels_Mixture;

/// One build of all kernels.
typedef struct {
  /// The processors that it is built for.
  const char *name;
  /// Transforms `size` samples; `scratch` has room for 2 * size numbers.
  void (*transform)(const CSpatialKernels_Transform *, const float *samples, float *spectrum, float *scratch);
  /// The inverse of `transform`.
  void (*invert)(const CSpatialKernels_Transform *, const float *spectrum, float *samples, float *scratch);
  /// filter = mixture
  void (*mix)(long size, const CSpatialKernels_Mixture *, float *filter);
  /// sum += spectrum * filter
  void (*add)(long size, const float *spectrum, const float *filter, float *sum);
  /// sum += spectrum * filter, change += spectrum * (mixture - filter), filter = mixture
  void (*addMoving)(
      long size, const float *spectrum, float *filter, const CSpatialKernels_Mixture *, float *sum, float *change);
} CSpatialKernels_Functions;

/// `[any]` The build for every processor of this architecture.
const CSpatialKernels_Functions *CSpatialKernels_everywhere(void);
/// `[any]` The build for x86-64-v3, or NULL if this processor lacks a part of that.
const CSpatialKernels_Functions *CSpatialKernels_wide(void);

CSPATIALKERNELS_VOUCHED void CSpatialKernels_transform(
    const CSpatialKernels_Functions *build, const CSpatialKernels_Transform *plan, const float *samples, float *spectrum,
    float *scratch) {
  build->transform(plan, samples, spectrum, scratch);
}
CSPATIALKERNELS_VOUCHED void CSpatialKernels_invert(
    const CSpatialKernels_Functions *build, const CSpatialKernels_Transform *plan, const float *spectrum, float *samples,
    float *scratch) {
  build->invert(plan, spectrum, samples, scratch);
}
CSPATIALKERNELS_VOUCHED void CSpatialKernels_mix(
    const CSpatialKernels_Functions *build, long size, const CSpatialKernels_Mixture *mixture, float *filter) {
  build->mix(size, mixture, filter);
}
CSPATIALKERNELS_VOUCHED void CSpatialKernels_add(
    const CSpatialKernels_Functions *build, long size, const float *spectrum, const float *filter, float *sum) {
  build->add(size, spectrum, filter, sum);
}
CSPATIALKERNELS_VOUCHED void CSpatialKernels_addMoving(
    const CSpatialKernels_Functions *build, long size, const float *spectrum, float *filter,
    const CSpatialKernels_Mixture *mixture, float *sum, float *change) {
  build->addMoving(size, spectrum, filter, mixture, sum, change);
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The text of all kernels, which each build includes once with `BUILD` and `BUILD_NAME` of its own. Render thread.
//
// Every loop treats its elements alike and independently, so that a compiler may take any number of them at once.
#include "CSpatialKernels.h"

#pragma STDC FP_CONTRACT OFF

#define PLAIN static inline __attribute__((always_inline))

// MARK: - The transform: Stockham's, radix 4, and one pass of radix 2 if the size asks for it

/// One pass of radix 4 with `stride` neighbours that have the same factors.
PLAIN void passOfFour(
    long size, long stride, const CSpatialKernels_Transform *plan, const float *restrict inReal, const float *restrict inImaginary,
    float *restrict outReal, float *restrict outImaginary) {
  long quarter = size / 4, whole = plan->size / 2, step = whole / size;
  for (long p = 0; p < quarter; p++) {
    float c1 = plan->halfCosines[p * step], s1 = plan->halfSines[p * step];
    float c2 = plan->halfCosines[2 * p * step], s2 = plan->halfSines[2 * p * step];
    float c3 = plan->halfCosines[3 * p * step], s3 = plan->halfSines[3 * p * step];
    const float *realA = inReal + stride * p, *imaginaryA = inImaginary + stride * p;
    const float *realB = realA + stride * quarter, *imaginaryB = imaginaryA + stride * quarter;
    const float *realC = realB + stride * quarter, *imaginaryC = imaginaryB + stride * quarter;
    const float *realD = realC + stride * quarter, *imaginaryD = imaginaryC + stride * quarter;
    float *toReal = outReal + stride * 4 * p, *toImaginary = outImaginary + stride * 4 * p;
    for (long q = 0; q < stride; q++) {
      float sumReal = realA[q] + realC[q], sumImaginary = imaginaryA[q] + imaginaryC[q];
      float gapReal = realA[q] - realC[q], gapImaginary = imaginaryA[q] - imaginaryC[q];
      float otherReal = realB[q] + realD[q], otherImaginary = imaginaryB[q] + imaginaryD[q];
      // -j (b - d)
      float turnReal = imaginaryB[q] - imaginaryD[q], turnImaginary = realD[q] - realB[q];
      toReal[q] = sumReal + otherReal;
      toImaginary[q] = sumImaginary + otherImaginary;
      float real = gapReal + turnReal, imaginary = gapImaginary + turnImaginary;
      toReal[q + stride] = real * c1 - imaginary * s1;
      toImaginary[q + stride] = real * s1 + imaginary * c1;
      real = sumReal - otherReal;
      imaginary = sumImaginary - otherImaginary;
      toReal[q + 2 * stride] = real * c2 - imaginary * s2;
      toImaginary[q + 2 * stride] = real * s2 + imaginary * c2;
      real = gapReal - turnReal;
      imaginary = gapImaginary - turnImaginary;
      toReal[q + 3 * stride] = real * c3 - imaginary * s3;
      toImaginary[q + 3 * stride] = real * s3 + imaginary * c3;
    }
  }
}

/// The last pass, of radix 2, without factors.
PLAIN void passOfTwo(
    long stride, const float *restrict inReal, const float *restrict inImaginary, float *restrict outReal,
    float *restrict outImaginary) {
  for (long q = 0; q < stride; q++) {
    outReal[q] = inReal[q] + inReal[q + stride];
    outImaginary[q] = inImaginary[q] + inImaginary[q + stride];
    outReal[q + stride] = inReal[q] - inReal[q + stride];
    outImaginary[q + stride] = inImaginary[q] - inImaginary[q + stride];
  }
}

/// Transforms size / 2 complex numbers at `one`, and returns where the result is: at `one` or at `two`.
PLAIN float *transformComplex(
    const CSpatialKernels_Transform *plan, long half, float *one, float *two) {
  long size = half, stride = 1;
  float *from = one, *to = two;
  while (size >= 4) {
    if (stride == 1) {
      passOfFour(size, 1, plan, from, from + half, to, to + half);
    } else if (stride == 4) {
      passOfFour(size, 4, plan, from, from + half, to, to + half);
    } else {
      passOfFour(size, stride, plan, from, from + half, to, to + half);
    }
    size /= 4;
    stride *= 4;
    float *other = from;
    from = to;
    to = other;
  }
  if (size == 2) {
    passOfTwo(stride, from, from + half, to, to + half);
    from = to;
  }
  return from;
}

static void BUILD(transform)(
    const CSpatialKernels_Transform *plan, const float *samples, float *spectrum, float *scratch) {
  long size = plan->size, half = size / 2;
  float *one = scratch, *two = scratch + size;
  for (long index = 0; index < half; index++) {
    one[index] = samples[2 * index];
    one[half + index] = samples[2 * index + 1];
  }
  const float *real = transformComplex(plan, half, one, two), *imaginary = real + half;
  float *restrict toReal = spectrum, *restrict toImaginary = spectrum + half;
  toReal[0] = real[0] + imaginary[0];
  toImaginary[0] = real[0] - imaginary[0];
  for (long k = 1; k < half; k++) {
    float mirrorReal = real[half - k], mirrorImaginary = imaginary[half - k];
    float evenReal = 0.5f * (real[k] + mirrorReal), evenImaginary = 0.5f * (imaginary[k] - mirrorImaginary);
    float oddReal = 0.5f * (imaginary[k] + mirrorImaginary), oddImaginary = 0.5f * (mirrorReal - real[k]);
    float c = plan->cosines[k], s = plan->sines[k];
    toReal[k] = evenReal + (oddReal * c - oddImaginary * s);
    toImaginary[k] = evenImaginary + (oddReal * s + oddImaginary * c);
  }
}

static void BUILD(invert)(
    const CSpatialKernels_Transform *plan, const float *spectrum, float *samples, float *scratch) {
  long size = plan->size, half = size / 2;
  float *one = scratch, *two = scratch + size;
  const float *real = spectrum, *imaginary = spectrum + half;
  // Real and imaginary parts change places, so that the transform becomes its inverse.
  float *restrict toImaginary = one, *restrict toReal = one + half;
  toReal[0] = 0.5f * (real[0] + imaginary[0]);
  toImaginary[0] = 0.5f * (real[0] - imaginary[0]);
  for (long k = 1; k < half; k++) {
    float mirrorReal = real[half - k], mirrorImaginary = imaginary[half - k];
    float evenReal = 0.5f * (real[k] + mirrorReal), evenImaginary = 0.5f * (imaginary[k] - mirrorImaginary);
    float gapReal = 0.5f * (real[k] - mirrorReal), gapImaginary = 0.5f * (imaginary[k] + mirrorImaginary);
    float c = plan->cosines[k], s = plan->sines[k];
    float oddReal = gapReal * c + gapImaginary * s, oddImaginary = gapImaginary * c - gapReal * s;
    toReal[k] = evenReal - oddImaginary;
    toImaginary[k] = evenImaginary + oddReal;
  }
  const float *result = transformComplex(plan, half, one, two);
  float scale = 1.0f / (float)half;
  for (long index = 0; index < half; index++) {
    samples[2 * index] = result[half + index] * scale;
    samples[2 * index + 1] = result[index] * scale;
  }
}

// MARK: - Filters

/// The arrays of a mixture, which only is read: so a compiler knows that nothing here overlaps with what is written.
#define MIXTURE                                                                                         \
  const float *restrict row0, const float *restrict row1, const float *restrict row2, const float *restrict row3, \
      const float *restrict row4, const float *restrict row5, float weight0, float weight1, float weight2, float weight3, \
      float weight4, float weight5, const float *restrict delay, const float *restrict nextDelay, float fraction
#define MIXTURE_OF(m)                                                                                                     \
  (m)->rows[0], (m)->rows[1], (m)->rows[2], (m)->rows[3], (m)->rows[4], (m)->rows[5], (m)->weights[0], (m)->weights[1],   \
      (m)->weights[2], (m)->weights[3], (m)->weights[4], (m)->weights[5], (m)->delay, (m)->nextDelay, (m)->fraction
/// Element `i` of the mixed rows, of which a mixture of few has three, and of the delay.
#define MIXED(i)                                                                             \
  (isOfFew ? (weight0 * row0[i] + weight1 * row1[i]) + weight2 * row2[i]                     \
           : (weight0 * row0[i] + weight1 * row1[i]) + (weight2 * row2[i] + weight3 * row3[i]) + \
                 (weight4 * row4[i] + weight5 * row5[i]))
#define DELAYED(i) (delay[i] + fraction * (nextDelay[i] - delay[i]))

PLAIN void mixBins(long half, int isOfFew, MIXTURE, float *restrict filter) {
  float first = MIXED(0) * DELAYED(0), last = MIXED(half) * DELAYED(half);
  for (long k = 0; k < half; k++) {
    float a = MIXED(k), b = MIXED(half + k), c = DELAYED(k), s = DELAYED(half + k);
    filter[k] = a * c - b * s;
    filter[half + k] = a * s + b * c;
  }
  // The first bin holds two real numbers.
  filter[0] = first;
  filter[half] = last;
}

static void BUILD(mix)(long size, const CSpatialKernels_Mixture *mixture, float *filter) {
  // The number of rows is known when each of both is compiled.
  if (mixture->rowCount <= 3) {
    mixBins(size / 2, 1, MIXTURE_OF(mixture), filter);
  } else {
    mixBins(size / 2, 0, MIXTURE_OF(mixture), filter);
  }
}

static void BUILD(add)(long size, const float *restrict spectrum, const float *restrict filter, float *restrict sum) {
  long half = size / 2;
  float first = sum[0] + spectrum[0] * filter[0], last = sum[half] + spectrum[half] * filter[half];
  for (long k = 0; k < half; k++) {
    float a = spectrum[k], b = spectrum[half + k], c = filter[k], d = filter[half + k];
    sum[k] += a * c - b * d;
    sum[half + k] += a * d + b * c;
  }
  sum[0] = first;
  sum[half] = last;
}

PLAIN void addMovingBins(
    long half, int isOfFew, const float *restrict spectrum, float *restrict filter, MIXTURE, float *restrict sum,
    float *restrict change) {
  float nextFirst = MIXED(0) * DELAYED(0), nextLast = MIXED(half) * DELAYED(half);
  float first = sum[0] + spectrum[0] * filter[0], last = sum[half] + spectrum[half] * filter[half];
  float changedFirst = change[0] + spectrum[0] * (nextFirst - filter[0]);
  float changedLast = change[half] + spectrum[half] * (nextLast - filter[half]);
  for (long k = 0; k < half; k++) {
    float x = spectrum[k], y = spectrum[half + k], oldReal = filter[k], oldImaginary = filter[half + k];
    float a = MIXED(k), b = MIXED(half + k), c = DELAYED(k), s = DELAYED(half + k);
    float real = a * c - b * s, imaginary = a * s + b * c;
    sum[k] += x * oldReal - y * oldImaginary;
    sum[half + k] += x * oldImaginary + y * oldReal;
    float gapReal = real - oldReal, gapImaginary = imaginary - oldImaginary;
    change[k] += x * gapReal - y * gapImaginary;
    change[half + k] += x * gapImaginary + y * gapReal;
    filter[k] = real;
    filter[half + k] = imaginary;
  }
  filter[0] = nextFirst;
  filter[half] = nextLast;
  sum[0] = first;
  sum[half] = last;
  change[0] = changedFirst;
  change[half] = changedLast;
}

static void BUILD(addMoving)(
    long size, const float *spectrum, float *filter, const CSpatialKernels_Mixture *mixture, float *sum, float *change) {
  if (mixture->rowCount <= 3) {
    addMovingBins(size / 2, 1, spectrum, filter, MIXTURE_OF(mixture), sum, change);
  } else {
    addMovingBins(size / 2, 0, spectrum, filter, MIXTURE_OF(mixture), sum, change);
  }
}

/// The build's functions, for a table.
#define BUILD_FUNCTIONS \
  { BUILD_NAME, BUILD(transform), BUILD(invert), BUILD(mix), BUILD(add), BUILD(addMoving) }

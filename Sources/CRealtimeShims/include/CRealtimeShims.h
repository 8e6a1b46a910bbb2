// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// C functions on the render path that a person has checked, because the compiler cannot.
//
// Swift's `@_noLocks` accepts a C function only if it carries the same attribute. All functions here are pure arithmetic from
// libm, access to a control register, or a call through a pointer whose target makes the same promise. None allocates, locks or
// enters the kernel.
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#define CREALTIME_VOUCHED static inline __attribute__((always_inline, swift_attr("@_noLocks")))

CREALTIME_VOUCHED float CRealtimeShims_sinf(float x) { return sinf(x); }
CREALTIME_VOUCHED float CRealtimeShims_cosf(float x) { return cosf(x); }
CREALTIME_VOUCHED float CRealtimeShims_tanf(float x) { return tanf(x); }
CREALTIME_VOUCHED float CRealtimeShims_tanhf(float x) { return tanhf(x); }
CREALTIME_VOUCHED float CRealtimeShims_expf(float x) { return expf(x); }
CREALTIME_VOUCHED float CRealtimeShims_exp2f(float x) { return exp2f(x); }
CREALTIME_VOUCHED float CRealtimeShims_logf(float x) { return logf(x); }
CREALTIME_VOUCHED float CRealtimeShims_log2f(float x) { return log2f(x); }
CREALTIME_VOUCHED float CRealtimeShims_log10f(float x) { return log10f(x); }
CREALTIME_VOUCHED float CRealtimeShims_powf(float x, float y) { return powf(x, y); }
CREALTIME_VOUCHED float CRealtimeShims_floorf(float x) { return floorf(x); }
CREALTIME_VOUCHED double CRealtimeShims_sin(double x) { return sin(x); }
CREALTIME_VOUCHED double CRealtimeShims_cos(double x) { return cos(x); }
CREALTIME_VOUCHED double CRealtimeShims_tan(double x) { return tan(x); }
CREALTIME_VOUCHED double CRealtimeShims_exp(double x) { return exp(x); }
CREALTIME_VOUCHED double CRealtimeShims_log(double x) { return log(x); }
CREALTIME_VOUCHED double CRealtimeShims_pow(double x, double y) { return pow(x, y); }
CREALTIME_VOUCHED double CRealtimeShims_sinh(double x) { return sinh(x); }
CREALTIME_VOUCHED double CRealtimeShims_tanh(double x) { return tanh(x); }
CREALTIME_VOUCHED double CRealtimeShims_sqrt(double x) { return sqrt(x); }
CREALTIME_VOUCHED double CRealtimeShims_exp2(double x) { return exp2(x); }
CREALTIME_VOUCHED double CRealtimeShims_floor(double x) { return floor(x); }

/// value * numerator / denominator, rounded up; saturates. The denominator is above 0.
CREALTIME_VOUCHED int64_t CRealtimeShims_scaleUp(int64_t value, int64_t numerator, int64_t denominator) {
  __int128 product = (__int128)value * numerator;
  __int128 quotient = product / denominator;
  if (product > 0 && product % denominator != 0) quotient++;
  return quotient > INT64_MAX ? INT64_MAX : quotient < INT64_MIN ? INT64_MIN : (int64_t)quotient;
}

/// value * numerator / denominator for a value that is not negative, rounded down; saturates. The denominator is above 0.
CREALTIME_VOUCHED int64_t CRealtimeShims_scaleDown(int64_t value, int64_t numerator, int64_t denominator) {
  __int128 quotient = (__int128)value * numerator / denominator;
  return quotient > INT64_MAX ? INT64_MAX : (int64_t)quotient;
}

/// Copies samples; the two areas may overlap.
///
/// `memmove` neither allocates nor locks.
CREALTIME_VOUCHED void CRealtimeShims_copySamples(float *to, const float *from, long count) {
  memmove(to, from, (size_t)count * sizeof(float));
}

/// Writes zeros.
CREALTIME_VOUCHED void CRealtimeShims_clearSamples(float *samples, long count) {
  memset(samples, 0, (size_t)count * sizeof(float));
}

/// Turns on flush-to-zero and denormals-are-zero for the calling thread.
///
/// Returns the register before that, for `CRealtimeShims_restoreFloatingPointMode`.
CREALTIME_VOUCHED uint32_t CRealtimeShims_disableDenormals(void) {
#if defined(__SSE2__)
  uint32_t before = _mm_getcsr();
  // A write to the register takes many times as long as a read.
  if ((before & 0x8040u) != 0x8040u) _mm_setcsr(before | 0x8040u);
  return before;
#elif defined(__aarch64__)
  uint64_t before;
  __asm__ volatile("mrs %0, fpcr" : "=r"(before));
  __asm__ volatile("msr fpcr, %0" : : "r"(before | (1u << 24)));
  return (uint32_t)before;
#else
  return 0;
#endif
}

CREALTIME_VOUCHED void CRealtimeShims_restoreFloatingPointMode(uint32_t mode) {
#if defined(__SSE2__)
  // The low six bits only record past exceptions.
  if (((_mm_getcsr() ^ mode) & ~0x3Fu) != 0) _mm_setcsr(mode);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)mode));
#else
  (void)mode;
#endif
}

/// The bits of this thread's floating-point control register, for tests of the functions above.
CREALTIME_VOUCHED uint32_t CRealtimeShims_floatingPointMode(void) {
#if defined(__SSE2__)
  return _mm_getcsr();
#else
  return 0;
#endif
}

/// The type of a function that is called through a pointer on the render path.
///
/// Swift's check cannot follow function pointers. The code that provides the pointer promises that its target is
/// `@_noLocks`, too.
typedef void (*CRealtimeShims_RenderFunction)(void *context, const void *argument);
CREALTIME_VOUCHED void CRealtimeShims_call(CRealtimeShims_RenderFunction function, void *context, const void *argument) {
  function(context, argument);
}

/// RealtimeSanitizer's marks around code that must keep its rules.
///
/// They exist only in a process with the sanitizer's runtime. Elsewhere the addresses are null, and nothing is called.
extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));
CREALTIME_VOUCHED void CRealtimeShims_enterRealtime(void) {
  if (__rtsan_realtime_enter) __rtsan_realtime_enter();
}
CREALTIME_VOUCHED void CRealtimeShims_exitRealtime(void) {
  if (__rtsan_realtime_exit) __rtsan_realtime_exit();
}

/// The sanitizer's marks around foreign code on a render thread, which it must not check.
extern void __rtsan_disable(void) __attribute__((weak));
extern void __rtsan_enable(void) __attribute__((weak));
CREALTIME_VOUCHED void CRealtimeShims_enterForeignCode(void) {
  if (__rtsan_disable) __rtsan_disable();
}
CREALTIME_VOUCHED void CRealtimeShims_exitForeignCode(void) {
  if (__rtsan_enable) __rtsan_enable();
}

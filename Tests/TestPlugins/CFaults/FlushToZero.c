// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Changes the arithmetic of the thread that loads the library, as libraries do that were linked with -ffast-math.
#include <stdlib.h>

#if defined(__x86_64__)
#include <xmmintrin.h>

__attribute__((constructor)) static void flushToZero(void) {
  // Bit 15 flushes subnormal results to zero, and bit 6 takes subnormal operands for zero.
  if (getenv("BULKHEAD_TEST_FLUSHES_TO_ZERO")) _mm_setcsr(_mm_getcsr() | 0x8040);
}
#elif defined(__aarch64__)
__attribute__((constructor)) static void flushToZero(void) {
  unsigned long mode;
  if (!getenv("BULKHEAD_TEST_FLUSHES_TO_ZERO")) return;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  __asm__ volatile("msr fpcr, %0" : : "r"(mode | 1ul << 24));
}
#endif

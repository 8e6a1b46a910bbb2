// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The example extension under another name, with a fault of its own: see Faults.h. Main thread and render thread.
//
// The library is part of this file, so that faults reach all of it.
#define CExtension_FAULTS "Faults.h"
#ifdef VARIANT_OF_VERSION_1
// An old one does not say when it renders, either.
#define __rtsan_realtime_enter noMark
#define __rtsan_realtime_exit noOtherMark
#endif
#include "CExtension.c"

#define main mainOfExample
#include "Tremolo.c"
#undef main

int main(void) {
  struct CExtension_Description variant = tremolo;
  variant.component = VARIANT_COMPONENT;
  variant.name = VARIANT_NAME;
  (void)mainOfExample;
  return CExtension_run(&variant);
}

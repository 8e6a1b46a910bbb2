// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The arguments of this process as the kernel gave them. Swift's runtime reads /proc for them, which need not be there.
#include "CLinuxShims.h"

static char *const nothing[] = {NULL};
static char *const *arguments = nothing;

/// Keeps the arguments, which the C library gives to constructors, too.
__attribute__((constructor)) static void keepArguments(int count, char **given) {
  if (count > 0 && given) arguments = given;
}

char *const *CLinuxShims_arguments(void) { return arguments; }

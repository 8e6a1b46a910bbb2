// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A root folder of a process's own, which contains only what the process may see.
#pragma once

#include "CConfinementShims.h"

enum { Root_maximumBindCount = 256 };

/// Builds it, in a mount namespace of the caller's own. Returns 0, or -errno and the step in `*failedStep`.
int Root_build(const struct CConfinementShims_Confinement *confinement, const char **failedStep);
/// Mounts a /proc of the caller's PID namespace in it, for reading only and without the machine's settings. An old kernel cannot
/// leave those out: with `mayShowMachine` they are shown then, and without it there is no /proc. Returns 0 or -errno.
int Root_showProcesses(int mayShowMachine);
/// Makes it the root of every process of the mount namespace, and unmounts the old one. Returns 0 or -errno.
int Root_enter(void);

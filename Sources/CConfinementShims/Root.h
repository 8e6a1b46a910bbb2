// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A process's own root folder, which contains only the permitted parts of the machine.
#pragma once

#include "CConfinementShims.h"

/// Builds the root in the caller's own mount namespace. Returns 0, or -errno and the step in `*failedStep`.
int Root_build(const struct CConfinementShims_Confinement *confinement, const char **failedStep);
/// Mounts a read-only /proc of the caller's PID namespace in the root, without the machine's settings. An old kernel cannot
/// hide the settings: then `mayShowMachine` shows them, and otherwise there is no /proc. Returns 0 or -errno.
int Root_showProcesses(int mayShowMachine);
/// Makes the new root the root of every process of the mount namespace, and unmounts the old one. Returns 0 or -errno.
int Root_enter(void);

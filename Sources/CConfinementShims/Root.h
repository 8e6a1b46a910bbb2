// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A root folder of a process's own, which holds what it may see and nothing else.
#pragma once

#include "CConfinementShims.h"

enum { Root_maximumBindCount = 256 };

/// Builds it, in a mount namespace of the caller's own. 0 or -errno, and then `*failedStep` says at what.
int Root_build(const struct CConfinementShims_Confinement *confinement, const char **failedStep);
/// Shows the processes of the caller's PID namespace in it. 0 or -errno.
int Root_showProcesses(void);
/// Makes it the root of every process of the mount namespace, and lets go of the old one. 0 or -errno.
int Root_enter(void);

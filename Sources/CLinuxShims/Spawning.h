// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What every child does between birth and program, confined or not. After vfork: system calls only.
#pragma once

struct Spawning_Descriptors {
  /// Becomes descriptor 3.
  int control;
  /// Becomes descriptor 4, if it is not negative.
  int lent;
  /// Of /dev/null, opened before.
  int nowhere;
  /// Whether what the child prints goes there too.
  int isQuiet;
};

/// Gives it the descriptors that it is meant to have, and closes all others. 0 or -errno.
int Spawning_takeDescriptors(const struct Spawning_Descriptors *descriptors);
/// Default handlers, nothing blocked.
void Spawning_resetSignals(void);

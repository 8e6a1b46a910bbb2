// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What every child does between birth and program, confined or not. After vfork: system calls only.
#pragma once

#include <stddef.h>
#include <sys/types.h>

enum { Spawning_stackByteCount = 48 << 10 };

/// Memory, cleared, that a child has in common with this process in any case: what it is told, and what it tells. NULL for none.
void *Spawning_share(size_t byteCount);
void Spawning_endSharing(void *memory, size_t byteCount);
/// Has a child run `body` on `stack`, and stops this thread until it has ended or become a program. It borrows this memory
/// meanwhile, which spares a copy of the page tables. The child's identifier, or -errno.
pid_t Spawning_bear(int (*body)(void *), char *stack, int flags, void *context);

/// Waits until a child has ended, and puts it away; nothing happens for what is no process. How it has ended is not asked: where
/// SIGCHLD is ignored nobody is told.
void Spawning_reap(pid_t process);

struct Spawning_Descriptors {
  /// Becomes descriptor 3.
  int control;
  /// Becomes descriptor 4, if it is not negative.
  int lent;
  /// Of /dev/null, or -errno.
  int nowhere;
  /// Where its complaints go, for writing only, or -errno.
  int complaints;
};

/// Opens what a child is given besides; `isQuiet` is for one whose complaints nobody is to read.
struct Spawning_Descriptors Spawning_openDescriptors(int control, int lent, int isQuiet);
void Spawning_closeDescriptors(const struct Spawning_Descriptors *descriptors);

/// Gives it the descriptors that it is meant to have, and closes all others. 0 or -errno.
int Spawning_takeDescriptors(const struct Spawning_Descriptors *descriptors);
/// Default handlers, nothing blocked.
void Spawning_resetSignals(void);

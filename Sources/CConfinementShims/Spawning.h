// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The steps of every child between birth and program, confined or not. After vfork: system calls only.
#pragma once

#include <stddef.h>
#include <sys/types.h>

enum { Spawning_stackByteCount = 48 << 10 };

/// Maps cleared memory that a child shares with this process even if it borrows no other memory. Returns NULL on failure.
void *Spawning_share(size_t byteCount);
/// Unmaps such memory.
void Spawning_endSharing(void *memory, size_t byteCount);
/// Runs `body` in a child on `stack`, and stops this thread until the child has ended or become a program. The child borrows this
/// process's memory meanwhile, which spares a copy of the page tables. Returns the child's pid or -errno.
pid_t Spawning_bear(int (*body)(void *), char *stack, int flags, void *context);

/// Waits until a child has ended and reaps it; does nothing for a pid of 0 or less. It returns no status, because the kernel
/// keeps none if SIGCHLD is ignored.
void Spawning_reap(pid_t process);

/// The descriptors of a child.
struct Spawning_Descriptors {
  /// Becomes descriptor 3.
  int control;
  /// Becomes descriptor 4, if it is not negative.
  int lent;
  /// /dev/null, or -errno.
  int nowhere;
  /// Becomes descriptors 1 and 2, if it is not negative; otherwise they are /dev/null.
  int output;
};

/// Opens the further descriptors that a child needs.
struct Spawning_Descriptors Spawning_openDescriptors(int control, int lent, int output);
/// Closes the descriptors that were opened.
void Spawning_closeDescriptors(const struct Spawning_Descriptors *descriptors);

/// Gives the calling child its descriptors, and closes all others. Returns 0 or -errno.
int Spawning_takeDescriptors(const struct Spawning_Descriptors *descriptors);
/// Restores the default handlers and blocks no signal.
void Spawning_resetSignals(void);

/// Opens the file that holds the calling process's rank for the kernel's choice when memory runs out. Returns -1 on failure.
int Spawning_openMemoryRank(void);
/// Makes the kernel end the calling process, and its later children, before any other when memory runs out. Nothing happens if
/// the file could not be opened.
void Spawning_rankFirstForMemory(int file);

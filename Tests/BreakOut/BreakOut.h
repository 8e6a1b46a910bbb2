// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the attempts of a process to break out have in common.
#pragma once

#include <stddef.h>
#include <sys/types.h>

/// The targets that the test names: things that do not belong to this process.
struct target {
  /// The host, or a neighbour.
  pid_t process;
  /// Memory there, 8 bytes.
  void *address;
  /// A folder that holds a file "secret" and a socket "socket".
  const char *folder;
  /// An abstract stream socket's name, without the zero before it; with "-datagrams" after it, a datagram socket's.
  const char *socket;
};

struct attempt {
  const char *name;
  /// Returns 0 when it got through, else an errno.
  int (*attempt)(const struct target *target);
};

/// 0 for a result that is no failure, else errno.
int outcome(long result);

extern const struct attempt fileAttempts[], outputAttempts[], processAttempts[], kernelAttempts[], quotaAttempts[];

/// The path of this program.
extern const char *ownPath;

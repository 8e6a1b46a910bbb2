// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a process does in namespaces of its own. After vfork: system calls only.
#pragma once

#include <sys/types.h>

/// Maps the user and the group to themselves, in a user namespace of the caller's own; no other user exists inside. Returns 0 or
/// -errno.
int Namespaces_mapUser(uid_t user, gid_t group);
/// Forbids further user namespaces and watches of files in the caller's own user namespace, where the machine's /proc lets it.
void Namespaces_allowNoMore(void);
/// Enters the network namespace that extensions share, and before it the user namespace that owns it. Returns 0 or -errno.
int Namespaces_enterNetwork(int network, int owner);

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The steps of a process inside its own namespaces. After vfork: system calls only.
#pragma once

#include <sys/types.h>

/// Maps the user and the group to themselves, in the caller's own user namespace; no other user exists there. Returns 0 or
/// -errno.
int Namespaces_mapUser(uid_t user, gid_t group);
/// Forbids further user namespaces and file watches in the caller's own user namespace, if the machine's /proc allows that.
void Namespaces_allowNoMore(void);
/// Enters the user namespace that owns the extensions' shared network namespace, and then the network. Returns 0 or -errno.
int Namespaces_enterNetwork(int network, int owner);

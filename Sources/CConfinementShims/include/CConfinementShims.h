// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What is done to a process between its birth and its program, so that nothing of the program runs unconfined.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A file or folder that the process finds in the root of its own, at the path that it has outside.
struct CConfinementShims_Bind {
  /// Absolute, without links in it.
  const char *path;
  int isFolder;
  int isWritable;
  /// A device: it stays one, where everything else loses that.
  int isDevice;
};

/// A symbolic link in the root of its own.
struct CConfinementShims_Link {
  const char *path;
  const char *target;
};

struct CConfinementShims_Limit {
  int resource;
  uint64_t soft;
  uint64_t hard;
};

/// How far a process gets. Which parts there are at all, the caller has found out before.
struct CConfinementShims_Confinement {
  /// CLONE_NEWUSER and its like; 0 for none.
  int namespaces;
  /// Instead of CLONE_NEWNET: a network namespace that others are in too, and the user namespace that it belongs to; -1 for none.
  int network;
  int networkOwner;
  /// The program that is the first process of the PID namespace, or else one of the process's group, and what tells it to end:
  /// a pipe that hangs up. -1 for none, which a PID namespace cannot do without.
  int keeper;
  int keeperLifeline;
  /// With a mount namespace: what the new root holds.
  const struct CConfinementShims_Bind *binds;
  size_t bindCount;
  const struct CConfinementShims_Link *links;
  size_t linkCount;
  /// Bytes of the private /tmp; 0 for none.
  uint64_t temporaryByteCount;
  /// Whether the new root has a /proc, which shows the processes of the PID namespace alone.
  int hasProcesses;
  /// Of Landlock, or -1; paths that only the new root has are added to it.
  int ruleset;
  int rulesetVersion;
  /// 0: none, 1: what strict units may call, 2: what standard ones may.
  int systemCalls;
  const struct CConfinementShims_Limit *limits;
  size_t limitCount;
};

/// What has become of it.
struct CConfinementShims_Confined {
  pid_t process;
  /// Whoever ends it when this process has gone, or 0.
  pid_t keeper;
  /// Whether there is a /proc; a kernel may refuse one in a container that hides part of its own.
  int hasProcesses;
  /// The step that failed, as in "mount its temporary folder"; NULL when none did.
  const char *failedStep;
};

/// Starts `path` as `CConfinementShims_spawn` does, and confined. `lent` becomes descriptor 4, if it is not negative. 0 or -errno.
int CConfinementShims_spawnConfined(const char *path, char *const arguments[], char *const environment[], int controlDescriptor,
                              int lentDescriptor, int isQuiet, const struct CConfinementShims_Confinement *confinement,
                              struct CConfinementShims_Confined *result);

/// The newest Landlock that the kernel speaks, or 0.
int CConfinementShims_landlockVersion(void);
/// A ruleset that handles everything that version knows; the descriptor or -errno.
int CConfinementShims_landlockRuleset(int version);
/// What is allowed: reading, and writing, running or keeping files of one's own beside it.
enum CConfinementShims_Access {
  CConfinementShims_accessRead = 1,
  CConfinementShims_accessWrite = 2,
  CConfinementShims_accessRun = 4,
  CConfinementShims_accessKeep = 8,
};
/// Allows that to a file, or to a folder and what is below it. 0 or -errno.
int CConfinementShims_landlockAllow(int ruleset, int version, int descriptor, int access, int isFolder);
/// Binds the calling thread to the ruleset. 0 or -errno.
int CConfinementShims_landlockRestrict(int ruleset);

/// Whether the kernel takes seccomp filters.
int CConfinementShims_hasSystemCallFilters(void);

/// Tries in a child, which ends at once, whether namespaces can be had; 0 or -errno.
int CConfinementShims_tryNamespaces(int namespaces);

/// Makes a network namespace with nothing in it, and a user namespace that it belongs to, for processes that are confined to
/// enter before they get those `namespaces` to themselves: two descriptors. 0 or -errno, also where nobody may do that.
int CConfinementShims_makeNetwork(int namespaces, int *network, int *networkOwner);

extern const int CConfinementShims_userNamespace, CConfinementShims_mountNamespace, CConfinementShims_processNamespace,
    CConfinementShims_ipcNamespace, CConfinementShims_networkNamespace, CConfinementShims_nameNamespace;

/// Starts `path` with `controlDescriptor` as descriptor 3, `lentDescriptor` as 4 if it is not negative, and no others but
/// 0, 1 and 2; the pid or -errno. The child's signal mask and handlers are the default ones. 0 leads to /dev/null, and 1
/// where 2 leads: where this process's own 2 does, or to /dev/null when `isQuiet` is not zero.
pid_t CConfinementShims_spawn(const char *path, char *const arguments[], char *const environment[], int controlDescriptor,
                        int lentDescriptor, int isQuiet);

/// Makes this process the parent of its descendants whose parents end.
void CConfinementShims_adoptOrphans(void);

/// Removes everything in a folder, however deep: links themselves instead of what they lead to, and nothing of another file system that is mounted there.
void CConfinementShims_emptyFolder(int folder);

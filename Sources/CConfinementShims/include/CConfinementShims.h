// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Confines a process between its birth and its program, so that none of the program runs unconfined.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A file or folder that the process finds in its own root, at the path that it has outside.
struct CConfinementShims_Bind {
  /// Absolute, without links.
  const char *path;
  /// Which file it was when the host looked.
  uint64_t device;
  uint64_t inode;
  int isFolder;
  int isWritable;
  /// A device stays a device; everything else loses that.
  int isDevice;
};

/// A symbolic link in the process's own root.
struct CConfinementShims_Link {
  const char *path;
  const char *target;
};

/// A resource limit, as setrlimit takes it.
struct CConfinementShims_Limit {
  int resource;
  uint64_t soft;
  uint64_t hard;
};

/// What a process is confined to. The caller has found out before which parts the machine offers.
struct CConfinementShims_Confinement {
  /// Flags such as CLONE_NEWUSER; 0 for none.
  int namespaces;
  /// Instead of CLONE_NEWNET: a network namespace that is shared, and the user namespace that owns it; -1 for none.
  int network;
  int networkOwner;
  /// The keeper's program, and the pipe whose hang-up tells it to end; -1 for none. The keeper is the first process of the PID
  /// namespace, or else a member of the process's group. A PID namespace needs one.
  int keeper;
  int keeperLifeline;
  /// With a mount namespace: what the new root contains.
  const struct CConfinementShims_Bind *binds;
  size_t bindCount;
  const struct CConfinementShims_Link *links;
  size_t linkCount;
  /// Bytes of the private /tmp; 0 for none.
  uint64_t temporaryByteCount;
  /// Whether the new root has a /proc that shows the processes of the PID namespace alone.
  int hasProcesses;
  /// The Landlock ruleset, or -1. Paths that exist in the new root only are added to it.
  int ruleset;
  int rulesetVersion;
  /// 0: no filter. 1: what strict units may call. 2: what standard units may call.
  int systemCalls;
  const struct CConfinementShims_Limit *limits;
  size_t limitCount;
  /// The file that moves a process into its control group, open for writing; -1 for none.
  int groupEntrance;
};

/// The result of a confined start.
struct CConfinementShims_Confined {
  pid_t process;
  /// The process that ends `process` when this one has ended, or 0.
  pid_t keeper;
  /// Whether it has a /proc. A kernel may refuse one in a container that hides parts of its own.
  int hasProcesses;
  /// The step that failed, as in "make its temporary folder"; NULL when none did.
  const char *failedStep;
};

/// Starts `path` as `CConfinementShims_spawn` does, confined. Returns 0 or -errno.
int CConfinementShims_spawnConfined(const char *path, char *const arguments[], char *const environment[], int controlDescriptor,
                              int lentDescriptor, int output, const struct CConfinementShims_Confinement *confinement,
                              struct CConfinementShims_Confined *result);

/// The newest Landlock version that the kernel speaks, or 0.
int CConfinementShims_landlockVersion(void);
/// Makes a ruleset that handles everything that `version` knows. Returns its descriptor or -errno.
int CConfinementShims_landlockRuleset(int version);
/// What may be done with a file: read, write, or run it, or keep files in a folder (make, change and remove them).
enum CConfinementShims_Access {
  CConfinementShims_accessRead = 1,
  CConfinementShims_accessWrite = 2,
  CConfinementShims_accessRun = 4,
  CConfinementShims_accessKeep = 8,
};
/// Allows `access` to a file, or to a folder and everything below it. Returns 0 or -errno.
int CConfinementShims_landlockAllow(int ruleset, int version, int descriptor, int access, int isFolder);
/// Binds the calling thread to the ruleset. Returns 0 or -errno.
int CConfinementShims_landlockRestrict(int ruleset);

/// Whether the kernel takes seccomp filters.
int CConfinementShims_hasSystemCallFilters(void);

/// Tries in a child, which ends at once, whether these namespaces can be had. Returns 0 or -errno.
int CConfinementShims_tryNamespaces(int namespaces);

/// Makes an empty network namespace and the user namespace that owns it. A confined process enters them before it gets the other
/// `namespaces` to itself. Returns two descriptors, and 0 or -errno, also where entering them is forbidden.
int CConfinementShims_makeNetwork(int namespaces, int *network, int *networkOwner);

extern const int CConfinementShims_userNamespace, CConfinementShims_mountNamespace, CConfinementShims_processNamespace,
    CConfinementShims_ipcNamespace, CConfinementShims_networkNamespace, CConfinementShims_nameNamespace;

/// Starts `path` unconfined. `controlDescriptor` becomes descriptor 3, `lentDescriptor` becomes 4 if it is not negative, and only
/// 0, 1 and 2 are open besides. 0 is /dev/null. 1 and 2 become `output`, or /dev/null if that is negative. The child's signal mask and handlers are the default ones. Returns the pid or -errno.
pid_t CConfinementShims_spawn(const char *path, char *const arguments[], char *const environment[], int controlDescriptor,
                        int lentDescriptor, int output);

/// Makes this process the parent of its descendants whose own parents end.
void CConfinementShims_adoptOrphans(void);

/// Removes everything in a folder, however deep. Links are removed, not their targets. Other file systems mounted there stay.
void CConfinementShims_emptyFolder(int folder);

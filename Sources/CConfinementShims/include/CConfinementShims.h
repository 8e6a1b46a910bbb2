// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Confines a process between its birth and its program, so that the whole program runs confined.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The most files and folders of a process's own root: each takes a descriptor for a moment.
enum { CConfinementShims_maximumBindCount = 1024 };

/// A file or folder in the process's own root, at the same path as outside.
struct CConfinementShims_Bind {
  /// Absolute, without links.
  const char *path;
  /// The identity of the file when the host looked.
  uint64_t device;
  uint64_t inode;
  /// The last change to the file's inode when the host read it; checked only if `isHeld`.
  int64_t changeSeconds;
  uint32_t changeNanoseconds;
  int isHeld;
  /// True for an entry beside held code: it is left out if it goes, or if another file takes its name.
  int isOptional;
  int isFolder;
  int isWritable;
  /// True if devices in it can be used; elsewhere they cannot.
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

/// The confinement of a process. The caller has found out which parts the machine supports.
struct CConfinementShims_Confinement {
  /// Flags such as CLONE_NEWUSER; 0 for none.
  int namespaces;
  /// Replaces CLONE_NEWNET: a shared network namespace, and the user namespace that owns it; -1 for none.
  int network;
  int networkOwner;
  /// The keeper's program, and the pipe whose hang-up tells the keeper to end; -1 for none. The keeper is the first process of
  /// the PID namespace, or otherwise a member of the process's group. A PID namespace needs a keeper.
  int keeper;
  int keeperLifeline;
  /// The contents of the new root, in a mount namespace.
  const struct CConfinementShims_Bind *binds;
  size_t bindCount;
  const struct CConfinementShims_Link *links;
  size_t linkCount;
  /// Folders of the new root alone, whose entries are binds and links; the process may list them.
  const char *const *folders;
  size_t folderCount;
  /// Bytes of the private /tmp; 0 for none.
  uint64_t temporaryByteCount;
  /// True if the new root has a /proc that shows only the processes of the PID namespace.
  int hasProcesses;
  /// The Landlock ruleset, or -1. Paths that exist only in the new root are added to it.
  int ruleset;
  int rulesetVersion;
  /// The filter: 0 for none, 1 for the calls of strict units, 2 for the calls of standard units.
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
  /// True if the process has a /proc. A kernel may refuse one in a container that hides parts of its own /proc.
  int hasProcesses;
  /// The step that failed, such as "make its temporary folder"; NULL on success.
  const char *failedStep;
};

/// Starts `path` as `CConfinementShims_spawn` does, confined. Returns 0 or -errno.
int CConfinementShims_spawnConfined(const char *path, char *const arguments[], char *const environment[], int controlDescriptor,
                              int lentDescriptor, int output, const struct CConfinementShims_Confinement *confinement,
                              struct CConfinementShims_Confined *result);

/// The newest Landlock version that the kernel supports, or 0.
int CConfinementShims_landlockVersion(void);
/// Makes a ruleset that handles all rights of `version`. Returns its descriptor or -errno.
int CConfinementShims_landlockRuleset(int version);
/// The access to a file: read, write, or run it, or keep files in a folder (make, change and remove them).
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

/// True if the kernel accepts seccomp filters.
int CConfinementShims_hasSystemCallFilters(void);

/// Tries in a child, which ends at once, whether these namespaces are available. Returns 0 or -errno.
int CConfinementShims_tryNamespaces(int namespaces);

/// Makes an empty network namespace and the user namespace that owns it. A confined process enters them before it gets its own
/// `namespaces`. Returns 0 and two descriptors, or -errno, also if entry is forbidden.
int CConfinementShims_makeNetwork(int namespaces, int *network, int *networkOwner);

extern const int CConfinementShims_userNamespace, CConfinementShims_mountNamespace, CConfinementShims_processNamespace,
    CConfinementShims_ipcNamespace, CConfinementShims_networkNamespace, CConfinementShims_nameNamespace;

/// Starts `path` unconfined. `controlDescriptor` becomes descriptor 3, and `lentDescriptor` becomes 4 if it is not negative.
/// Besides, only 0, 1 and 2 are open: 0 is /dev/null, and 1 and 2 become `output`, or /dev/null if that is negative. The child
/// has the default signal mask and handlers. Returns the pid or -errno.
pid_t CConfinementShims_spawn(const char *path, char *const arguments[], char *const environment[], int controlDescriptor,
                        int lentDescriptor, int output);

/// Makes this process the parent of its orphaned descendants.
void CConfinementShims_adoptOrphans(void);

/// Removes everything in a folder, at any depth. Links are removed, not their targets. File systems mounted there stay.
void CConfinementShims_emptyFolder(int folder);

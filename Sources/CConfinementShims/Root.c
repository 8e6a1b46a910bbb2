// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Builds a process's own root from parts of the machine's, each at its own path. After vfork: system calls only.
#define _GNU_SOURCE
#include "Root.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// <sys/mount.h> and <linux/mount.h> define the same names.
extern int mount(const char *source, const char *target, const char *type, unsigned long flags, const void *data);
extern int umount2(const char *target, int flags);
enum { detach = 2, readOnly = 1, noSetUser = 2, noDevices = 4, noPrograms = 8, remount = 32, bind = 4096, recursive = 16384 };
enum { privately = 1 << 18 };

/// The folder on which the new root is built. Parts below it are copied first.
static const char site[] = "/tmp";

static int orErrno(long result) { return result < 0 ? -errno : (int)result; }

static int sitePath(char *path, size_t capacity, const char *inRoot) {
  int length = snprintf(path, capacity, "%s%s", site, inRoot);
  return length > 0 && (size_t)length < capacity ? 0 : -ENAMETOOLONG;
}

/// Makes the folders above `path`. Folders that exist, perhaps read-only, stay as they are.
static int makeParents(char *path) {
  for (char *slash = path + sizeof site; (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    int result = mkdir(path, 0755);
    *slash = '/';
    if (result < 0 && errno != EEXIST && errno != EROFS) return -errno;
  }
  return 0;
}

/// Makes a file or folder to mount on. An existing one, in a part that is shown around it, is the machine's own and stays. A
/// file is not opened: a process born meanwhile would inherit the descriptor, and the root could not be made read-only then.
static int makeInParent(const char *path, int isFolder) {
  if (isFolder) return mkdir(path, 0755) < 0 && errno != EEXIST ? -errno : 0;
  return mknod(path, S_IFREG | 0600, 0) < 0 && errno != EEXIST && errno != EROFS ? -errno : 0;
}

/// Makes a mount point. Most have a parent already, made for an earlier part.
static int makePlace(char *path, int isFolder) {
  int result = makeInParent(path, isFolder);
  if (result != -ENOENT) return result;
  result = makeParents(path);
  return result < 0 ? result : makeInParent(path, isFolder);
}

/// True if a file is the one that the host looked at. A held file must not have changed since the host read it.
static int isSame(const struct CConfinementShims_Bind *part, const struct stat *status) {
  if (status->st_dev != part->device || status->st_ino != part->inode) return 0;
  if (!part->isHeld) return 1;
  return status->st_ctim.tv_sec == part->changeSeconds && (uint32_t)status->st_ctim.tv_nsec == part->changeNanoseconds;
}

/// The host read a held file at this path a moment ago. Without it there, the file has changed.
static int orStale(const struct CConfinementShims_Bind *part, int result) {
  return part->isHeld && result == -ENOENT ? -ESTALE : result;
}

/// Copies a part of the machine in the form in which this process may see it. Returns a descriptor of the mount, or -errno.
static int take(const struct CConfinementShims_Bind *part) {
  // The host's descriptor belongs to the host's mount namespace, and cannot be copied from here. So the path is opened again,
  // and must lead to the same file.
  int file = open(part->path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return orStale(part, -errno);
  struct stat status;
  int result = orErrno(fstat(file, &status));
  if (result >= 0 && !isSame(part, &status)) result = -ESTALE;
  const unsigned flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE | AT_NO_AUTOMOUNT | AT_EMPTY_PATH;
  int tree = result < 0 ? result : orStale(part, orErrno(syscall(SYS_open_tree, file, "", flags)));
  close(file);
  if (tree < 0) return tree;
  struct mount_attr attributes = {.attr_set = MOUNT_ATTR_NOSUID};
  if (!part->isWritable) attributes.attr_set |= MOUNT_ATTR_RDONLY;
  if (!part->isDevice) attributes.attr_set |= MOUNT_ATTR_NODEV;
  result = orErrno(syscall(SYS_mount_setattr, tree, "", (unsigned)(AT_EMPTY_PATH | AT_RECURSIVE), &attributes, sizeof attributes));
  if (result >= 0) return tree;
  close(tree);
  return result;
}

/// True if a part may be left out that could not be taken.
static int mayMiss(const struct CConfinementShims_Bind *part, int result) {
  return part->isOptional && (result == -ENOENT || result == -ESTALE);
}

static int show(const struct CConfinementShims_Bind *part, int tree) {
  char path[4352];
  int result = sitePath(path, sizeof path, part->path);
  if (result == 0) result = makePlace(path, part->isFolder);
  if (result < 0) return result;
  // A file whose last name has gone since it was taken cannot be mounted.
  return orStale(part, orErrno(syscall(SYS_move_mount, tree, "", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH)));
}

/// Makes a folder of the new root alone; it may exist, made for one of its entries.
static int makeFolder(const char *folder) {
  char path[4352];
  int result = sitePath(path, sizeof path, folder);
  return result < 0 ? result : makePlace(path, 1);
}

static int makeLink(const struct CConfinementShims_Link *link) {
  char path[4352];
  int result = sitePath(path, sizeof path, link->path);
  if (result == 0) result = makeParents(path);
  if (result < 0) return result;
  return symlink(link->target, path) < 0 && errno != EEXIST && errno != EROFS ? -errno : 0;
}

/// Mounts a folder in memory that only this mount namespace sees; it goes away with the namespace's last process.
static int makeTemporaryFolder(uint64_t byteCount) {
  char path[64], options[64];
  snprintf(path, sizeof path, "%s/tmp", site);
  snprintf(options, sizeof options, "mode=0700,size=%llu", (unsigned long long)byteCount);
  if (mkdir(path, 0700) < 0) return -errno;
  return orErrno(mount("tmpfs", path, "tmpfs", noSetUser | noDevices | noPrograms, options));
}

#define STEP(words, result) \
  do { \
    int outcome = (result); \
    if (outcome < 0) { \
      *failedStep = words; \
      return outcome; \
    } \
  } while (0)

/// `trees` has an entry for each part, initially -1. The caller closes the entries that are not -1 on return.
static int build(const struct CConfinementShims_Confinement *confinement, int *trees, const char **failedStep) {
  STEP("keep its mounts to itself", orErrno(mount(NULL, "/", NULL, recursive | privately, NULL)));
  // This comes before any mount on the site: the parts may contain it.
  for (size_t index = 0; index < confinement->bindCount; index++) {
    trees[index] = take(&confinement->binds[index]);
    if (mayMiss(&confinement->binds[index], trees[index])) continue;
    STEP(confinement->binds[index].path, trees[index]);
  }
  STEP("make its root folder", orErrno(mount("tmpfs", site, "tmpfs", noSetUser | noDevices, "mode=0755,size=1m")));
  if (confinement->temporaryByteCount > 0) {
    STEP("make its temporary folder", makeTemporaryFolder(confinement->temporaryByteCount));
  }
  for (size_t index = 0; index < confinement->bindCount; index++) {
    if (trees[index] < 0) continue;
    int result = show(&confinement->binds[index], trees[index]);
    // A file that has gone meanwhile cannot be mounted any more; its place stays empty.
    if (!mayMiss(&confinement->binds[index], result)) STEP(confinement->binds[index].path, result);
    close(trees[index]);
    trees[index] = -1;
  }
  for (size_t index = 0; index < confinement->folderCount; index++) {
    STEP(confinement->folders[index], makeFolder(confinement->folders[index]));
  }
  for (size_t index = 0; index < confinement->linkCount; index++) {
    STEP(confinement->links[index].path, makeLink(&confinement->links[index]));
  }
  char processes[64];
  snprintf(processes, sizeof processes, "%s/proc", site);
  if (confinement->hasProcesses) STEP("make its /proc", orErrno(mkdir(processes, 0555)));
  STEP("close its root folder", orErrno(mount(NULL, site, NULL, remount | bind | readOnly | noSetUser | noDevices, NULL)));
  return 0;
}

int Root_build(const struct CConfinementShims_Confinement *confinement, const char **failedStep) {
  int trees[CConfinementShims_maximumBindCount];
  STEP("find room for all that it may see", confinement->bindCount > CConfinementShims_maximumBindCount ? -E2BIG : 0);
  for (size_t index = 0; index < confinement->bindCount; index++) trees[index] = -1;
  int result = build(confinement, trees, failedStep);
  // The descriptors are shared with the host, so all must be closed.
  for (size_t index = 0; index < confinement->bindCount; index++) {
    if (trees[index] >= 0) close(trees[index]);
  }
  return result;
}

int Root_showProcesses(int mayShowMachine) {
  char path[64];
  snprintf(path, sizeof path, "%s/proc", site);
  const unsigned long flags = readOnly | noSetUser | noDevices | noPrograms;
  int result = orErrno(mount("proc", path, "proc", flags, "subset=pid"));
  // Kernels before 5.8 do not know the option.
  return result == -EINVAL && mayShowMachine ? orErrno(mount("proc", path, "proc", flags, NULL)) : result;
}

int Root_enter(void) {
  if (chdir(site) < 0) return -errno;
  // The old root lands on top of the new one and is unmounted there.
  if (syscall(SYS_pivot_root, ".", ".") < 0) return -errno;
  if (umount2(".", detach) < 0) return -errno;
  return orErrno(chdir("/"));
}

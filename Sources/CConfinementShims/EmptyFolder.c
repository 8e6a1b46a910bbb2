// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Empties a folder that a plug-in could write to, and touches nothing outside of it.
//
// It does not descend into folders: they may be nested deeper than the limits on descriptors, or on bytes in a path. It moves
// their contents up one level at a time, until only empty folders are left.
#define _GNU_SOURCE
#include "CConfinementShims.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// The most levels that are moved up: a plug-in that still runs may make new ones without end.
enum { maximumLevelCount = 1 << 20 };

/// A folder being emptied, its file system, and a counter for new names.
struct Emptied {
  int folder;
  dev_t device;
  unsigned long long number;
};

/// Opens a folder inside another one, after giving this user all rights to it. Returns -1 for a link or a failure.
static int openInner(const struct Emptied *emptied, int outer, const char *name) {
  int place = openat(outer, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (place < 0) return -1;
  struct stat status;
  int inner = -1;
  // Another file system mounted there does not belong to the plug-in.
  if (fstat(place, &status) == 0 && status.st_dev == emptied->device) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", place);
    chmod(path, 0700);
    inner = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }
  close(place);
  return inner;
}

static int isName(const struct dirent *entry) { return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0; }

/// Takes ownership of `folder`.
static DIR *entries(int folder) {
  DIR *list = folder < 0 ? NULL : fdopendir(folder);
  if (!list && folder >= 0) close(folder);
  return list;
}

/// Moves a folder inside another one into the folder being emptied, under a new name.
static void bringUp(struct Emptied *emptied, int outer, const char *name) {
  // Moving a folder changes its ".." entry, which needs the right to write to the folder itself.
  int inner = openInner(emptied, outer, name);
  if (inner < 0) return;
  close(inner);
  int result;
  do {
    char number[32];
    snprintf(number, sizeof number, "%llu", emptied->number++);
    result = renameat(outer, name, emptied->folder, number);
  } while (result < 0 && (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR));
}

/// Removes the entries of the first level. Returns the number of removed entries.
static int removeLevel(struct Emptied *emptied) {
  DIR *list = entries(openat(emptied->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  int count = 0;
  for (struct dirent *entry; list && (entry = readdir(list));) {
    if (!isName(entry)) continue;
    if (unlinkat(emptied->folder, entry->d_name, 0) == 0) {
      count++;
      continue;
    }
    DIR *inner = entries(openInner(emptied, emptied->folder, entry->d_name));
    for (struct dirent *nested; inner && (nested = readdir(inner));) {
      if (isName(nested) && unlinkat(dirfd(inner), nested->d_name, 0) < 0) bringUp(emptied, dirfd(inner), nested->d_name);
    }
    if (inner) closedir(inner);
    if (unlinkat(emptied->folder, entry->d_name, AT_REMOVEDIR) == 0) count++;
  }
  if (list) closedir(list);
  return count;
}

void CConfinementShims_emptyFolder(int folder) {
  struct stat status;
  if (fstat(folder, &status) < 0) return;
  struct Emptied emptied = {.folder = folder, .device = status.st_dev};
  for (int level = 0; level < maximumLevelCount && removeLevel(&emptied) > 0; level++) {
  }
}

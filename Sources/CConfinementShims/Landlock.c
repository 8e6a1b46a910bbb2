// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Landlock limits a process to the named files. It also bars ports, abstract sockets, and signals to processes outside.
//
// A distribution's headers are often older than its kernel, so the kernel's numbers are defined here.
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>

#include "CConfinementShims.h"
#include "SystemCallNumbers.h"


enum {
  execute = 1 << 0,
  writeFile = 1 << 1,
  readFile = 1 << 2,
  readFolder = 1 << 3,
  removeFolder = 1 << 4,
  removeFile = 1 << 5,
  makeDevice = 1 << 6 | 1 << 11,
  makeFolder = 1 << 7,
  makeFile = 1 << 8,
  makeSocketOrPipe = 1 << 9 | 1 << 10,
  makeLink = 1 << 12,
  moveBetweenFolders = 1 << 13,  // since version 2
  cutFile = 1 << 14,             // 3
  controlDevice = 1 << 15,       // 5
};

struct ruleset {
  uint64_t files;
  uint64_t network;  // 4: binding and connecting TCP ports
  uint64_t scoped;   // 6: abstract sockets and signals
};

struct __attribute__((packed)) rule {
  uint64_t allowed;
  int32_t folder;
};

static uint64_t knownFileRights(int version) {
  uint64_t rights = (1u << 13) - 1;
  if (version >= 2) rights |= moveBetweenFolders;
  if (version >= 3) rights |= cutFile;
  if (version >= 5) rights |= controlDevice;
  return rights;
}

int CConfinementShims_landlockVersion(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1u);
  return version > 0 ? (int)version : 0;
}

int CConfinementShims_landlockRuleset(int version) {
  struct ruleset handled = {.files = knownFileRights(version)};
  // An older kernel refuses a structure with unknown fields.
  size_t size = sizeof handled.files;
  if (version >= 4) {
    handled.network = 3;
    size += sizeof handled.network;
  }
  if (version >= 6) {
    handled.scoped = 3;
    size += sizeof handled.scoped;
  }
  long ruleset = syscall(SYS_landlock_create_ruleset, &handled, size, 0u);
  return ruleset < 0 ? -errno : (int)ruleset;
}

int CConfinementShims_landlockAllow(int ruleset, int version, int descriptor, int access, int isFolder) {
  uint64_t rights = 0;
  if (access & CConfinementShims_accessRead) rights |= readFile | readFolder;
  if (access & CConfinementShims_accessWrite) rights |= writeFile | cutFile;
  if (access & CConfinementShims_accessRun) rights |= execute;
  if (access & CConfinementShims_accessKeep) {
    rights |= readFile | readFolder | writeFile | cutFile | makeFolder | makeFile | makeLink | removeFolder | removeFile |
              moveBetweenFolders;
  }
  if (!isFolder) rights &= execute | readFile | writeFile | cutFile;
  struct rule rule = {rights & knownFileRights(version), descriptor};
  return syscall(SYS_landlock_add_rule, ruleset, 1u, &rule, 0u) < 0 ? -errno : 0;
}

int CConfinementShims_landlockRestrict(int ruleset) {
  return syscall(SYS_landlock_restrict_self, ruleset, 0u) < 0 ? -errno : 0;
}

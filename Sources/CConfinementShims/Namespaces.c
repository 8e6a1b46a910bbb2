// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Namespaces: the mapping of the user, the network that extensions share, and the trial of available namespaces.
#define _GNU_SOURCE
#include "Namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "CConfinementShims.h"
#include "Spawning.h"

const int CConfinementShims_userNamespace = CLONE_NEWUSER;
const int CConfinementShims_mountNamespace = CLONE_NEWNS;
const int CConfinementShims_processNamespace = CLONE_NEWPID;
const int CConfinementShims_ipcNamespace = CLONE_NEWIPC;
const int CConfinementShims_networkNamespace = CLONE_NEWNET;
const int CConfinementShims_nameNamespace = CLONE_NEWUTS;

static int writeText(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return -errno;
  ssize_t written = write(file, text, strlen(text));
  int result = written < 0 ? -errno : 0;
  close(file);
  return result;
}

int Namespaces_mapUser(uid_t user, gid_t group) {
  char users[64], groups[64];
  snprintf(users, sizeof users, "%u %u 1", user, user);
  snprintf(groups, sizeof groups, "%u %u 1", group, group);
  int result = writeText("/proc/self/setgroups", "deny");
  if (result < 0 && result != -ENOENT) return result;
  result = writeText("/proc/self/uid_map", users);
  return result < 0 ? result : writeText("/proc/self/gid_map", groups);
}

void Namespaces_allowNoMore(void) {
  writeText("/proc/sys/user/max_user_namespaces", "0");
  writeText("/proc/sys/user/max_inotify_instances", "0");
}

int Namespaces_enterNetwork(int network, int owner) {
  if (setns(owner, CLONE_NEWUSER) < 0 || setns(network, CLONE_NEWNET) < 0) return -errno;
  return 0;
}

/// The state that a process which tries out namespaces shares with this one.
struct Trial {
  uid_t user;
  gid_t group;
  int namespaces;
  int error;
  char stack[Spawning_stackByteCount] __attribute__((aligned(16)));
};

static int tryMounts(void *context) {
  struct Trial *trial = context;
  int namespaces = trial->namespaces;
  int result = namespaces & CLONE_NEWUSER ? Namespaces_mapUser(trial->user, trial->group) : 0;
  // Some systems create a namespace, but allow nothing in it.
  if (result >= 0 && namespaces & CLONE_NEWNS && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) result = -errno;
  if (result >= 0 && namespaces & CLONE_NEWPID && unshare(CLONE_NEWPID) < 0) result = -errno;
  trial->error = -result;
  return 0;
}

int CConfinementShims_tryNamespaces(int namespaces) {
  struct Trial *trial = Spawning_share(sizeof *trial);
  if (!trial) return -ENOMEM;
  trial->namespaces = namespaces;
  trial->user = geteuid();
  trial->group = getegid();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // The error stands until the child stores another result: if the host is filtered, the filter may end the child.
  trial->error = EPERM;
  pid_t child = Spawning_bear(tryMounts, trial->stack, namespaces & ~CLONE_NEWPID, trial);
  if (child < 0) trial->error = -child;
  Spawning_reap(child);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  int error = trial->error;
  Spawning_endSharing(trial, sizeof *trial);
  return -error;
}

/// The state that processes share with this one while they make and try a network, descriptors included.
struct Network {
  uid_t user;
  gid_t group;
  int network;
  int owner;
  int error;
  /// The namespaces of the process that enters the network.
  int namespaces;
  pid_t child;
  char stack[Spawning_stackByteCount] __attribute__((aligned(16)));
  char childStack[Spawning_stackByteCount] __attribute__((aligned(16)));
};

static int makeNetwork(void *context) {
  struct Network *network = context;
  int result = Namespaces_mapUser(network->user, network->group);
  if (result >= 0) {
    network->owner = open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);
    network->network = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    if (network->owner < 0 || network->network < 0) result = -errno;
  }
  network->error = -result;
  return 0;
}

static int tryUser(void *context) {
  struct Network *network = context;
  network->error = -Namespaces_mapUser(network->user, network->group);
  return 0;
}

/// Enters the network as a doorman does: some systems forbid a user namespace inside another.
static int tryNetwork(void *context) {
  struct Network *network = context;
  int result = Namespaces_enterNetwork(network->network, network->owner);
  if (result >= 0) {
    result = network->child = Spawning_bear(tryUser, network->childStack, network->namespaces | CLONE_PARENT, network);
  }
  if (result < 0) network->error = -result;
  return 0;
}

static int bearForNetwork(int (*body)(void *), int flags, struct Network *network) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // EPERM stands as in a trial.
  network->error = EPERM;
  pid_t child = Spawning_bear(body, network->stack, flags, network);
  Spawning_reap(child);
  Spawning_reap(network->child);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return child < 0 ? child : -network->error;
}

int CConfinementShims_makeNetwork(int namespaces, int *networkDescriptor, int *ownerDescriptor) {
  struct Network *network = Spawning_share(sizeof *network);
  if (!network) return -ENOMEM;
  network->user = geteuid();
  network->group = getegid();
  network->namespaces = namespaces;
  network->network = network->owner = -1;
  int result = bearForNetwork(makeNetwork, CLONE_NEWUSER | CLONE_NEWNET | CLONE_FILES, network);
  if (result >= 0) result = bearForNetwork(tryNetwork, 0, network);
  if (result < 0) {
    if (network->network >= 0) close(network->network);
    if (network->owner >= 0) close(network->owner);
  } else {
    *networkDescriptor = network->network;
    *ownerDescriptor = network->owner;
  }
  Spawning_endSharing(network, sizeof *network);
  return result;
}

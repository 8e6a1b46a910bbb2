// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Child processes without inherited state, through GNU calls that Swift's Glibc module leaves out. Control thread.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include "CPipeWireShims.h"

int CPipeWireShims_pipe(int *ends) { return pipe2(ends, O_CLOEXEC) < 0 ? errno : 0; }

static void redirect(posix_spawn_file_actions_t *actions, int input, const char *log) {
  if (input >= 0) posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO);
  else posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(
      actions, STDOUT_FILENO, log ? log : "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
}

/// Resets the signals. A host may block or ignore signals, but its child must not inherit that: SIGINT ends a recording.
static void cleanSignals(posix_spawnattr_t *attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &all);
}

int CPipeWireShims_spawn(
    int *child, int group, char *const *arguments, char *const *environment, int standardInput, const char *log) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  redirect(&actions, standardInput, log);
  cleanSignals(&attributes);
  posix_spawnattr_setpgroup(&attributes, group);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int code = posix_spawnp(child, arguments[0], &actions, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return code;
}

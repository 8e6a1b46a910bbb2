// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A process that tries to break out in the way that the test names, and answers with the result. Main thread.
//
// Descriptor 3 is its control socket. A question is "NAME PROCESS ADDRESS FOLDER SOCKET", the answer a number: 0 for an
// attempt that got through, or an errno. Descriptor 4 is memory that is passed for reading only.
#define _GNU_SOURCE
#include "BreakOut.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { control = 3 };

int outcome(long result) { return result < 0 ? errno : 0; }

static int atConstruction = -1;

// Runs before main does, as the constructors of a plug-in's library run before they could be confined.
__attribute__((constructor)) static void construct(void) { atConstruction = outcome(open("/etc/shadow", O_RDONLY)); }

static int readShadowAtConstruction(const struct target *target) {
  (void)target;
  return atConstruction;
}

static const struct attempt own[] = {{"constructor", readShadowAtConstruction}, {NULL, NULL}};

static int run(const char *name, const struct target *target) {
  const struct attempt *const groups[] = {own, fileAttempts, outputAttempts, processAttempts, kernelAttempts, quotaAttempts};
  for (size_t group = 0; group < sizeof groups / sizeof *groups; group++) {
    for (const struct attempt *row = groups[group]; row->name; row++) {
      if (strcmp(row->name, name) == 0) return row->attempt(target);
    }
  }
  return -1;
}

const char *ownPath;

int main(int count, char *arguments[]) {
  // An attempt has run this program once more.
  if (count > 1) return 42;
  ownPath = arguments[0];
  // A file that grows too long must be an error, not a signal.
  signal(SIGXFSZ, SIG_IGN);
  char question[8192], name[64], folder[4096], address[256], answer[32];
  while (1) {
    ssize_t received = recv(control, question, sizeof question - 1, 0);
    if (received <= 0) return 0;
    question[received] = 0;
    struct target target = {.folder = folder, .socket = address};
    if (sscanf(question, "%63s %d %p %4095s %255s", name, &target.process, &target.address, folder, address) != 5) return 2;
    int length = snprintf(answer, sizeof answer, "%d", run(name, &target));
    send(control, answer, (size_t)length, 0);
  }
}

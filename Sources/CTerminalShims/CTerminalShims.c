// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CTerminalShims.h"

#include <curses.h>
#include <term.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

bool CTerminalShims_load(const char *kind, int terminal) {
  int error = 0;
  return setupterm(kind, terminal, &error) == OK;
}

const char *CTerminalShims_text(const char *capability) {
  const char *text = tigetstr(capability);
  return text == (const char *)-1 ? NULL : text;
}

int CTerminalShims_number(const char *capability) { return tigetnum(capability); }

// This code runs in the forked child of a process with many threads: it may call only functions that are safe there.
static void guard(int terminal, const struct termios *former, const char *text, size_t count, int pipe) {
  // Signals to the terminal's processes must not reach this one.
  setsid();
  struct sigaction ignoring = {.sa_handler = SIG_IGN};
  for (int number = 1; number < NSIG; number++) sigaction(number, &ignoring, NULL);
  prctl(PR_SET_NAME, "terminal-guard");
  // No other process may wait for the end of a pipe that this process has inherited.
  dup2(terminal, 0);
  dup2(pipe, 1);
  close_range(2, ~0U, 0);
  char byte;
  ssize_t length;
  do length = read(1, &byte, 1);
  while (length < 0 && errno == EINTR);
  if (length == 1) _exit(0);
  tcflow(0, TCOON);
  tcsetattr(0, TCSANOW, former);
  for (int attempts = 0; count > 0 && attempts < 200; attempts++) {
    ssize_t written = write(0, text, count);
    if (written > 0) {
      text += written;
      count -= (size_t)written;
    } else {
      // The terminal accepts no bytes at the moment, or it is gone.
      if (errno != EAGAIN && errno != EINTR) _exit(1);
      usleep(10000);
    }
  }
  // Pending mouse reports must not reach the shell as input.
  tcflush(0, TCIFLUSH);
  _exit(0);
}

int CTerminalShims_guard(int terminal, const struct termios *former, const char *text, size_t count, int *process) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
  pid_t child = fork();
  if (child < 0) {
    int code = errno;
    close(ends[0]);
    close(ends[1]);
    return -code;
  }
  if (child == 0) {
    close(ends[1]);
    guard(terminal, former, text, count, ends[0]);
  }
  close(ends[0]);
  *process = child;
  return ends[1];
}

void CTerminalShims_dismiss(int descriptor, int process) {
  char byte = 0;
  while (write(descriptor, &byte, 1) < 0 && errno == EINTR) {
  }
  close(descriptor);
  while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
  }
}

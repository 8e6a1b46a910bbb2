// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Shows the window of an LV2 plug-in, and passes its values to the command that started it. Main thread.
//
// `bulkhead window` starts it: bulkhead-window PLUGIN-URI BUNDLE-FOLDER SAMPLE-RATE TITLE. Descriptor 3 is a socket. If the
// process is confined, descriptor 4 is a second one.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "Window.h"

enum { usageStatus = 2, argumentCount = 5 };

int main(int argc, char **argv) {
  if (argc != argumentCount || fcntl(channelDescriptor, F_GETFD) < 0) {
    fprintf(stderr, "\"%s\" shows a plug-in's window. Try: bulkhead window --help\n", argv[0]);
    return usageStatus;
  }
  // A window that hangs must not outlive its command. A confined process may not request that, but its keeper ends it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  fcntl(channelDescriptor, F_SETFD, FD_CLOEXEC);
  signal(SIGPIPE, SIG_IGN);
  Display_begin();
  struct Arguments arguments = {Bundle_read(argv[1], argv[2]), strtod(argv[3], NULL), argv[4]};
  switch (arguments.bundle.toolkit) {
    case toolkitX11: X11Window_run(&arguments); break;
    case toolkitGTK2: GTK2Window_run(&arguments); break;
    case toolkitOwn: OwnWindow_run(&arguments); break;
  }
  // This skips exit handlers: libraries of windows leave some that hang or crash.
  _exit(0);
}

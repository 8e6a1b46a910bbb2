// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The version of the loaded library, which may be newer than the headers of the build. Any thread.
#include <stdio.h>

#include "Private.h"

bool CPipeWireShims_isAtLeast(int major, int minor, int micro) {
  int loaded[3] = {0, 0, 0}, wanted[3] = {major, minor, micro};
  sscanf(pw_get_library_version(), "%d.%d.%d", &loaded[0], &loaded[1], &loaded[2]);
  for (int place = 0; place < 3; place++)
    if (loaded[place] != wanted[place]) return loaded[place] > wanted[place];
  return true;
}

/// PipeWire converts between packets and bytes from 1.3.81 on, the first candidate for 1.4.
bool CPipeWireShims_hasUniversalMIDI(void) { return CPipeWireShims_isAtLeast(1, 3, 81); }

/// Since 1.3.81, every client's data threads get real-time ranks, and a configuration for them alone is deprecated.
const char *CPipeWireShims_clientConfiguration(void) {
  return CPipeWireShims_isAtLeast(1, 3, 81) ? "client.conf" : "client-rt.conf";
}

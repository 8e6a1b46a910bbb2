// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The LADSPA plug-in interface, and its calls from a render thread.
//
// `ladspa.h` is a header without a library. Swift's `@_noLocks` accepts a C function only if it carries the attribute, and
// a call through a plug-in's table cannot. No promise is made for the plug-in's own code, and RealtimeSanitizer does not
// check it.
#pragma once

#include <ladspa.h>

#include "CRealtimeShims.h"

// Takes a copy of the library at `path`, with static variables of its own, and finds a plug-in in it. Returns NULL, and no
// library, if no copy can be loaded or the plug-in is missing. A process has at most 15 copies. Control threads.
const LADSPA_Descriptor *CLADSPA_takeCopy(const char *path, const char *label, void **library);
// Returns such a copy, for the next instance.
void CLADSPA_giveCopyBack(void *library);

#define CLADSPA_VOUCHED static inline __attribute__((always_inline, swift_attr("@_noLocks")))

CLADSPA_VOUCHED void CLADSPA_connect(const LADSPA_Descriptor *plugin, LADSPA_Handle instance, unsigned long port,
                                    float *data) {
  plugin->connect_port(instance, port, data);
}

CLADSPA_VOUCHED void CLADSPA_run(const LADSPA_Descriptor *plugin, LADSPA_Handle instance, unsigned long frameCount) {
  CRealtimeShims_enterForeignCode();
  plugin->run(instance, frameCount);
  CRealtimeShims_exitForeignCode();
}

CLADSPA_VOUCHED void CLADSPA_activate(const LADSPA_Descriptor *plugin, LADSPA_Handle instance) {
  CRealtimeShims_enterForeignCode();
  if (plugin->activate) plugin->activate(instance);
  CRealtimeShims_exitForeignCode();
}

CLADSPA_VOUCHED void CLADSPA_deactivate(const LADSPA_Descriptor *plugin, LADSPA_Handle instance) {
  CRealtimeShims_enterForeignCode();
  if (plugin->deactivate) plugin->deactivate(instance);
  CRealtimeShims_exitForeignCode();
}

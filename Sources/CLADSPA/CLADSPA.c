// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Loads a plug-in's library once more, apart from what is loaded already. Control thread.
#define _GNU_SOURCE
#include "CLADSPA.h"

#include <dlfcn.h>
#include <string.h>

const LADSPA_Descriptor *CLADSPA_openApart(const char *path, const char *label, void **library) {
  *library = dlmopen(LM_ID_NEWLM, path, RTLD_NOW);
  if (!*library) return NULL;
  LADSPA_Descriptor_Function describe = (LADSPA_Descriptor_Function)dlsym(*library, "ladspa_descriptor");
  for (unsigned long index = 0; describe && index < 1024; index++) {
    const LADSPA_Descriptor *plugin = describe(index);
    if (!plugin) break;
    if (plugin->Label && strcmp(plugin->Label, label) == 0) return plugin;
  }
  dlclose(*library);
  *library = NULL;
  return NULL;
}

void CLADSPA_close(void *library) { dlclose(library); }

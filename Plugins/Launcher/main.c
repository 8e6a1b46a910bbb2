// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Turns a plug-in's library into a process: loads the library beside it, and passes it the control socket. Main thread.
//
// It is C, so that the process holds one Swift runtime, the one inside the library. Every bundle has a copy under the unit's
// name: the executable "Gain" loads "libGain.so" from its own folder.
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "CPluginInterface.h"

enum { controlDescriptor = 3, usageStatus = 2 };

static const struct CPluginInterface_Table *load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "Couldn't load the plug-in's library: %s.\n", dlerror());
    return NULL;
  }
  const struct CPluginInterface_Table *(*plugin)(void);
  *(void **)&plugin = dlsym(library, "bulkhead_plugin");
  if (!plugin) fprintf(stderr, "Couldn't use \"%s\": it does not export \"bulkhead_plugin\".\n", path);
  return plugin ? plugin() : NULL;
}

int main(int argc, char **argv) {
  char folder[PATH_MAX], library[PATH_MAX + 64];
  (void)argc;
  // The kernel's own copy of the path: a confined process has no /proc from which to read it.
  const char *path = (const char *)getauxval(AT_EXECFN);
  if (!path || snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder) return 1;
  char *name = strrchr(folder, '/');
  if (!name) return 1;
  *name++ = 0;
  if (fcntl(controlDescriptor, F_GETFD) < 0) {
    fprintf(stderr, "\"%s\" is a Bulkhead extension. A host starts it; try: bulkhead info %s\n", argv[0], name);
    return usageStatus;
  }
  snprintf(library, sizeof library, "%s/lib%s.so", folder, name);
  const struct CPluginInterface_Table *table = load(library);
  if (!table) return 1;
  if (table->magic != CWireLayout_magic || table->minimumVersion > CPluginInterface_maximumVersion ||
      table->maximumVersion < CPluginInterface_minimumVersion) {
    fprintf(stderr, "Couldn't run \"%s\": it speaks interface %u to %u, this launcher %d to %d.\n", name,
            table->minimumVersion, table->maximumVersion, CPluginInterface_minimumVersion,
            CPluginInterface_maximumVersion);
    return 1;
  }
  return table->runExtension(controlDescriptor);
}

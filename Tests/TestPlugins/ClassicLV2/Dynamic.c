// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A library that writes the manifest of its own plug-in, for tests. The plug-in puts out three times its input.
#include <lv2/dynmanifest/dynmanifest.h>

#include "Honest.h"

static const char subjects[] =
    "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n"
    "<urn:bulkhead:test:dynamic> a lv2:Plugin .\n";

static const char description[] =
    "@prefix doap: <http://usefulinc.com/ns/doap#> .\n"
    "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n"
    "<urn:bulkhead:test:dynamic> a lv2:Plugin ; lv2:binary <dynamic.so> ; doap:name \"Dynamic\" ;\n"
    "    lv2:port [ a lv2:InputPort , lv2:AudioPort ; lv2:index 0 ; lv2:symbol \"in\" ; lv2:name \"In\" ] ,\n"
    "        [ a lv2:OutputPort , lv2:AudioPort ; lv2:index 1 ; lv2:symbol \"out\" ; lv2:name \"Out\" ] .\n";

LV2_SYMBOL_EXPORT int lv2_dyn_manifest_open(LV2_Dyn_Manifest_Handle *handle, const LV2_Feature *const *features) {
  (void)features;
  *handle = NULL;
  return 0;
}

LV2_SYMBOL_EXPORT int lv2_dyn_manifest_get_subjects(LV2_Dyn_Manifest_Handle handle, FILE *file) {
  (void)handle;
  return fputs(subjects, file) < 0;
}

LV2_SYMBOL_EXPORT int lv2_dyn_manifest_get_data(LV2_Dyn_Manifest_Handle handle, FILE *file, const char *uri) {
  (void)handle, (void)uri;
  return fputs(description, file) < 0;
}

LV2_SYMBOL_EXPORT void lv2_dyn_manifest_close(LV2_Dyn_Manifest_Handle handle) { (void)handle; }

static LV2_Handle make(const LV2_Descriptor *d, double rate, const char *bundle, const LV2_Feature *const *features) {
  (void)d, (void)rate, (void)bundle, (void)features;
  return calloc(2, sizeof(float *));
}

static void connectPort(LV2_Handle instance, uint32_t port, void *data) {
  if (port < 2) ((float **)instance)[port] = data;
}

static void run(LV2_Handle instance, uint32_t frameCount) {
  float **ports = instance;
  for (uint32_t frame = 0; frame < frameCount; frame++) ports[1][frame] = 3 * ports[0][frame];
}

static void clean(LV2_Handle instance) { free(instance); }

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  static const LV2_Descriptor dynamic = {PREFIX "dynamic", make, connectPort, NULL, run, NULL, clean, NULL};
  return index == 0 ? &dynamic : NULL;
}

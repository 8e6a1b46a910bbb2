// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The library of a window: it is loaded, makes its window, and hears of changes. Main thread.
#include <dlfcn.h>
#include <string.h>

#include "Window.h"

/// The most successive records, so that the window draws in between.
enum { mostRecords = 5000 };

static const void *extension(const struct Interface *interface, const char *uri) {
  return interface->descriptor->extension_data ? interface->descriptor->extension_data(uri) : NULL;
}

struct Interface Interface_open(const struct Bundle *bundle, const LV2_Feature *const *features) {
  struct Interface interface = {0};
  void *library = dlopen(bundle->library, RTLD_NOW | RTLD_LOCAL);
  if (!library) Channel_refuse("its library could not be loaded: %s", dlerror());
  LV2UI_DescriptorFunction describe;
  *(void **)&describe = dlsym(library, "lv2ui_descriptor");
  if (!describe) Channel_refuse("its library \"%s\" does not export lv2ui_descriptor", bundle->library);
  for (uint32_t i = 0; (interface.descriptor = describe(i)); i++) {
    if (strcmp(interface.descriptor->URI, bundle->uiURI) == 0) break;
  }
  if (!interface.descriptor) Channel_refuse("its library \"%s\" has no window \"%s\"", bundle->library, bundle->uiURI);
  interface.handle = interface.descriptor->instantiate(
      interface.descriptor, bundle->pluginURI, bundle->uiFolder, Features_write, (LV2UI_Controller)bundle, &interface.widget, features);
  if (!interface.handle) Channel_refuse("its library made no window, and did not say why");
  interface.idle = extension(&interface, LV2_UI__idleInterface);
  interface.show = extension(&interface, LV2_UI__showInterface);
  interface.resize = extension(&interface, LV2_UI__resize);
  return interface;
}

bool Interface_work(struct Interface *interface) {
  struct Record record;
  for (int i = 0; i < mostRecords && Channel_receive(&record); i++) {
    if (record.kind == kindAlive) Channel_send(kindAlive, record.port, 0);
    if (record.kind != kindValue || !interface->descriptor->port_event || !Bundle_isControl(record.port)) continue;
    float value = Bundle_portValue(record.port, record.value);
    interface->descriptor->port_event(interface->handle, record.port, sizeof value, 0, &value);
  }
  return !interface->idle || !interface->idle->idle || interface->idle->idle(interface->handle) == 0;
}

void Interface_close(struct Interface *interface) {
  // The library may crash while it cleans up, but the person has closed the window.
  Channel_send(kindClosed, 0, 0);
  if (interface->descriptor->cleanup) interface->descriptor->cleanup(interface->handle);
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A bundle's description of a plug-in's windows and ports. Main thread; ports are looked up on any thread.
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Window.h"

struct Port {
  char *symbol;
  bool isControl;
  /// The values of a choice among names, lowest first; none for other ports.
  float *choices;
  uint32_t choiceCount;
};

static LilvWorld *world;
static struct Port *ports;
static uint32_t portCount;

static LilvNode *uri(const char *text) { return lilv_new_uri(world, text); }

static int compare(const void *left, const void *right) {
  float a = *(const float *)left, b = *(const float *)right;
  return (a > b) - (a < b);
}

/// Reads the values of a choice among names, in the order of the bridge: lowest first, each once.
static void readChoices(const LilvPlugin *plugin, const LilvPort *from, struct Port *port) {
  LilvScalePoints *points = lilv_port_get_scale_points(plugin, from);
  port->choices = calloc(lilv_scale_points_size(points) + 1, sizeof(float));
  LILV_FOREACH(scale_points, place, points) {
    const LilvNode *value = lilv_scale_point_get_value(lilv_scale_points_get(points, place));
    if (!lilv_node_is_float(value) && !lilv_node_is_int(value)) continue;
    port->choices[port->choiceCount++] = lilv_node_as_float(value);
  }
  lilv_scale_points_free(points);
  qsort(port->choices, port->choiceCount, sizeof(float), compare);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < port->choiceCount; i++) {
    if (kept == 0 || port->choices[i] != port->choices[kept - 1]) port->choices[kept++] = port->choices[i];
  }
  port->choiceCount = kept;
}

static void readPorts(const LilvPlugin *plugin) {
  LilvNode *control = uri(LV2_CORE__ControlPort), *input = uri(LV2_CORE__InputPort), *choice = uri(LV2_CORE__enumeration);
  portCount = lilv_plugin_get_num_ports(plugin);
  ports = calloc(portCount + 1, sizeof *ports);
  for (uint32_t i = 0; i < portCount; i++) {
    const LilvPort *port = lilv_plugin_get_port_by_index(plugin, i);
    if (!port) continue;
    ports[i].symbol = strdup(lilv_node_as_string(lilv_port_get_symbol(plugin, port)));
    ports[i].isControl = lilv_port_is_a(plugin, port, control);
    bool isChoice = lilv_port_is_a(plugin, port, input) && lilv_port_has_property(plugin, port, choice);
    if (ports[i].isControl && isChoice) readChoices(plugin, port, &ports[i]);
  }
}

uint32_t Bundle_port(const char *symbol) {
  for (uint32_t i = 0; i < portCount; i++) {
    if (ports[i].symbol && strcmp(ports[i].symbol, symbol) == 0) return i;
  }
  return LV2UI_INVALID_PORT_INDEX;
}

bool Bundle_isControl(uint32_t port) { return port < portCount && ports[port].isControl; }

float Bundle_portValue(uint32_t port, double value) {
  if (port >= portCount || ports[port].choiceCount == 0) return (float)value;
  double last = ports[port].choiceCount - 1, index = fmin(fmax(value, 0), last);
  return ports[port].choices[(uint32_t)index];
}

double Bundle_parameterValue(uint32_t port, float value) {
  if (port >= portCount || ports[port].choiceCount == 0) return value;
  uint32_t nearest = 0;
  for (uint32_t i = 1; i < ports[port].choiceCount; i++) {
    if (fabsf(ports[port].choices[i] - value) < fabsf(ports[port].choices[nearest] - value)) nearest = i;
  }
  return nearest;
}

// MARK: - Windows

static bool states(const LilvNode *subject, const char *predicate, const char *object) {
  LilvNode *name = uri(predicate), *value = uri(object);
  bool isStated = lilv_world_ask(world, subject, name, value);
  lilv_node_free(name);
  lilv_node_free(value);
  return isStated;
}

static bool isOf(const LilvUI *ui, const char *class) {
  LilvNode *name = uri(class);
  bool isIt = lilv_ui_is_a(ui, name);
  lilv_node_free(name);
  return isIt;
}

/// Rates a window: a larger number is better, 0 means that it cannot be shown.
static int rank(const LilvUI *ui, enum Toolkit *toolkit) {
  if (isOf(ui, LV2_UI__X11UI)) return *toolkit = toolkitX11, 3;
  if (isOf(ui, LV2_UI__GtkUI)) return *toolkit = toolkitGTK2, 1;
  if (states(lilv_ui_get_uri(ui), LV2_CORE__extensionData, LV2_UI__showInterface)) return *toolkit = toolkitOwn, 2;
  return 0;
}

/// The toolkit of a window that cannot be shown, if it is a known one.
static const char *toolkitName(const LilvUI *ui) {
  if (isOf(ui, LV2_UI__Gtk3UI)) return "GTK 3";
  if (isOf(ui, LV2_UI__Qt4UI)) return "Qt 4";
  if (isOf(ui, LV2_UI__Qt5UI)) return "Qt 5";
  return NULL;
}

/// A required feature that is missing; NULL if there is none.
static const char *missingFeature(const LilvUI *ui) {
  LilvNode *required = uri(LV2_CORE__requiredFeature);
  LilvNodes *features = lilv_world_find_nodes(world, lilv_ui_get_uri(ui), required, NULL);
  const char *missing = NULL;
  LILV_FOREACH(nodes, place, features) {
    const char *feature = lilv_node_as_uri(lilv_nodes_get(features, place));
    if (feature && !missing && !Features_offer(feature)) missing = strdup(feature);
  }
  lilv_nodes_free(features);
  lilv_node_free(required);
  return missing;
}

/// Refuses a plug-in if none of its windows can be shown.
static _Noreturn void refuse(const LilvUI *lacking, const LilvUI *unknown) {
  const char *feature = lacking ? missingFeature(lacking) : NULL;
  if (feature && (strstr(feature, "instance-access") || strstr(feature, "data-access"))) {
    Channel_refuse("it reaches into the plug-in's memory, and the plug-in is in another process");
  }
  if (feature) Channel_refuse("it requires \"%s\", which Bulkhead does not offer", feature);
  const char *toolkit = unknown ? toolkitName(unknown) : NULL;
  if (toolkit) Channel_refuse("it is made with %s, which Bulkhead does not show", toolkit);
  if (unknown) Channel_refuse("it is of a kind that Bulkhead does not show");
  Channel_refuse("the plug-in brings none");
}

/// The file of the window's library, which must lie in the bundle: the user consented to that.
static const char *library(const LilvUI *ui, const char *folder) {
  char *path = lilv_node_get_path(lilv_ui_get_binary_uri(ui), NULL);
  char *real = path ? realpath(path, NULL) : NULL, *home = realpath(folder, NULL);
  if (!real || !home) Channel_refuse("its library \"%s\" is not there", path ? path : "");
  size_t length = strlen(home);
  if (strncmp(real, home, length) != 0 || real[length] != '/') {
    Channel_refuse("its library \"%s\" lies outside of the plug-in's folder, which is what you consented to", real);
  }
  return real;
}

struct Bundle Bundle_read(const char *pluginURI, const char *folder) {
  world = lilv_world_new();
  char *slashed = NULL;
  if (!world || asprintf(&slashed, "%s/", folder) < 0) Channel_refuse("there is no memory");
  LilvNode *bundle = lilv_new_file_uri(world, NULL, slashed), *wanted = uri(pluginURI);
  if (bundle) lilv_world_load_bundle(world, bundle);
  const LilvPlugin *plugin = wanted ? lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), wanted) : NULL;
  if (!plugin) Channel_refuse("\"%s\" describes no such plug-in", folder);
  readPorts(plugin);
  LilvUIs *windows = lilv_plugin_get_uis(plugin);
  const LilvUI *chosen = NULL, *lacking = NULL, *unknown = NULL;
  struct Bundle read = {.pluginURI = pluginURI, .uiFolder = slashed};
  int best = 0;
  LILV_FOREACH(uis, place, windows) {
    const LilvUI *ui = lilv_uis_get(windows, place);
    lilv_world_load_resource(world, lilv_ui_get_uri(ui));
    enum Toolkit toolkit = toolkitX11;
    int found = rank(ui, &toolkit);
    if (found == 0) unknown = ui;
    if (found <= best) continue;
    if (missingFeature(ui)) {
      lacking = ui;
      continue;
    }
    best = found;
    chosen = ui;
    read.toolkit = toolkit;
  }
  if (!chosen) refuse(lacking, unknown);
  const LilvNode *name = lilv_ui_get_uri(chosen);
  read.uiURI = lilv_node_as_uri(name);
  read.library = library(chosen, folder);
  const char *fixed[] = {LV2_UI__fixedSize, LV2_UI__noUserResize};
  for (int i = 0; i < 2; i++) {
    read.isFixedSize |= states(name, LV2_CORE__optionalFeature, fixed[i]) || states(name, LV2_CORE__requiredFeature, fixed[i]);
  }
  return read;
}

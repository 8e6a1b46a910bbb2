// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// liblrdf, loaded when it is first needed. Its header gives the types of its functions.
#include "CLRDF.h"

#include <dlfcn.h>
#include <lrdf.h>

static struct {
  __typeof__(&lrdf_init) init;
  __typeof__(&lrdf_read_file) read_file;
  __typeof__(&lrdf_one_match) one_match;
  __typeof__(&lrdf_get_scale_values) get_scale_values;
  __typeof__(&lrdf_get_default_uri) get_default_uri;
  __typeof__(&lrdf_get_setting_values) get_setting_values;
  __typeof__(&lrdf_free_setting_values) free_setting_values;
} lrdf;

const char *CLRDF_load(void) {
  if (lrdf.init) return NULL;
  void *library = dlopen("liblrdf.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
  const struct {
    const char *name;
    void *function;
  } symbols[] = {
      {"lrdf_read_file", &lrdf.read_file},
      {"lrdf_one_match", &lrdf.one_match},
      {"lrdf_get_scale_values", &lrdf.get_scale_values},
      {"lrdf_get_default_uri", &lrdf.get_default_uri},
      {"lrdf_get_setting_values", &lrdf.get_setting_values},
      {"lrdf_free_setting_values", &lrdf.free_setting_values},
      {"lrdf_init", &lrdf.init},
  };
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    void *symbol = dlsym(library, symbols[i].name);
    if (!symbol) return dlerror();
    memcpy(symbols[i].function, &symbol, sizeof symbol);
  }
  lrdf.init();
  return NULL;
}

bool CLRDF_read(const char *uri) { return lrdf.read_file(uri) == 0; }

const char *CLRDF_object(const char *subject, const char *predicate) {
  lrdf_statement pattern = {.subject = (char *)subject, .predicate = (char *)predicate};
  const lrdf_statement *match = lrdf.one_match(&pattern);
  return match ? match->object : NULL;
}

/// Copies the values and frees the memory that held them.
static size_t taken(lrdf_defaults *found, CLRDF_PortValue *values, size_t capacity) {
  if (!found) return 0;
  size_t count = found->items ? found->count : 0;
  for (size_t i = 0; i < count && i < capacity; i++)
    values[i] = (CLRDF_PortValue){found->items[i].pid, found->items[i].value, found->items[i].label};
  lrdf.free_setting_values(found);
  return count;
}

size_t CLRDF_scalePoints(unsigned long plugin, unsigned long port, CLRDF_PortValue *points, size_t capacity) {
  return taken(lrdf.get_scale_values(plugin, port), points, capacity);
}

size_t CLRDF_defaults(unsigned long plugin, CLRDF_PortValue *values, size_t capacity) {
  char *setting = lrdf.get_default_uri(plugin);
  return setting ? taken(lrdf.get_setting_values(setting), values, capacity) : 0;
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LADSPA libraries that break the rules, one way for each macro. For tests.
#include <ladspa.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef WITHOUT_ENTRY
static LADSPA_Handle instantiate(const LADSPA_Descriptor *plugin, unsigned long rate) {
  (void)plugin, (void)rate;
  return NULL;
}
static void connectPort(LADSPA_Handle unit, unsigned long port, LADSPA_Data *data) { (void)unit, (void)port, (void)data; }
static void run(LADSPA_Handle unit, unsigned long count) { (void)unit, (void)count; }

static LADSPA_Descriptor described(char *label) {
  return (LADSPA_Descriptor){.UniqueID = 1, .Label = label, .Name = "Broken", .instantiate = instantiate,
                             .connect_port = connectPort, .run = run};
}

const LADSPA_Descriptor *ladspa_descriptor(unsigned long index) {
  static LADSPA_Descriptor plugin;
  (void)index, (void)plugin, (void)described;
#if defined(CRASHES)
  abort();
#elif defined(HANGS)
  for (;;) pause();
#elif defined(GARBAGE)
  return index == 0 ? (const LADSPA_Descriptor *)0x1234567 : NULL;
#elif defined(TEN_THOUSAND)
  static char label[32];
  snprintf(label, sizeof label, "p%lu", index);
  plugin = described(label);
  return index < 10000 ? &plugin : NULL;
#elif defined(NO_PORTS_DESCRIBED)
  plugin = described("portless");
  plugin.PortCount = 3;
  return index == 0 ? &plugin : NULL;
#elif defined(COUNTLESS_PORTS)
  plugin = described("countless");
  plugin.PortCount = ~0ul;
  return index == 0 ? &plugin : NULL;
#elif defined(NO_RUN)
  plugin = described("idle");
  plugin.run = NULL;
  return index == 0 ? &plugin : NULL;
#elif defined(NO_INSTANCE)
  plugin = described("never");
  return index == 0 ? &plugin : NULL;
#else
  return NULL;
#endif
}
#else
int nothingOfThatName;
#endif

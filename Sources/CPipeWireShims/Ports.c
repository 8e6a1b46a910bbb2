// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The node's ports, with the usual names of channels. Control thread.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Private.h"

/// Copies the word at `index` of words separated by spaces; false if there are not so many.
static bool copyWord(const char *words, uint32_t index, char *word, size_t size) {
  while (words && index > 0) {
    words = strchr(words, ' ');
    if (words) words++;
    index--;
  }
  if (!words || !*words) return false;
  snprintf(word, size, "%.*s", (int)strcspn(words, " "), words);
  return true;
}

/// Names up to eight channels in the usual order, unless `names` has others. Larger and odd counts get AUX0, AUX1, ...
void CPipeWireShims_nameChannel(const char *names, uint32_t index, uint32_t count, char *name, size_t size) {
  if (copyWord(names, index, name, size)) return;
  static const char *const quad[] = {"FL", "FR", "RL", "RR"};
  static const char *const surround[] = {"FL", "FR", "FC", "LFE", "RL", "RR", "SL", "SR"};
  const char *known = NULL;
  if (count == 1) known = "MONO";
  else if (count == 2 || count == 4) known = quad[index];
  else if (count == 6 || count == 8) known = surround[index];
  if (known) snprintf(name, size, "%s", known);
  else snprintf(name, size, "AUX%u", index);
}

static bool addPort(
    CPipeWireShims_Node *node, const CPipeWireShims_Configuration *configuration, enum pw_direction direction,
    uint32_t index) {
  bool isInput = direction == PW_DIRECTION_INPUT, isFurther = isInput && index >= node->mainInputCount;
  uint32_t count = isInput ? node->mainInputCount : node->portCount[direction], place = index - node->mainInputCount;
  char usual[16];
  CPipeWireShims_nameChannel(configuration->channelNames[direction], index, count, usual, sizeof usual);
  struct pw_properties *properties = pw_properties_new(
      PW_KEY_FORMAT_DSP, "32 bit float mono audio", PW_KEY_AUDIO_CHANNEL,
      isFurther ? configuration->furtherPortChannels[place] : usual, NULL);
  if (isFurther) pw_properties_set(properties, PW_KEY_PORT_NAME, configuration->furtherPortNames[place]);
  else pw_properties_setf(properties, PW_KEY_PORT_NAME, "%s_%s", isInput ? "input" : "output", usual);
  Port *port = &node->ports[direction][index];
  // PipeWire owns the port's user data, which holds a pointer to our port.
  Port **handle = pw_filter_add_port(
      node->filter, direction, PW_FILTER_PORT_FLAG_MAP_BUFFERS, sizeof *handle, properties, NULL, 0);
  port->scratch = aligned_alloc(64, maximumFrameCount * sizeof(float));
  if (!handle || !port->scratch) return false;
  *handle = port;
  port->handle = handle;
  memset(port->scratch, 0, maximumFrameCount * sizeof(float));
  port->latency[0] = (struct spa_latency_info){.direction = SPA_DIRECTION_INPUT};
  port->latency[1] = (struct spa_latency_info){.direction = SPA_DIRECTION_OUTPUT};
  return true;
}

static void *addMIDIPort(CPipeWireShims_Node *node, enum pw_direction direction, const char *name) {
  struct pw_properties *properties =
      pw_properties_new(PW_KEY_FORMAT_DSP, "8 bit raw midi", PW_KEY_PORT_NAME, name, NULL);
  Port **handle =
      pw_filter_add_port(node->filter, direction, PW_FILTER_PORT_FLAG_MAP_BUFFERS, sizeof *handle, properties, NULL, 0);
  if (handle) *handle = NULL;
  return handle;
}

static bool addMIDIPorts(CPipeWireShims_Node *node, const CPipeWireShims_Configuration *configuration) {
  uint32_t count = SPA_MIN(configuration->midiPortCount, (uint32_t)CPipeWireShims_midiPortCapacity);
  for (; node->midiPortCount < count; node->midiPortCount++) {
    void *port = addMIDIPort(node, PW_DIRECTION_INPUT, configuration->midiPortNames[node->midiPortCount]);
    if (!port) return false;
    node->midiPorts[node->midiPortCount] = port;
  }
  if (!configuration->midiOutputName) return true;
  node->midiOutput.port = addMIDIPort(node, PW_DIRECTION_OUTPUT, configuration->midiOutputName);
  return node->midiOutput.port;
}

bool CPipeWireShims_addPorts(CPipeWireShims_Node *node, const CPipeWireShims_Configuration *configuration) {
  for (uint32_t direction = 0; direction < 2; direction++)
    for (uint32_t index = 0; index < node->portCount[direction]; index++)
      if (!addPort(node, configuration, (enum pw_direction)direction, index)) return false;
  return addMIDIPorts(node, configuration);
}

void CPipeWireShims_freePorts(CPipeWireShims_Node *node) {
  for (uint32_t direction = 0; direction < 2; direction++)
    for (uint32_t index = 0; index < maximumChannelCount; index++) free(node->ports[direction][index].scratch);
}

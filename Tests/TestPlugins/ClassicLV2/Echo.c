// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An LV2 plug-in that sends back its MIDI input, and shows the song position that it was sent. For tests.
#include "Honest.h"

#include <lv2/midi/midi.h>
#include <lv2/time/time.h>

typedef struct {
  const LV2_Atom_Sequence *in;
  LV2_Atom_Sequence *out;
  float *beatsPerMinute, *barBeat, *speed, *count;
  LV2_URID midi, sequence, position, bpmKey, barBeatKey, speedKey;
  float positionCount;
} Echo;

static LV2_Handle make(const LV2_Descriptor *d, double rate, const char *bundle, const LV2_Feature *const *features) {
  (void)d, (void)rate, (void)bundle;
  Echo *self = calloc(1, sizeof(Echo));
  self->midi = number(features, LV2_MIDI__MidiEvent);
  self->sequence = number(features, LV2_ATOM__Sequence);
  self->position = number(features, LV2_TIME__Position);
  self->bpmKey = number(features, LV2_TIME__beatsPerMinute);
  self->barBeatKey = number(features, LV2_TIME__barBeat);
  self->speedKey = number(features, LV2_TIME__speed);
  return self;
}

static void connectPort(LV2_Handle instance, uint32_t port, void *data) {
  Echo *self = instance;
  if (port == 0) self->in = data;
  if (port == 1) self->out = data;
  if (port == 2) self->beatsPerMinute = data;
  if (port == 3) self->barBeat = data;
  if (port == 4) self->speed = data;
  if (port == 5) self->count = data;
}

static void learn(Echo *self, const LV2_Atom_Object *object) {
  const LV2_Atom *bpm = NULL, *barBeat = NULL, *speed = NULL;
  lv2_atom_object_get(object, self->bpmKey, &bpm, self->barBeatKey, &barBeat, self->speedKey, &speed, 0);
  if (bpm) *self->beatsPerMinute = ((const LV2_Atom_Float *)bpm)->body;
  if (barBeat) *self->barBeat = ((const LV2_Atom_Float *)barBeat)->body;
  if (speed) *self->speed = ((const LV2_Atom_Float *)speed)->body;
  *self->count = ++self->positionCount;
}

static void run(LV2_Handle instance, uint32_t frameCount) {
  Echo *self = instance;
  (void)frameCount;
  uint32_t capacity = self->out->atom.size;
  lv2_atom_sequence_clear(self->out);
  self->out->atom.type = self->sequence;
  LV2_ATOM_SEQUENCE_FOREACH(self->in, event) {
    if (event->body.type == self->midi) {
      lv2_atom_sequence_append_event(self->out, capacity, event);
    } else if (((const LV2_Atom_Object *)&event->body)->body.otype == self->position) {
      learn(self, (const LV2_Atom_Object *)&event->body);
    }
  }
}

static void clean(LV2_Handle instance) { free(instance); }

const LV2_Descriptor echo = {PREFIX "echo", make, connectPort, NULL, run, NULL, clean, NULL};

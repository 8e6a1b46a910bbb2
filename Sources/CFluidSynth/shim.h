// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// FluidSynth for render threads. A synthesizer allocates when it is made and when a bank is added. After that, these functions
// only compute on existing memory, so a render thread may call them. The synthesizer must have been made with
// "synth.threadsafe-api" and "synth.dynamic-sample-loading" off, and one thread at a time must use it.
//
// FluidSynth logs its failures. Callers silence the log with `CFluidSynth_silenceLog`.
#include <fluidsynth.h>
#include <stddef.h>

#include "SampleBank.h"

#define CFLUIDSYNTH_VOUCHED static inline __attribute__((swift_attr("@_noLocks")))

/// `[control]` Silences FluidSynth's log in this process.
static inline void CFluidSynth_silenceLog(void) {
  for (int level = FLUID_PANIC; level < LAST_LOG_LEVEL; level++) fluid_set_log_function(level, NULL, NULL);
}

/// Renders the next frames into two channels, as many as a block of FluidSynth has.
CFLUIDSYNTH_VOUCHED void CFluidSynth_render(fluid_synth_t *synth, float *left, float *right, int frames) {
  fluid_synth_write_float(synth, frames, left, 0, 1, right, 0, 1);
}
/// The number of voices that sound.
CFLUIDSYNTH_VOUCHED int CFluidSynth_voiceCount(fluid_synth_t *synth) { return fluid_synth_get_active_voice_count(synth); }

/// The most voices of a synthesizer that are examined.
#define CFLUIDSYNTH_VOICES 64

/// The number of the newest sounding note of a channel and key, counted from 1; 0 for none.
CFLUIDSYNTH_VOUCHED unsigned CFluidSynth_newestNote(fluid_synth_t *synth, int channel, int key) {
  fluid_voice_t *voices[CFLUIDSYNTH_VOICES] = {NULL};
  fluid_synth_get_voicelist(synth, voices, CFLUIDSYNTH_VOICES, -1);
  unsigned newest = 0;
  for (int i = 0; i < CFLUIDSYNTH_VOICES && voices[i]; i++) {
    if (fluid_voice_get_channel(voices[i]) != channel || fluid_voice_get_key(voices[i]) != key) continue;
    if (fluid_voice_get_id(voices[i]) + 1 > newest) newest = fluid_voice_get_id(voices[i]) + 1;
  }
  return newest;
}
/// Starts a note, and returns its number, counted from 1; 0 if the channel has no preset, or the preset no sound for the key.
CFLUIDSYNTH_VOUCHED unsigned CFluidSynth_startNote(fluid_synth_t *synth, int channel, int key, int velocity) {
  unsigned before = CFluidSynth_newestNote(synth, channel, key);
  if (fluid_synth_noteon(synth, channel, key, velocity) != FLUID_OK) return 0;
  unsigned now = CFluidSynth_newestNote(synth, channel, key);
  return now > before ? now : 0;
}
/// Moves the pitch of a note, by its number, by cents; 0 if it no longer sounds.
CFLUIDSYNTH_VOUCHED int CFluidSynth_shiftNote(fluid_synth_t *synth, unsigned number, float cents) {
  fluid_voice_t *voices[CFLUIDSYNTH_VOICES] = {NULL};
  if (number == 0) return 0;
  fluid_synth_get_voicelist(synth, voices, CFLUIDSYNTH_VOICES, (int)(number - 1));
  for (int i = 0; i < CFLUIDSYNTH_VOICES && voices[i]; i++) {
    fluid_voice_gen_incr(voices[i], GEN_FINETUNE, cents);
    fluid_voice_update_param(voices[i], GEN_FINETUNE);
  }
  return voices[0] != NULL;
}
CFLUIDSYNTH_VOUCHED void CFluidSynth_stopNote(fluid_synth_t *synth, int channel, int key) {
  fluid_synth_noteoff(synth, channel, key);
}
CFLUIDSYNTH_VOUCHED void CFluidSynth_control(fluid_synth_t *synth, int channel, int controller, int value) {
  fluid_synth_cc(synth, channel, controller, value);
}
/// Bends the pitch; 8192 is the middle.
CFLUIDSYNTH_VOUCHED void CFluidSynth_bend(fluid_synth_t *synth, int channel, int value) {
  fluid_synth_pitch_bend(synth, channel, value);
}
CFLUIDSYNTH_VOUCHED void CFluidSynth_press(fluid_synth_t *synth, int channel, int value) {
  fluid_synth_channel_pressure(synth, channel, value);
}
CFLUIDSYNTH_VOUCHED void CFluidSynth_pressKey(fluid_synth_t *synth, int channel, int key, int value) {
  fluid_synth_key_pressure(synth, channel, key, value);
}
/// Ends the sound of all channels, and forgets all controllers.
CFLUIDSYNTH_VOUCHED void CFluidSynth_reset(fluid_synth_t *synth) { fluid_synth_system_reset(synth); }
/// Ends the sound of all channels.
CFLUIDSYNTH_VOUCHED void CFluidSynth_endSound(fluid_synth_t *synth) { fluid_synth_all_sounds_off(synth, -1); }

/// Tunes a channel, in cents.
CFLUIDSYNTH_VOUCHED void CFluidSynth_tune(fluid_synth_t *synth, int channel, float cents) {
  fluid_synth_set_gen(synth, channel, GEN_FINETUNE, cents);
}
/// True if a bank has a preset.
CFLUIDSYNTH_VOUCHED int CFluidSynth_hasPreset(fluid_sfont_t *bank, int number, int program) {
  return fluid_sfont_get_preset(bank, number, program) != NULL;
}
/// Gives a channel a preset of the synthesizer's only bank.
CFLUIDSYNTH_VOUCHED void CFluidSynth_select(fluid_synth_t *synth, fluid_sfont_t *bank, int channel, int number, int program) {
  fluid_synth_program_select(synth, channel, fluid_sfont_get_id(bank), number, program);
}
/// Removes a channel's preset.
CFLUIDSYNTH_VOUCHED void CFluidSynth_deselect(fluid_synth_t *synth, int channel) { fluid_synth_unset_program(synth, channel); }

/// The exclusive class of the newest note of a channel and key; 0 for none.
CFLUIDSYNTH_VOUCHED int CFluidSynth_exclusiveClass(fluid_synth_t *synth, int channel, int key) {
  fluid_voice_t *voices[CFLUIDSYNTH_VOICES] = {NULL};
  fluid_synth_get_voicelist(synth, voices, CFLUIDSYNTH_VOICES, -1);
  unsigned newest = 0;
  int found = 0;
  for (int i = 0; i < CFLUIDSYNTH_VOICES && voices[i]; i++) {
    if (fluid_voice_get_channel(voices[i]) != channel || fluid_voice_get_key(voices[i]) != key) continue;
    if (fluid_voice_get_id(voices[i]) < newest) continue;
    newest = fluid_voice_get_id(voices[i]);
    found = (int)fluid_voice_gen_get(voices[i], GEN_EXCLUSIVECLASS);
  }
  return found;
}
/// Ends the notes of a channel and an exclusive class at once, as a closed hi-hat ends an open one.
CFLUIDSYNTH_VOUCHED void CFluidSynth_choke(fluid_synth_t *synth, int channel, int exclusiveClass) {
  // The release that FluidSynth gives such notes of one synthesizer, in time cents: 0.9 s for 100 dB.
  const float release = -200;
  fluid_voice_t *voices[CFLUIDSYNTH_VOICES] = {NULL};
  fluid_synth_get_voicelist(synth, voices, CFLUIDSYNTH_VOICES, -1);
  for (int i = 0; i < CFLUIDSYNTH_VOICES && voices[i]; i++) {
    if (fluid_voice_get_channel(voices[i]) != channel) continue;
    if ((int)fluid_voice_gen_get(voices[i], GEN_EXCLUSIVECLASS) != exclusiveClass) continue;
    fluid_voice_gen_set(voices[i], GEN_EXCLUSIVECLASS, 0);
    fluid_voice_gen_set(voices[i], GEN_VOLENVRELEASE, release);
    fluid_voice_update_param(voices[i], GEN_VOLENVRELEASE);
    fluid_voice_gen_set(voices[i], GEN_MODENVRELEASE, release);
    fluid_voice_update_param(voices[i], GEN_MODENVRELEASE);
    fluid_synth_stop(synth, fluid_voice_get_id(voices[i]));
  }
}

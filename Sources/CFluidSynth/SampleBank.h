// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A bank of one instrument that plays one recording. It is in C, because FluidSynth calls these functions by pointers.
#include <fluidsynth.h>
#include <stdlib.h>

/// The recording, one sample a channel.
typedef struct {
  fluid_sample_t *samples[2];
  int channelCount;
  int isLooped;
  fluid_preset_t *preset;
} CFluidSynth_Recording;

/// The pitch and the loop of a recording: the key at its own pitch, further cents, and the frames that are repeated while the key is
/// held and while it ends; an empty loop for none.
typedef struct {
  int rootKey, cents;
  unsigned loopStart, loopEnd;
} CFluidSynth_Tone;

static inline const char *CFluidSynth_recordingName(fluid_sfont_t *bank) {
  (void)bank;
  return "Recording";
}
static inline const char *CFluidSynth_recordingPresetName(fluid_preset_t *preset) {
  (void)preset;
  return "Recording";
}
static inline int CFluidSynth_recordingNumber(fluid_preset_t *preset) {
  (void)preset;
  return 0;
}
/// Does nothing, since the bank frees its preset; FluidSynth needs a function here.
static inline void CFluidSynth_keepPreset(fluid_preset_t *preset) { (void)preset; }
/// Returns the recording for every program of every bank.
static inline fluid_preset_t *CFluidSynth_recordingPreset(fluid_sfont_t *bank, int number, int program) {
  (void)number, (void)program;
  return ((CFluidSynth_Recording *)fluid_sfont_get_data(bank))->preset;
}

/// `[render]` Starts a voice for each channel of the recording, to the left and to the right if there are two.
static inline int CFluidSynth_startRecording(fluid_preset_t *preset, fluid_synth_t *synth, int channel, int key, int velocity) {
  CFluidSynth_Recording *recording = fluid_preset_get_data(preset);
  for (int i = 0; i < recording->channelCount; i++) {
    fluid_voice_t *voice = fluid_synth_alloc_voice(synth, recording->samples[i], channel, key, velocity);
    if (!voice) return FLUID_FAILED;
    if (recording->channelCount == 2) fluid_voice_gen_set(voice, GEN_PAN, i == 0 ? -500 : 500);
    if (recording->isLooped) fluid_voice_gen_set(voice, GEN_SAMPLEMODE, 1);
    // A released note falls by 100 dB in a tenth of a second; the value is in time cents.
    fluid_voice_gen_set(voice, GEN_VOLENVRELEASE, -3986);
    fluid_synth_start_voice(synth, voice);
  }
  return FLUID_OK;
}

static inline void CFluidSynth_freeRecording(CFluidSynth_Recording *recording) {
  if (recording->preset) delete_fluid_preset(recording->preset);
  for (int i = 0; i < 2; i++) {
    if (recording->samples[i]) delete_fluid_sample(recording->samples[i]);
  }
  free(recording);
}
static inline int CFluidSynth_freeRecordingBank(fluid_sfont_t *bank) {
  CFluidSynth_freeRecording(fluid_sfont_get_data(bank));
  delete_fluid_sfont(bank);
  return 0;
}

/// Fills a sample with one channel of interleaved frames, split into 16 and 8 bits; false if that fails.
static inline int CFluidSynth_fill(fluid_sample_t *sample, const int *frames, int channelCount, unsigned frameCount,
                                   unsigned sampleRate) {
  short *high = malloc(frameCount * sizeof *high);
  char *low = malloc(frameCount);
  for (size_t i = 0; high && low && i < frameCount; i++) {
    high[i] = (short)(frames[i * channelCount] >> 16);
    low[i] = (char)(frames[i * channelCount] >> 8);
  }
  int isFilled =
      high && low && sample && fluid_sample_set_sound_data(sample, high, low, frameCount, sampleRate, 1) == FLUID_OK;
  free(high);
  free(low);
  return isFilled;
}

/// `[control]` Makes a bank of a recording of one or two channels, interleaved in 32 bits. Returns NULL without memory. The
/// synthesizer that gets the bank frees it.
static inline fluid_sfont_t *CFluidSynth_makeRecordingBank(const int *frames, int channelCount, unsigned frameCount,
                                                           unsigned sampleRate, CFluidSynth_Tone tone) {
  CFluidSynth_Recording *recording = calloc(1, sizeof *recording);
  fluid_sfont_t *bank = new_fluid_sfont(CFluidSynth_recordingName, CFluidSynth_recordingPreset, NULL, NULL,
                                        CFluidSynth_freeRecordingBank);
  if (!recording || !bank) {
    free(recording);
    if (bank) delete_fluid_sfont(bank);
    return NULL;
  }
  fluid_sfont_set_data(bank, recording);
  recording->channelCount = channelCount;
  recording->isLooped = tone.loopEnd > tone.loopStart;
  recording->preset = new_fluid_preset(bank, CFluidSynth_recordingPresetName, CFluidSynth_recordingNumber,
                                       CFluidSynth_recordingNumber, CFluidSynth_startRecording,
                                       CFluidSynth_keepPreset);
  int isWhole = recording->preset && fluid_preset_set_data(recording->preset, recording) == FLUID_OK;
  for (int i = 0; i < channelCount && isWhole; i++) {
    recording->samples[i] = new_fluid_sample();
    isWhole = CFluidSynth_fill(recording->samples[i], frames + i, channelCount, frameCount, sampleRate) &&
              fluid_sample_set_pitch(recording->samples[i], tone.rootKey, -tone.cents) == FLUID_OK &&
              (!recording->isLooped ||
               fluid_sample_set_loop(recording->samples[i], tone.loopStart, tone.loopEnd) == FLUID_OK);
  }
  if (isWhole) return bank;
  CFluidSynth_freeRecordingBank(bank);
  return NULL;
}

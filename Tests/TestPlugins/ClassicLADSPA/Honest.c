// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LADSPA plug-ins that keep to the rules: every hint, a latency, a meter, odd numbers of ports. For tests.
#include <ladspa.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { portLimit = 16, lagFrameCount = 100 };

struct Unit {
  LADSPA_Data *ports[portLimit];
  float history[lagFrameCount];
  unsigned position;
  float sum;
};

#ifdef TALKATIVE
/// Prints on standard output as soon as the library is loaded.
__attribute__((constructor)) static void talk(void) {
  puts("Here I am, and I talk.");
  fflush(stdout);
}
#endif

static LADSPA_Handle instantiate(const LADSPA_Descriptor *plugin, unsigned long rate) {
  (void)plugin, (void)rate;
  return calloc(1, sizeof(struct Unit));
}
static void connectPort(LADSPA_Handle unit, unsigned long port, LADSPA_Data *data) {
  ((struct Unit *)unit)->ports[port] = data;
}
static void activate(LADSPA_Handle unit) {
  memset(((struct Unit *)unit)->history, 0, sizeof((struct Unit *)unit)->history);
}

/// Input, output, gain. It writes zeros first, so that a host that connects both to one buffer hears nothing.
static void runGain(LADSPA_Handle handle, unsigned long count) {
  struct Unit *unit = handle;
  memset(unit->ports[1], 0, count * sizeof(float));
  for (unsigned long i = 0; i < count; i++) unit->ports[1][i] = unit->ports[0][i] * *unit->ports[2];
}

/// Input, output, latency, peak.
static void runLag(LADSPA_Handle handle, unsigned long count) {
  struct Unit *unit = handle;
  float peak = 0;
  for (unsigned long i = 0; i < count; i++) {
    float sample = unit->ports[0][i];
    unit->ports[1][i] = unit->history[unit->position];
    unit->history[unit->position] = sample;
    unit->position = (unit->position + 1) % lagFrameCount;
    peak = fmaxf(peak, fabsf(sample));
  }
  *unit->ports[2] = lagFrameCount;
  *unit->ports[3] = peak;
}

/// Three inputs, two outputs: the first input, and ten times the second plus a hundred times the third.
static void runThreeToTwo(LADSPA_Handle handle, unsigned long count) {
  struct Unit *unit = handle;
  for (unsigned long i = 0; i < count; i++) {
    unit->ports[3][i] = unit->ports[0][i];
    unit->ports[4][i] = unit->ports[1][i] * 10 + unit->ports[2][i] * 100;
  }
}

/// One input, a meter of its peak.
static void runListener(LADSPA_Handle handle, unsigned long count) {
  struct Unit *unit = handle;
  *unit->ports[1] = 0;
  for (unsigned long i = 0; i < count; i++) *unit->ports[1] = fmaxf(*unit->ports[1], fabsf(unit->ports[0][i]));
}

/// One output of ones.
static void runOnes(LADSPA_Handle handle, unsigned long count) {
  for (unsigned long i = 0; i < count; i++) ((struct Unit *)handle)->ports[0][i] = 1;
}

/// Input, output; the other ports exist to be described.
static void runHints(LADSPA_Handle handle, unsigned long count) {
  struct Unit *unit = handle;
  memcpy(unit->ports[1], unit->ports[0], count * sizeof(float));
}

/// Input, output, poison. Puts out the sum of its input so far. NaN in the sum stays, and so does poison.
static void runPoisonable(LADSPA_Handle handle, unsigned long count) {
  struct Unit *unit = handle;
  if (*unit->ports[2] > 0) unit->position = 1;
  for (unsigned long i = 0; i < count; i++) {
    unit->sum += unit->ports[0][i];
    unit->ports[1][i] = unit->position ? NAN : unit->sum;
  }
}

enum {
  audioIn = LADSPA_PORT_AUDIO | LADSPA_PORT_INPUT,
  audioOut = LADSPA_PORT_AUDIO | LADSPA_PORT_OUTPUT,
  control = LADSPA_PORT_CONTROL | LADSPA_PORT_INPUT,
  meter = LADSPA_PORT_CONTROL | LADSPA_PORT_OUTPUT,
  bounded = LADSPA_HINT_BOUNDED_BELOW | LADSPA_HINT_BOUNDED_ABOVE,
};

#define PLUGIN(symbol, id, title, function, ...)                                                                      \
  static const LADSPA_PortDescriptor symbol##Kinds[] = {__VA_ARGS__};                                                 \
  static const LADSPA_Descriptor symbol = {                                                                           \
      id, #symbol, LADSPA_PROPERTY_INPLACE_BROKEN, title, "Bulkhead's tests", "MIT",                                   \
      sizeof symbol##Kinds / sizeof *symbol##Kinds, symbol##Kinds, symbol##Names, symbol##Hints, NULL, instantiate,    \
      connectPort, activate, function, NULL, NULL, NULL, free};

static const char *const gainNames[] = {"Input", "Output", "Gain [coef]"};
static const LADSPA_PortRangeHint gainHints[] = {{0}, {0}, {bounded | LADSPA_HINT_DEFAULT_1, 0, 4}};
PLUGIN(gain, 4001, "Gain", runGain, audioIn, audioOut, control)

static const char *const lagNames[] = {"Input", "Output", "latency", "Peak"};
static const LADSPA_PortRangeHint lagHints[4] = {{0}};
PLUGIN(lag, 4002, "Lag", runLag, audioIn, audioOut, meter, meter)

static const char *const threeToTwoNames[] = {"A", "B", "C", "X", "Y"};
static const LADSPA_PortRangeHint threeToTwoHints[5] = {{0}};
PLUGIN(threeToTwo, 4003, "Three to two", runThreeToTwo, audioIn, audioIn, audioIn, audioOut, audioOut)

static const char *const listenerNames[] = {"Input", "Level"};
static const LADSPA_PortRangeHint listenerHints[2] = {{0}};
PLUGIN(listener, 4004, "Listener", runListener, audioIn, meter)

static const char *const onesNames[] = {"Output"};
static const LADSPA_PortRangeHint onesHints[1] = {{0}};
PLUGIN(ones, 4005, "Ones", runOnes, audioOut)

static const char *const hintsNames[] = {
    "In",  "Out",     "Frequency (Hz)", "Frequency (Hz)", "Mode",  "On",         "Low",
    "Mid", "Default", "",               "Minimum only",   "Upside", "Not a number", "Shape",
};
static const LADSPA_PortRangeHint hintsHints[] = {
    {0},
    {0},
    {bounded | LADSPA_HINT_SAMPLE_RATE | LADSPA_HINT_LOGARITHMIC | LADSPA_HINT_DEFAULT_MIDDLE, 0.0001f, 0.5f},
    {bounded | LADSPA_HINT_DEFAULT_440, 20, 20000},
    {bounded | LADSPA_HINT_INTEGER | LADSPA_HINT_DEFAULT_MAXIMUM, 0.5f, 3.5f},
    {LADSPA_HINT_TOGGLED | LADSPA_HINT_DEFAULT_1, 0, 0},
    {bounded | LADSPA_HINT_DEFAULT_LOW, 0, 100},
    {bounded | LADSPA_HINT_LOGARITHMIC | LADSPA_HINT_DEFAULT_MIDDLE, 1, 100},
    {0},
    {LADSPA_HINT_DEFAULT_100, 0, 0},
    {LADSPA_HINT_BOUNDED_BELOW, 5, 0},
    {bounded, 10, -10},
    {bounded | LADSPA_HINT_DEFAULT_MINIMUM, NAN, INFINITY},
    {bounded | LADSPA_HINT_INTEGER, 0, 2},
};
PLUGIN(hints, 4006, "Hints", runHints, audioIn, audioOut, control, control, control, control, control, control, control,
       control, control, control, control, control)

static const char *const poisonableNames[] = {"Input", "Output", "Poison"};
static const LADSPA_PortRangeHint poisonableHints[] = {{0}, {0}, {LADSPA_HINT_TOGGLED, 0, 0}};
PLUGIN(poisonable, 4007, "Poisonable", runPoisonable, audioIn, audioOut, control)

/// Input, two outputs that are always NaN.
static void runHopeless(LADSPA_Handle handle, unsigned long count) {
  struct Unit *unit = handle;
  for (unsigned long i = 0; i < count; i++) unit->ports[1][i] = unit->ports[2][i] = unit->ports[0][i] * NAN;
}
static const char *const hopelessNames[] = {"Input", "Left", "Right"};
static const LADSPA_PortRangeHint hopelessHints[3] = {{0}};
PLUGIN(hopeless, 4008, "Hopeless", runHopeless, audioIn, audioOut, audioOut)

/// More ports than any plug-in that people use: input, output, and controls of which the last one is a gain.
enum { crowdPortCount = 1102 };
static LADSPA_Data *crowdPorts[crowdPortCount];
static void connectCrowd(LADSPA_Handle handle, unsigned long port, LADSPA_Data *data) {
  (void)handle;
  crowdPorts[port] = data;
}
static void runCrowd(LADSPA_Handle handle, unsigned long count) {
  (void)handle;
  for (unsigned long i = 0; i < count; i++) crowdPorts[1][i] = crowdPorts[0][i] * *crowdPorts[crowdPortCount - 1];
}
static const LADSPA_Descriptor *crowd(void) {
  static LADSPA_PortDescriptor kinds[crowdPortCount];
  static const char *names[crowdPortCount];
  static char texts[crowdPortCount][16];
  static LADSPA_PortRangeHint ranges[crowdPortCount];
  static LADSPA_Descriptor descriptor;
  for (int port = 0; port < crowdPortCount; port++) {
    kinds[port] = port == 0 ? audioIn : port == 1 ? audioOut : control;
    snprintf(texts[port], sizeof *texts, "Port %d", port);
    names[port] = texts[port];
    ranges[port] = (LADSPA_PortRangeHint){bounded | LADSPA_HINT_DEFAULT_1, 0, 4};
  }
  descriptor = gain;
  descriptor.UniqueID = 4009;
  descriptor.Label = "crowd";
  descriptor.Name = "Crowd";
  descriptor.PortCount = crowdPortCount;
  descriptor.PortDescriptors = kinds;
  descriptor.PortNames = names;
  descriptor.PortRangeHints = ranges;
  descriptor.connect_port = connectCrowd;
  descriptor.run = runCrowd;
  return &descriptor;
}

/// A side chain before two inputs, and two outputs: each input plus ten times the side chain.
static void runKeyed(LADSPA_Handle handle, unsigned long count) {
  struct Unit *unit = handle;
  for (unsigned long i = 0; i < count; i++) {
    unit->ports[3][i] = unit->ports[1][i] + unit->ports[0][i] * 10;
    unit->ports[4][i] = unit->ports[2][i] + unit->ports[0][i] * 10;
  }
}
static const char *const keyedNames[] = {"Side-chain input", "Left input", "Right input", "Left output", "Right output"};
static const LADSPA_PortRangeHint keyedHints[5] = {{0}};
PLUGIN(keyed, 4010, "Keyed", runKeyed, audioIn, audioIn, audioIn, audioOut, audioOut)

/// Two inputs, two outputs: the sum of both, and the difference.
static void runSums(LADSPA_Handle handle, unsigned long count) {
  struct Unit *unit = handle;
  for (unsigned long i = 0; i < count; i++) {
    unit->ports[2][i] = unit->ports[0][i] + unit->ports[1][i];
    unit->ports[3][i] = unit->ports[0][i] - unit->ports[1][i];
  }
}
static const char *const sumsNames[] = {"A", "B", "Sum", "Difference"};
static const LADSPA_PortRangeHint sumsHints[4] = {{0}};
PLUGIN(sums, 4011, "Sums", runSums, audioIn, audioIn, audioOut, audioOut)

/// Input, output, latency. A static variable knows the instance that was made last, and all others are silent.
static LADSPA_Handle newest;
static LADSPA_Handle instantiateJealous(const LADSPA_Descriptor *plugin, unsigned long rate) {
  return newest = instantiate(plugin, rate);
}
static void runJealous(LADSPA_Handle handle, unsigned long count) {
  struct Unit *unit = handle;
  for (unsigned long i = 0; i < count; i++) unit->ports[1][i] = handle == newest ? unit->ports[0][i] : 0;
  *unit->ports[2] = 0;
}
static const char *const jealousBaseNames[] = {"Input", "Output", "latency"};
static const LADSPA_PortRangeHint jealousBaseHints[3] = {{0}};
PLUGIN(jealousBase, 4012, "Jealous", runJealous, audioIn, audioOut, meter)
static const LADSPA_Descriptor *jealous(void) {
  static LADSPA_Descriptor descriptor;
  descriptor = jealousBase;
  descriptor.Label = "jealous";
  descriptor.instantiate = instantiateJealous;
  return &descriptor;
}

/// Input, and an output that is the first control. The other controls have what is said of defaults and rates.
static void runDefaults(LADSPA_Handle handle, unsigned long count) {
  struct Unit *unit = handle;
  for (unsigned long i = 0; i < count; i++) unit->ports[1][i] = *unit->ports[2] * unit->ports[0][i];
}
static const char *const defaultsNames[] = {"In", "Out", "Rate", "Zero", "Field", "Fixed"};
static const LADSPA_PortRangeHint defaultsHints[] = {
    {0},
    {0},
    {bounded | LADSPA_HINT_SAMPLE_RATE | LADSPA_HINT_DEFAULT_MAXIMUM, 0, 0.5f},
    {bounded | LADSPA_HINT_LOGARITHMIC | LADSPA_HINT_DEFAULT_MIDDLE, 0, 2000},
    {LADSPA_HINT_BOUNDED_ABOVE | LADSPA_HINT_DEFAULT_MINIMUM, 2, 8},
    {bounded | LADSPA_HINT_SAMPLE_RATE | LADSPA_HINT_DEFAULT_440, 0, 0.5f},
};
PLUGIN(defaults, 4013, "Defaults", runDefaults, audioIn, audioOut, control, control, control, control)

const LADSPA_Descriptor *ladspa_descriptor(unsigned long index) {
  const LADSPA_Descriptor *const plugins[] = {&gain,  &lag,        &threeToTwo, &listener, &ones,
                                              &hints, &poisonable, &hopeless,   crowd(),
                                              &keyed, &sums,       jealous(),   &defaults};
  return index < sizeof plugins / sizeof *plugins ? plugins[index] : NULL;
}

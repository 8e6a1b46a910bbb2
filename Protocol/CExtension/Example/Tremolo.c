// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A tremolo, as a complete extension with CExtension.c: the volume swings up and down. Main, render and view threads.
//
//     clang -std=gnu17 -O2 -I Protocol/CExtension/include -I Protocol/CWireLayout/include -o Tremolo \
//         Protocol/CExtension/CExtension.c Protocol/CExtension/Example/Tremolo.c -lpthread
//     bulkhead bundle Tremolo
#include <stdio.h>
#include <stdlib.h>

#include "CExtension.h"

enum { rate, depth, parameterCount };

static const struct CExtension_Parameter parameters[parameterCount] = {
    [rate] = {.identifier = "rate",
              .name = "Rate",
              .address = 7001,
              .lowerBound = 0.1,
              .upperBound = 20,
              .defaultValue = 4,
              .unit = CExtension_unitHertz,
              .flags = CExtension_canRamp},
    [depth] = {.identifier = "depth",
               .name = "Depth",
               .address = 7002,
               .lowerBound = 0,
               .upperBound = 100,
               .defaultValue = 0,
               .unit = CExtension_unitPercent,
               .flags = CExtension_canRamp},
};

/// The state between blocks on the render thread.
struct Tremolo {
  double sampleRate;
  /// The position in the swing, 0 to 1.
  double phase;
};

/// The reduction of the volume: from 0 to 1 and back in one swing.
static double swingAt(double phase) { return phase < 0.5 ? 2 * phase : 2 - 2 * phase; }

static void *create(struct CExtension_Setup *setup) {
  struct Tremolo *tremolo = calloc(1, sizeof *tremolo);
  if (tremolo) tremolo->sampleRate = setup->sampleRate;
  return tremolo;
}

static void reset(void *state) {
  struct Tremolo *tremolo = state;
  tremolo->phase = 0;
}

static void render(void *state, const struct CExtension_Block *block, uint32_t from, uint32_t to) {
  struct Tremolo *tremolo = state;
  for (uint32_t frame = from; frame < to; frame++) {
    float gain = (float)(1 - CExtension_next(block, depth) * 0.01 * swingAt(tremolo->phase));
    for (uint32_t channel = 0; channel < block->outputChannelCount; channel++) {
      block->outputs[channel][frame] = block->inputs[channel][frame] * gain;
    }
    tremolo->phase += CExtension_next(block, rate) / tremolo->sampleRate;
    if (tremolo->phase >= 1) tremolo->phase -= 1;
  }
}

// MARK: The view: one second of the volume, and a point to drag. Right is faster, and down is deeper.

/// The state of a view.
struct Hand {
  bool holdsPoint;
};

/// Draws the volume in a column as a bar, in eighths of a row, from below.
static void drawBar(struct CExtension_View *view, int32_t column, double volume, uint32_t color) {
  int32_t eighths = (int32_t)(volume * 8 * (view->rowCount - 1) + 0.5);
  for (int32_t row = (int32_t)view->rowCount - 1; row > 0 && eighths > 0; row--, eighths -= 8) {
    CExtension_put(view, column, row, 0x2580 + (uint32_t)(eighths < 8 ? eighths : 8), color);
  }
}

static void drawView(struct CExtension_View *view) {
  const double turns = view->values[rate] / view->columnCount, share = view->values[depth] / 100;
  const uint32_t color = view->colorCount >= 8 ? CExtension_paletteColor(4) : 0;
  for (uint32_t column = 0; column < view->columnCount; column++) {
    double turn = (column + 0.5) * turns;
    drawBar(view, (int32_t)column, 1 - share * swingAt(turn - (double)(int32_t)turn), color);
  }
  const double across = (view->values[rate] - parameters[rate].lowerBound) / parameters[rate].upperBound;
  int32_t row = 1 + (int32_t)(share * (view->rowCount - 1));
  if (row >= (int32_t)view->rowCount) row = (int32_t)view->rowCount - 1;
  struct CWireLayout_Cell *point = row > 0 ? CExtension_cell(view, (int32_t)(across * view->columnCount), row) : NULL;
  // The point lies on the bar, if there is one.
  if (point) *point = (struct CWireLayout_Cell){.codePoint = 0x25CF, .background = point->foreground};
  char text[64];
  snprintf(text, sizeof text, "Rate %.1f Hz   Depth %.0f %%", view->values[rate], view->values[depth]);
  CExtension_print(view, 0, 0, text, 0);
}

static void touch(struct CExtension_View *view, bool isTaken) {
  ((struct Hand *)view->state)->holdsPoint = isTaken;
  CExtension_touch(view, rate, isTaken);
  CExtension_touch(view, depth, isTaken);
}

static void takeInput(struct CExtension_View *view, const struct CExtension_Input *input) {
  const struct Hand *hand = view->state;
  if (input->act == CExtension_mousePressed) touch(view, true);
  if (hand->holdsPoint && input->act <= CExtension_mouseDragged && input->act != CExtension_keyPressed) {
    CExtension_set(view, rate,
                   parameters[rate].lowerBound + parameters[rate].upperBound * (input->column + 0.5) / view->columnCount);
    if (view->rowCount > 2) CExtension_set(view, depth, 100.0 * (input->row - 1) / (view->rowCount - 2));
  }
  if (input->act == CExtension_mouseReleased) touch(view, false);
  if (input->key == CExtension_keyLeft) CExtension_set(view, rate, view->values[rate] - 0.1);
  if (input->key == CExtension_keyRight) CExtension_set(view, rate, view->values[rate] + 0.1);
  if (input->key == CExtension_keyUp) CExtension_set(view, depth, view->values[depth] - 1);
  if (input->key == CExtension_keyDown) CExtension_set(view, depth, view->values[depth] + 1);
}

// MARK: The description for the host

static const uint32_t monoOrStereo[] = {1, 2, 0};
static const struct CExtension_Bus input = {.name = "Input", .channelCount = 2, .channelCounts = monoOrStereo};
static const struct CExtension_Bus output = {.name = "Output", .channelCount = 2, .channelCounts = monoOrStereo};
static const char *const tags[] = {"Modulation", NULL};
static const double slowValues[parameterCount] = {[rate] = 1, [depth] = 60};
static const struct CExtension_Size sizes[] = {{60, 12}, {30, 6}};
static const struct CExtension_Preset presets[] = {{.name = "Slow", .values = slowValues}};

static const struct CExtension_Description tremolo = {
    .component = "aufx:trml:test",
    .name = "Tremolo",
    .manufacturerName = "Bulkhead's tests",
    .version = CExtension_version(1, 2, 3),
    .channelCountsMatch = true,
    .tags = tags,
    .inputs = &input,
    .inputCount = 1,
    .outputs = &output,
    .outputCount = 1,
    .parameters = parameters,
    .parameterCount = parameterCount,
    .presets = presets,
    .presetCount = 1,
    .create = create,
    .destroy = free,
    .reset = reset,
    .render = render,
    .drawView = drawView,
    .takeInput = takeInput,
    .viewSizes = sizes,
    .viewSizeCount = 2,
    .viewByteCount = sizeof(struct Hand),
};

int main(void) { return CExtension_run(&tremolo); }

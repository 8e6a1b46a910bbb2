// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The few calls of SoundTouch that a time-pitch unit needs; no exception leaves them.
#include "CSoundTouchShims.h"

#include <algorithm>
#include <vector>

#include <SoundTouch.h>

using soundtouch::SoundTouch;

static SoundTouch *stretcher(void *pointer) { return static_cast<SoundTouch *>(pointer); }

void *CSoundTouchShims_make(int channels, double sampleRate, int mostFrames) {
  if (channels < 1 || channels > SOUNDTOUCH_MAX_CHANNELS || mostFrames < 1) return nullptr;
  SoundTouch *made = nullptr;
  try {
    made = new SoundTouch();
    made->setChannels(static_cast<unsigned>(channels));
    made->setSampleRate(static_cast<unsigned>(sampleRate + 0.5));
    // The rate stays 1, so there is nothing to filter, and searching through all places gives the better sound.
    made->setSetting(SETTING_USE_AA_FILTER, 0);
    std::vector<float> silence(static_cast<size_t>(channels) * 4096, 0.0f);
    // What waits on the way in is most at a high tempo, and on the way out at a low one. In silence the quick search will do.
    made->setSetting(SETTING_USE_QUICKSEEK, 1);
    for (double tempo : {128.0, 1.0 / 128.0}) {
      made->setTempo(tempo);
      int count = tempo > 1 ? mostFrames : made->getSetting(SETTING_INITIAL_LATENCY) + 256;
      for (int left = count; left > 0; left -= 4096) {
        made->putSamples(silence.data(), static_cast<unsigned>(std::min(left, 4096)));
      }
      made->clear();
    }
    made->setSetting(SETTING_USE_QUICKSEEK, 0);
    made->setTempo(1);
    return made;
  } catch (...) {
    delete made;
    return nullptr;
  }
}

void CSoundTouchShims_free(void *pointer) { delete stretcher(pointer); }

void CSoundTouchShims_setTempo(void *pointer, double tempo) {
  try {
    stretcher(pointer)->setTempo(tempo);
  } catch (...) {
  }
}

void CSoundTouchShims_put(void *pointer, const float *samples, int frames) {
  try {
    stretcher(pointer)->putSamples(samples, static_cast<unsigned>(frames));
  } catch (...) {
  }
}

int CSoundTouchShims_take(void *pointer, float *samples, int most) {
  try {
    return static_cast<int>(stretcher(pointer)->receiveSamples(samples, static_cast<unsigned>(most)));
  } catch (...) {
    return 0;
  }
}

void CSoundTouchShims_clear(void *pointer) {
  try {
    stretcher(pointer)->clear();
  } catch (...) {
  }
}

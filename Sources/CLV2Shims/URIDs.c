// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// URIs as numbers. A number is a hash, so that values saved by one process have the same meaning in another. Any thread.
#include "CLV2Shims.h"

#include <lv2/atom/atom.h>
#include <lv2/midi/midi.h>
#include <lv2/patch/patch.h>
#include <lv2/time/time.h>
#include <lv2/urid/urid.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct Entry {
  struct Entry *next;
  uint32_t urid;
  char uri[];
} Entry;

enum { bucketCount = 4096 };
/// Entries are pushed to the front and never removed, so that readers need no lock.
static _Atomic(Entry *) buckets[bucketCount];
static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;

static const Entry *find(uint32_t urid) {
  const Entry *entry = atomic_load_explicit(&buckets[urid % bucketCount], memory_order_acquire);
  while (entry && entry->urid != urid) entry = entry->next;
  return entry;
}

/// FNV-1a.
static uint32_t hash(const char *uri) {
  uint32_t hash = 2166136261u;
  for (; *uri; uri++) hash = (hash ^ (uint8_t)*uri) * 16777619u;
  return hash ? hash : 1;
}

/// The entry of a URI, and in `*urid` its number or the first free number for it.
static const Entry *probe(const char *uri, uint32_t *urid) {
  for (*urid = hash(uri);; *urid = *urid + 1 ? *urid + 1 : 1) {
    const Entry *entry = find(*urid);
    if (!entry || strcmp(entry->uri, uri) == 0) return entry;
  }
}

uint32_t CLV2Shims_map(const char *uri) {
  uint32_t urid = 0;
  if (!uri) return 0;
  if (probe(uri, &urid)) return urid;
  pthread_mutex_lock(&writers);
  // Another thread may have added it meanwhile.
  if (!probe(uri, &urid)) {
    size_t length = strlen(uri) + 1;
    Entry *entry = malloc(sizeof(Entry) + length);
    if (entry) {
      entry->urid = urid;
      memcpy(entry->uri, uri, length);
      entry->next = atomic_load_explicit(&buckets[urid % bucketCount], memory_order_relaxed);
      // Release: a thread that finds the entry finds it complete.
      atomic_store_explicit(&buckets[urid % bucketCount], entry, memory_order_release);
    } else {
      urid = 0;
    }
  }
  pthread_mutex_unlock(&writers);
  return urid;
}

const char *CLV2Shims_unmap(uint32_t urid) {
  const Entry *entry = find(urid);
  return entry ? entry->uri : NULL;
}

static LV2_URID map(LV2_URID_Map_Handle handle, const char *uri) {
  (void)handle;
  return CLV2Shims_map(uri);
}

static const char *unmap(LV2_URID_Unmap_Handle handle, LV2_URID urid) {
  (void)handle;
  return CLV2Shims_unmap(urid);
}

static LV2_URID_Map mapFeature = {NULL, map};
static LV2_URID_Unmap unmapFeature = {NULL, unmap};

void *CLV2Shims_mapFeature(void) { return &mapFeature; }
void *CLV2Shims_unmapFeature(void) { return &unmapFeature; }

static CLV2Shims_Vocabulary vocabulary;
static pthread_once_t vocabularyIsMade = PTHREAD_ONCE_INIT;

static void makeVocabulary(void) {
  vocabulary = (CLV2Shims_Vocabulary){
      .boolean = CLV2Shims_map(LV2_ATOM__Bool),
      .chunk = CLV2Shims_map(LV2_ATOM__Chunk),
      .doubleType = CLV2Shims_map(LV2_ATOM__Double),
      .floatType = CLV2Shims_map(LV2_ATOM__Float),
      .intType = CLV2Shims_map(LV2_ATOM__Int),
      .longType = CLV2Shims_map(LV2_ATOM__Long),
      .object = CLV2Shims_map(LV2_ATOM__Object),
      .path = CLV2Shims_map(LV2_ATOM__Path),
      .sequence = CLV2Shims_map(LV2_ATOM__Sequence),
      .string = CLV2Shims_map(LV2_ATOM__String),
      .uri = CLV2Shims_map(LV2_ATOM__URI),
      .urid = CLV2Shims_map(LV2_ATOM__URID),
      .midiEvent = CLV2Shims_map(LV2_MIDI__MidiEvent),
      .patchBody = CLV2Shims_map(LV2_PATCH__body),
      .patchGet = CLV2Shims_map(LV2_PATCH__Get),
      .patchProperty = CLV2Shims_map(LV2_PATCH__property),
      .patchPut = CLV2Shims_map(LV2_PATCH__Put),
      .patchSet = CLV2Shims_map(LV2_PATCH__Set),
      .patchValue = CLV2Shims_map(LV2_PATCH__value),
      .position = CLV2Shims_map(LV2_TIME__Position),
      .bar = CLV2Shims_map(LV2_TIME__bar),
      .barBeat = CLV2Shims_map(LV2_TIME__barBeat),
      .beat = CLV2Shims_map(LV2_TIME__beat),
      .beatUnit = CLV2Shims_map(LV2_TIME__beatUnit),
      .beatsPerBar = CLV2Shims_map(LV2_TIME__beatsPerBar),
      .beatsPerMinute = CLV2Shims_map(LV2_TIME__beatsPerMinute),
      .frame = CLV2Shims_map(LV2_TIME__frame),
      .speed = CLV2Shims_map(LV2_TIME__speed),
  };
}

const CLV2Shims_Vocabulary *CLV2Shims_vocabulary(void) {
  pthread_once(&vocabularyIsMade, makeVocabulary);
  return &vocabulary;
}

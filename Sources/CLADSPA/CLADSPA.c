// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Loads a plug-in's library again, separate from loaded copies. Control threads.
#define _GNU_SOURCE
#include "CLADSPA.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// A copy of a library. It is never unloaded, because the loader cannot reuse its place; it waits for the next instance.
struct Copy {
  char *path;
  void *library;
  bool isTaken;
};

enum { copyLimit = 15 };
static struct Copy copies[copyLimit];
static pthread_mutex_t copiesLock = PTHREAD_MUTEX_INITIALIZER;

// Gives a copy the measured plans of another copy's transforms: each measurement by itself takes most of a second.
static void shareWisdom(void *from, void *to) {
  char *(*export)(void) = (char *(*)(void))dlsym(from, "fftwf_export_wisdom_to_string");
  int (*import)(const char *) = (int (*)(const char *))dlsym(to, "fftwf_import_wisdom_from_string");
  // The text lies in memory of the other copy's C library.
  void (*freeThere)(void *) = (void (*)(void *))dlsym(from, "free");
  if (!export || !import || !freeThere) return;
  char *wisdom = export();
  if (!wisdom) return;
  import(wisdom);
  freeThere(wisdom);
}

static void shareWisdomOfAnother(const struct Copy *copy) {
  for (int index = 0; index < copyLimit; index++) {
    const struct Copy *other = &copies[index];
    if (other != copy && other->path && strcmp(other->path, copy->path) == 0) return shareWisdom(other->library, copy->library);
  }
}

// A free copy of the library, loaded if there is none; NULL if no place is left.
static struct Copy *freeCopy(const char *path) {
  struct Copy *unused = NULL;
  for (int index = 0; index < copyLimit; index++) {
    struct Copy *copy = &copies[index];
    if (!copy->path) unused = unused ? unused : copy;
    else if (!copy->isTaken && strcmp(copy->path, path) == 0) return copy;
  }
  if (!unused || !(unused->path = strdup(path))) return NULL;
  unused->library = dlmopen(LM_ID_NEWLM, path, RTLD_NOW);
  if (unused->library) {
    shareWisdomOfAnother(unused);
    return unused;
  }
  free(unused->path);
  unused->path = NULL;
  return NULL;
}

static const LADSPA_Descriptor *find(void *library, const char *label) {
  LADSPA_Descriptor_Function describe = (LADSPA_Descriptor_Function)dlsym(library, "ladspa_descriptor");
  for (unsigned long index = 0; describe && index < 1024; index++) {
    const LADSPA_Descriptor *plugin = describe(index);
    if (!plugin) return NULL;
    if (plugin->Label && strcmp(plugin->Label, label) == 0) return plugin;
  }
  return NULL;
}

const LADSPA_Descriptor *CLADSPA_takeCopy(const char *path, const char *label, void **library) {
  pthread_mutex_lock(&copiesLock);
  struct Copy *copy = freeCopy(path);
  const LADSPA_Descriptor *plugin = copy ? find(copy->library, label) : NULL;
  if (plugin) {
    copy->isTaken = true;
    *library = copy->library;
  }
  pthread_mutex_unlock(&copiesLock);
  return plugin;
}

void CLADSPA_giveCopyBack(void *library) {
  pthread_mutex_lock(&copiesLock);
  for (int index = 0; index < copyLimit; index++) {
    if (copies[index].path && copies[index].library == library) copies[index].isTaken = false;
  }
  pthread_mutex_unlock(&copiesLock);
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What liblrdf knows of LADSPA plug-ins, in plain C types. The library is loaded when it is first wanted: 40 others come with it,
// down to one that speaks HTTP, and they would take a unit's process as long to load as everything else.
//
// Threads: one at a time. Texts that are returned belong to the library's store, which lasts as long as the process.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

/// A value that a port may have.
typedef struct {
  unsigned long port;
  double value;
  /// Its name; NULL where it has none.
  const char *_Nullable label;
} CLRDF_PortValue;

/// Loads the library. NULL, or else what the dynamic linker says; nothing else may be called then.
const char *_Nullable CLRDF_load(void);

/// Adds what a file says to the store. Whether it could be read.
bool CLRDF_read(const char *uri);

/// The first object that a subject and a predicate have; NULL when they have none.
const char *_Nullable CLRDF_object(const char *subject, const char *predicate);

/// The named values of a plug-in's port: how many there are. At most `capacity` of them are written.
size_t CLRDF_scalePoints(unsigned long plugin, unsigned long port, CLRDF_PortValue *points, size_t capacity);

/// The values of a plug-in's default setting: how many there are. At most `capacity` of them are written.
size_t CLRDF_defaults(unsigned long plugin, CLRDF_PortValue *values, size_t capacity);

#pragma clang assume_nonnull end

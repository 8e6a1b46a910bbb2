// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The data of liblrdf about LADSPA plug-ins, in plain C types. The library is loaded when it is first needed. It brings 40
// others with it, even an HTTP client. To load them takes as long as the rest of a unit process's start.
//
// Threads: one at a time. Returned texts belong to the library's store, which lasts as long as the process.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

/// A value that a port may have.
typedef struct {
  unsigned long port;
  double value;
  /// The name of the value; NULL if it has none.
  const char *_Nullable label;
} CLRDF_PortValue;

/// Loads the library.
///
/// Returns NULL, or the dynamic linker's reason; no other function may be called then.
const char *_Nullable CLRDF_load(void);

/// Adds the contents of a file to the store; false if it cannot be read.
bool CLRDF_read(const char *uri);

/// The first object of a subject and a predicate; NULL if there is none.
const char *_Nullable CLRDF_object(const char *subject, const char *predicate);

/// Writes up to `capacity` named values of a plug-in's port, and returns their total number.
size_t CLRDF_scalePoints(unsigned long plugin, unsigned long port, CLRDF_PortValue *points, size_t capacity);

/// Writes up to `capacity` values of a plug-in's default setting, and returns their total number.
size_t CLRDF_defaults(unsigned long plugin, CLRDF_PortValue *values, size_t capacity);

#pragma clang assume_nonnull end

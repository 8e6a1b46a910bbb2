// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The C interface of a plug-in's shared library, for its own process and for the host's.
//
// The library exports one symbol, `bulkhead_plugin`, a function without arguments that returns a `const struct
// CPluginInterface_Table *`. Messages and render requests are those of the wire protocol, so a unit behaves the same on both
// sides of the wall.
#pragma once

#include "CWireLayout.h"

enum {
  CPluginInterface_minimumVersion = 1,
  CPluginInterface_maximumVersion = 3,
};

/// The memory of a unit's audio.
///
/// The pointers stay valid until `detach`.
struct CPluginInterface_Attachment {
  /// The region, which starts with its header.
  void *region;
  /// The unit's own output memory.
  float *output;
  /// One for each input bus; NULL if the bus is not connected.
  const float *inputs[8];
};

/// Receives an answer, whose bytes are valid during the call.
typedef void (*CPluginInterface_Answer)(void *context, const uint8_t *message, size_t byteCount);

/// The table that a library returns: its versions and functions.
struct CPluginInterface_Table {
  uint32_t magic;
  /// The versions of this interface that the library supports.
  uint32_t minimumVersion;
  uint32_t maximumVersion;
  uint32_t reserved;
  /// [control] Makes an instance; NULL without memory.
  void *(*create)(void);
  /// [control] Frees an instance that is not rendering.
  void (*destroy)(void *unit);
  /// [control] Handles one control message (header and body) and answers once, before it returns.
  void (*handle)(void *unit, const uint8_t *message, size_t byteCount, CPluginInterface_Answer answer, void *context);
  /// [control] Sets the memory of a unit's audio, before the `allocate` message.
  void (*attach)(void *unit, const struct CPluginInterface_Attachment *attachment);
  /// [render] Renders the request `sequence` and fills its reply, without ringing a doorbell.
  void (*render)(void *unit, uint64_t sequence);
  /// [main] Runs the library as a process of its own on this control socket, until the host hangs up.
  int (*runExtension)(int controlDescriptor);
};
_Static_assert(sizeof(struct CPluginInterface_Table) == 64, "CPluginInterface_Table is not 64 bytes long");

/// The table of a library that supports interface 2 or newer.
struct CPluginInterface_Table2 {
  struct CPluginInterface_Table first;
  /// [a thread of its own] Runs one more unit of the library in a shared process, until the host hangs up.
  ///
  /// The function owns the control socket from the call on. When it returns, the process continues.
  void (*runUnit)(int controlDescriptor);
};
_Static_assert(sizeof(struct CPluginInterface_Table2) == 72, "CPluginInterface_Table2 is not 72 bytes long");

/// A unit with a render thread, in a form that all render threads of its process share, from any library.
///
/// It is never freed: after the unit has ended, another unit may use it.
struct CPluginInterface_Resident {
  /// 0: free; 1: claimed by the thread that renders the unit; 2: claimed, and another thread sleeps on this word.
  ///
  /// An atomic futex word, taken with acquire and given back with release. All other fields but `next` belong to the thread
  /// that has claimed it.
  uint32_t claim;
  uint32_t reserved;
  /// The number of the file that holds the unit's doorbell; 0 in an unused entry.
  ///
  /// Atomic: a thread may read it without a claim, and must read it again with one.
  uint64_t doorbellFile;
  void *unit;
  /// [render] Renders the granted requests on the calling thread, which has claimed the unit and releases it afterwards.
  ///
  /// Returns the next unit that the caller must render, and has already claimed; NULL if there is none.
  struct CPluginInterface_Resident *(*render)(void *unit);
  /// The entry that was added before this one.
  ///
  /// Constant.
  struct CPluginInterface_Resident *next;
};
_Static_assert(sizeof(struct CPluginInterface_Resident) == 40, "CPluginInterface_Resident is not 40 bytes long");

/// All units of a process.
///
/// A new entry becomes the first one, atomically with release.
struct CPluginInterface_Residents {
  struct CPluginInterface_Resident *first;
};

/// The table of a library that supports interface 3 or newer.
struct CPluginInterface_Table3 {
  struct CPluginInterface_Table2 second;
  /// [control] Passes the list of the process's units, before the first `runUnit`.
  ///
  /// The list is never freed.
  void (*joinResidents)(struct CPluginInterface_Residents *residents);
};
_Static_assert(sizeof(struct CPluginInterface_Table3) == 80, "CPluginInterface_Table3 is not 80 bytes long");

/// [render] Calls `render` of a table.
///
/// Swift's check of the render path cannot follow function pointers. A library that exports the table promises that its
/// `render` neither allocates, locks nor blocks.
static inline __attribute__((always_inline, swift_attr("@_noLocks"))) void CPluginInterface_render(
    const struct CPluginInterface_Table *table, void *unit, uint64_t sequence) {
  table->render(unit, sequence);
}

/// [render] Calls `render` of a resident, under the same promise.
static inline __attribute__((always_inline, swift_attr("@_noLocks"))) struct CPluginInterface_Resident *
CPluginInterface_renderResident(struct CPluginInterface_Resident *resident) {
  return resident->render(resident->unit);
}

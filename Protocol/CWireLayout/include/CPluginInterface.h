// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The C interface of a plug-in's shared library: how it is loaded, in its own process or in the host's.
//
// The library exports one symbol, `bulkhead_plugin`, a function without arguments that returns a
// `const struct CPluginInterface_Table *`. Messages and render requests are those of the wire
// protocol, so that a unit behaves alike on both sides of the wall.
#pragma once

#include "CWireLayout.h"

enum {
  CPluginInterface_minimumVersion = 1,
  CPluginInterface_maximumVersion = 3,
};

/// Where a unit finds its audio. Pointers stay valid until `detach`.
struct CPluginInterface_Attachment {
  /// The region, starting with its header.
  void *region;
  /// The unit's own output memory.
  float *output;
  /// One per input bus; NULL where it is not connected.
  const float *inputs[8];
};

/// Takes an answer. The bytes are valid during the call.
typedef void (*CPluginInterface_Answer)(void *context, const uint8_t *message, size_t byteCount);

struct CPluginInterface_Table {
  uint32_t magic;
  /// The interface versions that the library speaks.
  uint32_t minimumVersion;
  uint32_t maximumVersion;
  uint32_t reserved;
  /// [control] Makes an instance; NULL when there is no memory.
  void *(*create)(void);
  /// [control] Ends an instance that is not rendering.
  void (*destroy)(void *unit);
  /// [control] Handles one control message (header and body) and answers once, before it returns.
  void (*handle)(void *unit, const uint8_t *message, size_t byteCount, CPluginInterface_Answer answer, void *context);
  /// [control] Before the `allocate` message: where the audio will be.
  void (*attach)(void *unit, const struct CPluginInterface_Attachment *attachment);
  /// [render] Renders the request `sequence` and fills its reply. Does not ring.
  void (*render)(void *unit, uint64_t sequence);
  /// [main] Runs the library as a process of its own, on this control socket, until the host leaves.
  int (*runExtension)(int controlDescriptor);
};
_Static_assert(sizeof(struct CPluginInterface_Table) == 64, "CPluginInterface_Table is not 64 bytes long");

/// What a library returns that speaks interface 2 or newer.
struct CPluginInterface_Table2 {
  struct CPluginInterface_Table first;
  /// [a thread of its own] Runs one more unit of the library in a process that has others, on this control socket, which it
  /// owns from now on, until the host hangs up. Returns then, and leaves the process alone.
  void (*runUnit)(int controlDescriptor);
};
_Static_assert(sizeof(struct CPluginInterface_Table2) == 72, "CPluginInterface_Table2 is not 72 bytes long");

/// A unit with a render thread, as all render threads of its process see it, whichever library they come from. It is never freed:
/// when the unit leaves, another one may move in.
struct CPluginInterface_Resident {
  /// 0: free; 1: claimed, by whoever renders the unit; 2: claimed, and somebody sleeps on this word until it is free. An atomic
  /// futex word, taken with acquire and given back with release. All of the rest but `next` belongs to who has claimed it.
  uint32_t claim;
  uint32_t reserved;
  /// The serial number of the file that the unit's doorbell lies in; 0 where nobody lives. Atomic: it may be looked at without a
  /// claim, and is to be looked at again with one.
  uint64_t doorbellFile;
  void *unit;
  /// [render] Renders what the doorbell grants, on the thread of the caller, which has claimed the unit and gives it back
  /// afterwards. Returns the next unit that the caller is to render, and has claimed by that; NULL when there is none.
  struct CPluginInterface_Resident *(*render)(void *unit);
  /// Who moved in before. Constant.
  struct CPluginInterface_Resident *next;
};
_Static_assert(sizeof(struct CPluginInterface_Resident) == 40, "CPluginInterface_Resident is not 40 bytes long");

/// All units of a process. Who moves in puts itself in front, atomically with release.
struct CPluginInterface_Residents {
  struct CPluginInterface_Resident *first;
};

/// What a library returns that speaks interface 3 or newer.
struct CPluginInterface_Table3 {
  struct CPluginInterface_Table2 second;
  /// [control] Before the first `runUnit`: the units of the process. The list lives for ever.
  void (*joinResidents)(struct CPluginInterface_Residents *residents);
};
_Static_assert(sizeof(struct CPluginInterface_Table3) == 80, "CPluginInterface_Table3 is not 80 bytes long");

/// [render] Calls `render` of a table. Swift's render check cannot follow function pointers; a library
/// that exports the table promises that its `render` neither allocates, locks nor blocks.
static inline __attribute__((always_inline, swift_attr("@_noLocks"))) void CPluginInterface_render(
    const struct CPluginInterface_Table *table, void *unit, uint64_t sequence) {
  table->render(unit, sequence);
}

/// [render] Calls `render` of a resident, under the same promise.
static inline __attribute__((always_inline, swift_attr("@_noLocks"))) struct CPluginInterface_Resident *
CPluginInterface_renderResident(struct CPluginInterface_Resident *resident) {
  return resident->render(resident->unit);
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Maps the descriptors of a message, and the layouts of audio memory. Main thread.
#pragma once

#include <stddef.h>

#include "Channel.h"

/// Reads a layout; returns the least number of bytes of its memory, or 0 when it is not valid.
size_t getLayout(struct Reader *reader, struct AudioMemory *memory);
/// Maps the question's next descriptor; NULL unless its size is sealed and large enough.
void *mapNext(struct Mapping *mapping, struct Question *question, size_t minimumByteCount, bool isWritable);
void unmap(struct Mapping *mapping);

/// What a message says of a wiring: one input bus, and perhaps a successor.
struct WiringWish {
  struct AudioMemory input;
  size_t inputByteCount;
  uint32_t firstInputChannel;
  bool isConnected, hasSuccessor;
};

/// Reads the connections and whether there is a successor; why they cannot be right, or NULL.
const char *getWiringWish(struct Reader *body, struct WiringWish *wish, uint32_t channelCount, uint32_t frameCount);
/// Unmaps all that belongs to a wiring.
void dropWiring(struct Wiring *wiring);
/// Maps a wiring's successor and input; false when anything is missing.
bool mapRest(struct Wiring *wiring, struct Question *question, const struct WiringWish *wish);
/// Maps a wiring's own doorbell and the host's; false when anything is missing.
bool mapDoorbells(struct Wiring *wiring, struct Question *question);

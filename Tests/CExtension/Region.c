// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The check of the region's header: sections within it, one after another, and numbers that the protocol allows. Main thread.
#include "Region.h"

static bool isPowerOfTwo(uint32_t number, uint32_t limit) {
  return number > 0 && number <= limit && (number & (number - 1)) == 0;
}

static bool sectionsFit(const struct CWireLayout_RegionHeader *header) {
  const uint64_t sections[6][2] = {
      {header->hostWordsOffset, sizeof(struct CWireLayout_HostWords)},
      {header->pluginWordsOffset, sizeof(struct CWireLayout_PluginWords)},
      {header->requestsOffset, header->slotCount * sizeof(struct CWireLayout_Request)},
      {header->repliesOffset, header->slotCount * sizeof(struct CWireLayout_Reply)},
      {header->hostToPluginEventsOffset, header->hostToPluginEventCapacity * sizeof(struct CWireLayout_Event)},
      {header->pluginToHostEventsOffset, header->pluginToHostEventCapacity * sizeof(struct CWireLayout_Event)},
  };
  uint64_t end = sizeof *header;
  for (int index = 0; index < 6; index++) {
    uint64_t offset = sections[index][0], size = sections[index][1];
    if (offset % CWireLayout_cacheLineByteCount != 0 || offset < end) return false;
    if (offset > header->byteCount || size > header->byteCount - offset) return false;
    end = offset + size;
  }
  return true;
}

bool isValidHeader(const struct CWireLayout_RegionHeader *header, size_t byteCount, double rate, uint32_t frameCount) {
  return header->magic == CWireLayout_magic && header->version == 1 && header->byteCount == byteCount &&
         header->sampleRate == rate && header->maximumFrameCount == frameCount &&
         isPowerOfTwo(header->slotCount, CWireLayout_maximumSlotCount) && header->inputBusCount == 1 &&
         header->outputBusCount == 1 &&
         isPowerOfTwo(header->hostToPluginEventCapacity, CWireLayout_maximumEventCapacity) &&
         isPowerOfTwo(header->pluginToHostEventCapacity, CWireLayout_maximumEventCapacity) && sectionsFit(header);
}

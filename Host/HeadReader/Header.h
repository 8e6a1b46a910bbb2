// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The first message of the reader of heads to the host, which `Host/HeadFiles/HeadReaderHeader.swift` reads.
#pragma once

#include <stdint.h>

enum {
  HeadReader_refusal = 1,
  HeadReader_table = 2,
  /// The arrays, in the order of their numbers.
  HeadReader_sourcePosition = 0,
  HeadReader_listenerPosition = 1,
  HeadReader_listenerView = 2,
  HeadReader_listenerUp = 3,
  HeadReader_receiverPosition = 4,
  HeadReader_sampleRate = 5,
  HeadReader_delay = 6,
  HeadReader_response = 7,
  HeadReader_arrayCount = 8,
  HeadReader_textBytes = 64,
  /// The most numbers of one message.
  HeadReader_pieceCount = 8192,
  HeadReader_mostBytes = 512 << 20,
};

/// The description of a file in its own words.
struct HeadReader_Header {
  uint32_t kind;
  /// libmysofa's error, for a refusal without a text.
  int32_t code;
  /// I, C, R, E, N, M, as AES69 calls them.
  uint32_t dimensions[6];
  /// The numbers of each array.
  uint32_t counts[HeadReader_arrayCount];
  /// The coordinates and units of each array; each text ends with 0.
  char types[HeadReader_arrayCount][HeadReader_textBytes];
  char units[HeadReader_arrayCount][HeadReader_textBytes];
  /// The convention and the type of data; or the reason of a refusal.
  char texts[2][HeadReader_textBytes];
};

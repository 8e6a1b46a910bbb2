// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The bytes that host and plug-in share: fixed-width C structs, with every size and offset asserted.
//
// Protocol/README.md is the specification; this header states its layouts for compilers. All numbers are little-endian. Audio
// is planar IEEE 754 32-bit float.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define CWIRE_ASSERT_OFFSET(type, field, offset) \
  _Static_assert(offsetof(struct type, field) == (offset), #type "." #field " is not at byte " #offset)
#define CWIRE_ASSERT_SIZE(type, size) _Static_assert(sizeof(struct type) == (size), #type " is not " #size " bytes long")

enum {
  CWireLayout_pageByteCount = 4096,
  CWireLayout_cacheLineByteCount = 64,
  /// "BLKH" in memory.
  CWireLayout_magic = 0x484B4C42,
  /// The versions of the protocol that this header describes.
  CWireLayout_minimumVersion = 1,
  CWireLayout_maximumVersion = 3,
  /// The version of the region's layout, which later versions of the protocol have not changed.
  CWireLayout_layoutVersion = 1,
  CWireLayout_maximumBusCount = 8,
  CWireLayout_maximumChannelCount = 64,
  /// The number of speakers that `allocate` can name.
  CWireLayout_speakerCount = 18,
  CWireLayout_maximumSlotCount = 64,
  CWireLayout_maximumFrameCount = 65536,
  CWireLayout_maximumEventCapacity = 65536,
  /// The number of wirings: number 0 comes with `allocate`, the others with `wire`.
  CWireLayout_wiringCount = 4,
};

/// The start of the region.
///
/// The host writes it before it passes the descriptor; after that it never changes.
struct CWireLayout_RegionHeader {
  uint32_t magic;
  uint32_t version;
  /// The size of the whole region, which must agree with fstat.
  uint64_t byteCount;
  /// The sample rate in frames a second.
  double sampleRate;
  /// The largest number of frames in a request.
  uint32_t maximumFrameCount;
  /// The number of requests, replies and audio blocks that exist at a time; a power of two.
  uint32_t slotCount;
  uint32_t inputBusCount;
  uint32_t outputBusCount;
  /// The number of events that a ring holds; powers of two.
  uint32_t hostToPluginEventCapacity;
  uint32_t pluginToHostEventCapacity;
  /// Byte offsets from the start of the region.
  uint64_t hostWordsOffset;
  uint64_t pluginWordsOffset;
  uint64_t requestsOffset;
  uint64_t repliesOffset;
  uint64_t hostToPluginEventsOffset;
  uint64_t pluginToHostEventsOffset;
};
CWIRE_ASSERT_SIZE(CWireLayout_RegionHeader, 96);
CWIRE_ASSERT_OFFSET(CWireLayout_RegionHeader, byteCount, 8);
CWIRE_ASSERT_OFFSET(CWireLayout_RegionHeader, sampleRate, 16);
CWIRE_ASSERT_OFFSET(CWireLayout_RegionHeader, maximumFrameCount, 24);
CWIRE_ASSERT_OFFSET(CWireLayout_RegionHeader, slotCount, 28);
CWIRE_ASSERT_OFFSET(CWireLayout_RegionHeader, inputBusCount, 32);
CWIRE_ASSERT_OFFSET(CWireLayout_RegionHeader, outputBusCount, 36);
CWIRE_ASSERT_OFFSET(CWireLayout_RegionHeader, hostToPluginEventCapacity, 40);
CWIRE_ASSERT_OFFSET(CWireLayout_RegionHeader, pluginToHostEventCapacity, 44);
CWIRE_ASSERT_OFFSET(CWireLayout_RegionHeader, hostWordsOffset, 48);
CWIRE_ASSERT_OFFSET(CWireLayout_RegionHeader, pluginToHostEventsOffset, 88);

/// The state that only the host's render thread writes, in cache lines without other writers.
struct CWireLayout_HostWords {
  /// The newest request that is complete in its slot.
  ///
  /// Stored with release.
  uint64_t publishedSequence;
  /// Not zero while the host reads the replies and does not sleep: then it needs no wake-up.
  uint32_t spinning;
  uint8_t padding0[52];
  /// The number of events written so far to the ring towards the plug-in.
  ///
  /// Stored with release.
  uint64_t hostToPluginWritten;
  uint8_t padding1[56];
  /// The number of events read so far from the ring towards the host.
  ///
  /// Stored with release.
  uint64_t pluginToHostRead;
  uint8_t padding2[56];
};
CWIRE_ASSERT_SIZE(CWireLayout_HostWords, 192);
CWIRE_ASSERT_OFFSET(CWireLayout_HostWords, spinning, 8);
CWIRE_ASSERT_OFFSET(CWireLayout_HostWords, hostToPluginWritten, 64);
CWIRE_ASSERT_OFFSET(CWireLayout_HostWords, pluginToHostRead, 128);

/// The state that only the plug-in's render thread writes (and, for `lifeline`, the kernel on its behalf).
struct CWireLayout_PluginWords {
  /// The newest request whose reply is complete in its slot.
  ///
  /// Stored with release.
  uint64_t completedSequence;
  /// The request whose rendering began last.
  ///
  /// It shows which unit was rendering when a process of several units died. Zero: the plug-in does not report it.
  uint64_t startedSequence;
  /// Not zero while the plug-in will read its doorbell before it sleeps: then it needs no wake-up.
  uint32_t spinning;
  uint8_t padding0[44];
  uint64_t hostToPluginRead;
  uint8_t padding1[56];
  uint64_t pluginToHostWritten;
  uint8_t padding2[56];
  /// A robust futex that the render thread owns: bit 31 and its thread id while it lives.
  ///
  /// The kernel sets bit 30 when the thread dies. Zero: the plug-in offers no lifeline.
  uint32_t lifeline;
  uint8_t padding3[60];
};
CWIRE_ASSERT_SIZE(CWireLayout_PluginWords, 256);
CWIRE_ASSERT_OFFSET(CWireLayout_PluginWords, startedSequence, 8);
CWIRE_ASSERT_OFFSET(CWireLayout_PluginWords, spinning, 16);
CWIRE_ASSERT_OFFSET(CWireLayout_PluginWords, hostToPluginRead, 64);
CWIRE_ASSERT_OFFSET(CWireLayout_PluginWords, pluginToHostWritten, 128);
CWIRE_ASSERT_OFFSET(CWireLayout_PluginWords, lifeline, 192);

/// Render flags of a request.
enum {
  /// Pass the input through, delayed by the latency.
  CWireLayout_requestBypass = 1 << 0,
  /// Forget all sound before this block.
  CWireLayout_requestReset = 1 << 1,
  /// There is no deadline.
  CWireLayout_requestOffline = 1 << 2,
  /// Ring the successor's doorbell when done; otherwise the host's.
  CWireLayout_requestRingSuccessor = 1 << 3,
  /// The sample time does not continue that of the last request.
  CWireLayout_requestDiscontinuity = 1 << 4,
};

/// Transport flags of a request.
enum {
  CWireLayout_transportPlaying = 1 << 0,
};

/// The values of `inputSlots`.
///
/// Values 0 to 63 are blocks of the memory that `allocate` connected.
enum {
  /// Values from here to 127 are blocks of the memory that the request's wiring connected.
  CWireLayout_inputSlotWired = 64,
  /// The bus is not connected for this request, and reads as silence.
  CWireLayout_inputSlotSilent = 255,
};

/// One render request; the host writes it into slot `sequence % slotCount`.
struct CWireLayout_Request {
  /// 1 for the first request after resources were allocated; each further request adds 1.
  uint64_t sequence;
  /// The sample time of the first frame: frames since rendering started.
  int64_t sampleTime;
  /// CLOCK_MONOTONIC nanoseconds at the start of the cycle.
  uint64_t hostTime;
  /// Frames to take from the inputs, and frames to render.
  ///
  /// They differ only for units that stretch time.
  uint32_t inputFrameCount;
  uint32_t outputFrameCount;
  uint32_t flags;
  uint32_t transportFlags;
  /// The tempo in quarter notes a minute.
  double tempo;
  /// The position in quarter notes since the start of the song.
  double beatPosition;
  uint16_t timeSignatureNumerator;
  uint16_t timeSignatureDenominator;
  /// Events to take from the ring towards the plug-in before rendering.
  uint32_t eventCount;
  /// The number to store in the successor's doorbell.
  uint32_t successorRing;
  /// The block of the output memory to write.
  uint32_t outputSlot;
  /// For each input, the block to read, and the memory that holds it.
  uint8_t inputSlots[8];
  /// The time to spin on the doorbell after the reply, before sleeping.
  ///
  /// Zero: not at all.
  uint32_t spinNanoseconds;
  /// The wiring to render with; 0 from hosts of version 1.
  uint32_t wiring;
  uint8_t reserved[40];
};
CWIRE_ASSERT_SIZE(CWireLayout_Request, 128);
CWIRE_ASSERT_OFFSET(CWireLayout_Request, inputFrameCount, 24);
CWIRE_ASSERT_OFFSET(CWireLayout_Request, flags, 32);
CWIRE_ASSERT_OFFSET(CWireLayout_Request, tempo, 40);
CWIRE_ASSERT_OFFSET(CWireLayout_Request, timeSignatureNumerator, 56);
CWIRE_ASSERT_OFFSET(CWireLayout_Request, eventCount, 60);
CWIRE_ASSERT_OFFSET(CWireLayout_Request, successorRing, 64);
CWIRE_ASSERT_OFFSET(CWireLayout_Request, outputSlot, 68);
CWIRE_ASSERT_OFFSET(CWireLayout_Request, inputSlots, 72);
CWIRE_ASSERT_OFFSET(CWireLayout_Request, spinNanoseconds, 80);
CWIRE_ASSERT_OFFSET(CWireLayout_Request, wiring, 84);

/// The result of a request.
enum {
  CWireLayout_replyOK = 0,
  /// The request has more frames than were allocated; nothing was rendered.
  CWireLayout_replyTooManyFrames = 1,
  /// The request contradicts itself or the layout; nothing was rendered.
  CWireLayout_replyMalformed = 2,
  /// The unit cannot render: the plug-in that it wraps yields NaN or infinity, or could not be recreated.
  ///
  /// The output is silent.
  CWireLayout_replyUnable = 3,
};

/// The reply to a request, in the slot of the same number.
struct CWireLayout_Reply {
  uint64_t sequence;
  uint32_t status;
  /// The number of frames rendered in every output channel.
  uint32_t outputFrameCount;
  /// The number of frames taken from the inputs.
  uint32_t inputFrameCount;
  uint32_t latencyFrameCount;
  /// The frames of sound after the input has become silent; the largest value means for ever.
  uint32_t tailFrameCount;
  /// The number of events dropped for lack of room, in both directions, since resources were allocated.
  uint32_t droppedEventCount;
  /// The time that rendering took.
  uint64_t renderNanoseconds;
  /// The number of stretches that the unit silenced for NaN or infinity, since resources were allocated.
  uint32_t invalidStretchCount;
  /// The number of notes for which the unit has no sound, and of programs that another one replaced.
  ///
  /// Both since resources were allocated.
  uint32_t unplayedNoteCount;
  uint32_t substitutedProgramCount;
  uint8_t reserved[12];
};
CWIRE_ASSERT_SIZE(CWireLayout_Reply, 64);
CWIRE_ASSERT_OFFSET(CWireLayout_Reply, status, 8);
CWIRE_ASSERT_OFFSET(CWireLayout_Reply, renderNanoseconds, 32);
CWIRE_ASSERT_OFFSET(CWireLayout_Reply, unplayedNoteCount, 44);

enum {
  CWireLayout_eventNone = 0,
  /// `address`, `value`: a parameter's new value, reached over `rampFrameCount` frames.
  CWireLayout_eventParameter = 1,
  /// `byteCount` MIDI bytes, the first eight in `address`, the rest in `value`, low byte first.
  CWireLayout_eventMIDI = 2,
};

enum {
  /// More pieces of the same MIDI message follow.
  CWireLayout_eventContinues = 1 << 0,
};

/// One event in a ring.
struct CWireLayout_Event {
  /// The sample time at which the event takes effect.
  ///
  /// A time before the block means its first frame.
  int64_t sampleTime;
  uint8_t kind;
  uint8_t cable;
  uint8_t byteCount;
  uint8_t flags;
  uint32_t rampFrameCount;
  uint64_t address;
  /// The bits of a 64-bit float for a parameter.
  uint64_t value;
};
CWIRE_ASSERT_SIZE(CWireLayout_Event, 32);
CWIRE_ASSERT_OFFSET(CWireLayout_Event, kind, 8);
CWIRE_ASSERT_OFFSET(CWireLayout_Event, rampFrameCount, 12);
CWIRE_ASSERT_OFFSET(CWireLayout_Event, address, 16);
CWIRE_ASSERT_OFFSET(CWireLayout_Event, value, 24);

/// The header of every message on the control channel.
struct CWireLayout_MessageHeader {
  uint32_t magic;
  uint16_t kind;
  uint16_t flags;
  /// The number that the requesting side chooses and the answer repeats.
  ///
  /// Zero: there was no request.
  uint32_t serial;
  /// The byte count of the body, in this datagram, in the next ones, or in the last descriptor.
  uint32_t byteCount;
};
CWIRE_ASSERT_SIZE(CWireLayout_MessageHeader, 16);

enum {
  /// The body lies in a sealed memfd, the last descriptor of the message.
  CWireLayout_messageBodyInDescriptor = 1 << 0,
  /// The body follows in its own datagrams, all but the last with the length below.
  CWireLayout_messageBodyInPieces = 1 << 1,
  /// The longest body in the same datagram.
  CWireLayout_maximumInlineByteCount = 32768,
  /// The longest body of any message.
  CWireLayout_maximumBodyByteCount = 67108864,
  CWireLayout_maximumDescriptorCount = 16,
  /// The longest body of `welcome`, and the largest number of texts and of presets in it.
  CWireLayout_maximumWelcomeByteCount = 16777216,
  CWireLayout_maximumTextCount = 1024,
  CWireLayout_maximumPresetCount = 16384,
  /// The longest body of `units`, and the largest number of units, of extended identifiers and of defects in it.
  CWireLayout_maximumListingByteCount = 16777216,
  CWireLayout_maximumListingCount = 1024,
};

enum {
  // Host to plug-in
  CWireLayout_messageHello = 1,
  CWireLayout_messageAllocate = 2,
  CWireLayout_messageDeallocate = 3,
  CWireLayout_messageSetParameters = 4,
  CWireLayout_messageSelectPreset = 5,
  CWireLayout_messageSaveState = 6,
  CWireLayout_messageRestoreState = 7,
  CWireLayout_messageReset = 8,
  CWireLayout_messageShutdown = 9,
  CWireLayout_messageListUnits = 10,
  CWireLayout_messageSetText = 11,
  CWireLayout_messageAddUnit = 12,
  CWireLayout_messageWire = 13,
  CWireLayout_messageOpenView = 14,
  // Plug-in to host
  CWireLayout_messageWelcome = 65,
  CWireLayout_messageDone = 66,
  CWireLayout_messageRefused = 67,
  CWireLayout_messageAllocated = 68,
  CWireLayout_messageState = 69,
  CWireLayout_messageVersionRefused = 70,
  CWireLayout_messageUnits = 71,
  CWireLayout_messageViewOpened = 72,
};

/// The start of a view's memory; room for the cells follows, and then room for the pixels.
struct CWireLayout_ViewHeader {
  uint32_t magic;
  /// The version of this layout, 1.
  uint32_t version;
  /// The number of cells that fit.
  uint32_t capacity;
  /// The number of pixels that fit, which may be 0.
  uint32_t pixelCapacity;
  /// From here on written by the plug-in; odd while it draws.
  ///
  /// Atomic.
  uint32_t generation;
  uint16_t columnCount;
  uint16_t rowCount;
  /// The part that differs from the last picture.
  uint16_t damageColumn;
  uint16_t damageRow;
  uint16_t damageColumnCount;
  uint16_t damageRowCount;
  /// The cells that a picture in pixels replaces.
  uint16_t pixelColumn;
  uint16_t pixelRow;
  uint16_t pixelColumnCount;
  uint16_t pixelRowCount;
  /// The size of that picture; 0 for no picture.
  uint16_t pixelWidth;
  uint16_t pixelHeight;
  uint8_t unused[20];
};
CWIRE_ASSERT_SIZE(CWireLayout_ViewHeader, 64);
CWIRE_ASSERT_OFFSET(CWireLayout_ViewHeader, capacity, 8);
CWIRE_ASSERT_OFFSET(CWireLayout_ViewHeader, generation, 16);
CWIRE_ASSERT_OFFSET(CWireLayout_ViewHeader, columnCount, 20);
CWIRE_ASSERT_OFFSET(CWireLayout_ViewHeader, rowCount, 22);
CWIRE_ASSERT_OFFSET(CWireLayout_ViewHeader, damageColumn, 24);
CWIRE_ASSERT_OFFSET(CWireLayout_ViewHeader, damageRowCount, 30);
CWIRE_ASSERT_OFFSET(CWireLayout_ViewHeader, pixelCapacity, 12);
CWIRE_ASSERT_OFFSET(CWireLayout_ViewHeader, pixelColumn, 32);
CWIRE_ASSERT_OFFSET(CWireLayout_ViewHeader, pixelWidth, 40);

/// A character of a view.
struct CWireLayout_Cell {
  uint32_t codePoint;
  uint32_t foreground;
  uint32_t background;
  uint16_t attributes;
  uint16_t mark;
};
CWIRE_ASSERT_SIZE(CWireLayout_Cell, 16);
CWIRE_ASSERT_OFFSET(CWireLayout_Cell, foreground, 4);
CWIRE_ASSERT_OFFSET(CWireLayout_Cell, background, 8);
CWIRE_ASSERT_OFFSET(CWireLayout_Cell, attributes, 12);
CWIRE_ASSERT_OFFSET(CWireLayout_Cell, mark, 14);

/// A datagram of a view's channel.
struct CWireLayout_ViewMessage {
  uint16_t kind;
  uint16_t modifiers;
  uint32_t a;
  uint64_t address;
  double value;
  uint32_t b;
  uint32_t c;
};
CWIRE_ASSERT_SIZE(CWireLayout_ViewMessage, 32);
CWIRE_ASSERT_OFFSET(CWireLayout_ViewMessage, modifiers, 2);
CWIRE_ASSERT_OFFSET(CWireLayout_ViewMessage, a, 4);
CWIRE_ASSERT_OFFSET(CWireLayout_ViewMessage, address, 8);
CWIRE_ASSERT_OFFSET(CWireLayout_ViewMessage, value, 16);
CWIRE_ASSERT_OFFSET(CWireLayout_ViewMessage, b, 24);
CWIRE_ASSERT_OFFSET(CWireLayout_ViewMessage, c, 28);

enum {
  CWireLayout_viewVersion = 1,
  CWireLayout_maximumViewCellCount = 131072,
  CWireLayout_maximumViewPixelCount = 2097152,
  CWireLayout_maximumViewSizeCount = 8,
  // Host to view
  CWireLayout_viewSize = 1,
  CWireLayout_viewKey = 2,
  CWireLayout_viewMouse = 3,
  CWireLayout_viewFocus = 4,
  CWireLayout_viewValue = 5,
  CWireLayout_viewLook = 6,
  // View to host
  CWireLayout_viewDrawn = 65,
  CWireLayout_viewSet = 66,
  CWireLayout_viewTouch = 67,
  CWireLayout_viewHere = 68,
  /// Keys without a character follow this number.
  CWireLayout_viewNamedKeys = 0x110000,
};

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Universal MIDI Packets, in which PipeWire carries MIDI since 1.4, and messages of MIDI 1.0. Any thread; no memory of its own.
//
// Source: MIDI Association, "Universal MIDI Packet (UMP) Format and MIDI 2.0 Protocol", with its translation to MIDI 1.0. Of values of
// 32 bits 14 are kept, as pairs of controllers; what belongs to a single note has no message of MIDI 1.0.
#include <string.h>

#include "Private.h"

enum { systemPacket = 1, voicePacket = 2, exclusivePacket = 3, wideVoicePacket = 4 };
/// The kinds of messages about a channel, as both protocols number them, and those of MIDI 2.0 alone.
enum { registered = 2, assignable = 3, noteOff = 8, noteOn = 9, keyPressure = 10, controller = 11, program = 12, channelPressure = 13, bend = 14 };

uint32_t CPipeWireShims_packetWordCount(uint32_t first) {
  static const uint8_t counts[16] = {1, 1, 1, 2, 2, 4, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4};
  return counts[first >> 28];
}

/// The messages that a packet becomes.
typedef struct {
  CPipeWireShims_MIDIMessage *messages;
  uint32_t count;
} Translation;

static void put(Translation *translation, uint32_t byteCount, uint32_t status, uint32_t first, uint32_t second) {
  CPipeWireShims_MIDIMessage message = {(uint8_t)byteCount, {(uint8_t)status, (uint8_t)(first & 0x7F), (uint8_t)(second & 0x7F)}};
  translation->messages[translation->count++] = message;
}

static void putController(Translation *translation, uint32_t channel, uint32_t number, uint32_t value) {
  put(translation, 3, controller << 4 | channel, number, value);
}

/// The coarse and the fine 7 bits of a value of 32 bits.
static uint32_t coarse(uint32_t value) { return value >> 25; }
static uint32_t fine(uint32_t value) { return value >> 18 & 0x7F; }

static void translateParameter(Translation *translation, uint32_t channel, uint32_t first, uint32_t value, bool isRegistered) {
  putController(translation, channel, isRegistered ? 101 : 99, first >> 8);
  putController(translation, channel, isRegistered ? 100 : 98, first);
  putController(translation, channel, 6, coarse(value));
  putController(translation, channel, 38, fine(value));
}

static void translateProgram(Translation *translation, uint32_t channel, uint32_t first, uint32_t value) {
  if (first & 1) {
    putController(translation, channel, 0, value >> 8);
    putController(translation, channel, 32, value);
  }
  put(translation, 2, program << 4 | channel, value >> 24, 0);
}

static void translateController(Translation *translation, uint32_t channel, uint32_t number, uint32_t value) {
  putController(translation, channel, number, coarse(value));
  // Those below 32 have a partner for the fine bits.
  if (number < 32) putController(translation, channel, number + 32, fine(value));
}

static void translateWideVoice(Translation *translation, uint32_t first, uint32_t value) {
  uint32_t kind = first >> 20 & 0xF, status = first >> 16 & 0xFF, channel = status & 0xF, index = first >> 8 & 0x7F;
  // A note that begins never has the velocity 0, which would end it.
  uint32_t velocity = value >> 25;
  if (kind == noteOn && velocity == 0) velocity = 1;
  if (kind == noteOn || kind == noteOff || kind == keyPressure) put(translation, 3, status, index, velocity);
  if (kind == registered || kind == assignable) translateParameter(translation, channel, first, value, kind == registered);
  if (kind == controller) translateController(translation, channel, index, value);
  if (kind == program) translateProgram(translation, channel, first, value);
  if (kind == channelPressure) put(translation, 2, status, coarse(value), 0);
  if (kind == bend) put(translation, 3, status, fine(value), coarse(value));
}

static void translateSystem(Translation *translation, uint32_t first) {
  uint32_t status = first >> 16 & 0xFF;
  uint32_t byteCount = status == 0xF2 ? 3 : status == 0xF1 || status == 0xF3 ? 2 : 1;
  if (status > 0xF0 && status != 0xF7) put(translation, byteCount, status, first >> 8, first);
}

/// Up to six bytes of a system-exclusive message, with its beginning and its end where they are in the packet.
static void translateExclusive(Translation *translation, uint32_t first, uint32_t second) {
  uint32_t form = first >> 20 & 0xF, dataCount = SPA_MIN(first >> 16 & 0xF, 6u), count = 0;
  uint8_t bytes[8];
  if (form > 3) return;
  if (form < 2) bytes[count++] = 0xF0;
  for (uint32_t index = 0; index < dataCount; index++)
    bytes[count++] = (index < 2 ? first >> (8 - 8 * index) : second >> (40 - 8 * index)) & 0x7F;
  if (form == 0 || form == 3) bytes[count++] = 0xF7;
  for (uint32_t start = 0; start < count; start += 3) {
    CPipeWireShims_MIDIMessage message = {.byteCount = (uint8_t)SPA_MIN(count - start, 3u)};
    memcpy(message.bytes, bytes + start, message.byteCount);
    translation->messages[translation->count++] = message;
  }
}

uint32_t CPipeWireShims_translatePacket(const uint32_t *words, CPipeWireShims_MIDIMessage *messages) {
  Translation translation = {messages, 0};
  uint32_t kind = words[0] >> 28, status = words[0] >> 16 & 0xFF;
  if (kind == systemPacket) translateSystem(&translation, words[0]);
  if (kind == voicePacket && status >= 0x80 && status < 0xF0)
    put(&translation, status >> 4 == program || status >> 4 == channelPressure ? 2 : 3, status, words[0] >> 8, words[0]);
  if (kind == exclusivePacket) translateExclusive(&translation, words[0], words[1]);
  if (kind == wideVoicePacket) translateWideVoice(&translation, words[0], words[1]);
  return translation.count;
}

/// A part of a system-exclusive message.
static uint32_t packExclusive(const uint8_t *bytes, uint32_t byteCount, uint32_t *words) {
  bool begins = bytes[0] == 0xF0, ends = bytes[byteCount - 1] == 0xF7;
  uint32_t form = begins ? (ends ? 0 : 1) : (ends ? 3 : 2), dataCount = 0;
  words[0] = words[1] = 0;
  for (uint32_t index = 0; index < byteCount; index++) {
    if (bytes[index] >= 0x80) continue;
    if (dataCount < 2) words[0] |= (uint32_t)bytes[index] << (8 - 8 * dataCount);
    else words[1] |= (uint32_t)bytes[index] << 24;
    dataCount++;
  }
  words[0] |= (uint32_t)exclusivePacket << 28 | form << 20 | dataCount << 16;
  return 2;
}

uint32_t CPipeWireShims_packMessage(const uint8_t *bytes, uint32_t byteCount, uint32_t *words) {
  if (bytes[0] == 0xF0 || bytes[0] == 0xF7 || bytes[0] < 0x80) return packExclusive(bytes, byteCount, words);
  uint32_t kind = bytes[0] > 0xF0 ? systemPacket : voicePacket;
  words[0] = kind << 28 | (uint32_t)bytes[0] << 16;
  if (byteCount > 1) words[0] |= (uint32_t)(bytes[1] & 0x7F) << 8;
  if (byteCount > 2) words[0] |= bytes[2] & 0x7F;
  return 1;
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The numbers of the meta events that are read or written. Any thread.

/// The types of meta events.
enum MetaType {
    static let (text, trackName, marker, device) = (0x01, 0x03, 0x06, 0x09)
    static let (port, endOfTrack, tempo, timeSignature) = (0x21, 0x2F, 0x51, 0x58)
}

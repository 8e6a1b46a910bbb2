// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tells which thing a system-exclusive message sets, and whether it lasts. Any thread.

/// The bytes of a whole system-exclusive message, and the thing that it sets.
///
/// Sources: MIDI Manufacturers Association, "Universal System Exclusive Messages"; the published implementation charts of GS and XG.
struct ExclusiveSubject {
    private let bytes: UnsafePointer<UInt8>
    private let byteCount: Int

    /// The bytes must exist as long as the value.
    @_noLocks
    init(_ bytes: UnsafePointer<UInt8>, count: Int) { (self.bytes, byteCount) = (bytes, count) }

    /// The byte at a place; 0 behind the end.
    @_noLocks
    private func byte(_ index: Int) -> UInt8 { index < byteCount ? bytes[index] : 0 }

    /// The number of bytes at the beginning that name the thing.
    ///
    /// A later message of the same length with the same beginning replaces an earlier one. A message of an unknown kind is replaced by one
    /// with the same bytes alone.
    var nameCount: Int { @_noLocks get { max(0, min(byteCount, knownNameCount ?? byteCount)) } }

    private var knownNameCount: Int? {
        @_noLocks get {
            switch byte(1) {
            case 0x7E, 0x7F: universalNameCount
            // Behind the model and the command: three bytes of address.
            case 0x41 where byte(3) == 0x42 && byte(4) == 0x12: 8
            case 0x43 where byte(3) == 0x4C && byte(2) & 0xF0 == 0x10: 7
            default: nil
            }
        }
    }

    private var universalNameCount: Int? {
        @_noLocks get {
            switch (byte(3), byte(4)) {
            // A parameter of an effect of General MIDI 2: its value ends the message.
            case (0x04, 0x05) where byte(7) > 0 && Int(byte(7)) < byteCount &- 9: byteCount &- 1 &- Int(byte(7))
            case (0x04, 0x05): nil
            case (0x04, _) where byte(1) == 0x7F: 5
            // Tunings: of a program, of one key, of one key of a bank, and of the notes of an octave.
            case (0x08, 0x01): 6
            case (0x08, 0x02) where byte(6) == 1: 8
            case (0x08, 0x07) where byte(7) == 1: 9
            case (0x08, 0x08), (0x08, 0x09): 8
            default: nil
            }
        }
    }

    /// True for a reset, and for a message that sets something that lasts; false for a request, a time, a command to a recorder, or a sample dump.
    var lasts: Bool {
        @_noLocks get {
            if SystemReset.isReset(bytes, count: byteCount) { return true }
            return switch (byte(1), byte(3), byte(4)) {
            case (0x7E, 0x08, 0x00), (0x7E, 0x08, 0x03): false
            case (0x7E, 0x08, _), (0x7E, 0x09, _): true
            case (0x7F, 0x04, _), (0x7F, 0x08, _), (0x7F, 0x09, _), (0x7F, 0x0A, _): true
            case (0x7E, _, _), (0x7F, _, _): false
            case (0x41, 0x42, 0x11): false
            case (0x43, _, _): byte(2) & 0x70 != 0x20 && byte(2) & 0x70 != 0x30
            default: byteCount > 4
            }
        }
    }
}

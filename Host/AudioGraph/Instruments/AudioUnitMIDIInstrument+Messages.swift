// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Functions that send an instrument MIDI messages. Any thread but the render thread.

import AudioUnits

extension AudioUnitMIDIInstrument {
    /// Starts a note; velocity 0 stops it.
    public func startNote(_ note: UInt8, withVelocity velocity: UInt8, onChannel channel: UInt8) {
        sendMIDIEvent(Self.status(0x90, channel), data1: note, data2: velocity)
    }

    /// Stops a note.
    public func stopNote(_ note: UInt8, onChannel channel: UInt8) {
        sendMIDIEvent(Self.status(0x80, channel), data1: note, data2: 64)
    }

    /// Sets a controller, such as 7 for the volume or 64 for the sustain pedal.
    public func sendController(_ controller: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
        sendMIDIEvent(Self.status(0xB0, channel), data1: controller, data2: value)
    }

    /// Bends the pitch of a channel: 8192 is the middle; 0 and 16383 are usually two semitones away.
    public func sendPitchBend(_ value: UInt16, onChannel channel: UInt8) {
        let value = min(value, 16_383)
        sendMIDIEvent(Self.status(0xE0, channel), data1: UInt8(value & 0x7F), data2: UInt8(value >> 7))
    }

    /// Sets the pressure of a channel.
    public func sendPressure(_ pressure: UInt8, onChannel channel: UInt8) {
        sendMIDIEvent(Self.status(0xD0, channel), data1: pressure)
    }

    /// Sets the pressure of one key.
    public func sendPressure(forKey key: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
        sendMIDIEvent(Self.status(0xA0, channel), data1: key, data2: value)
    }

    /// Selects another program of a channel's present bank.
    public func sendProgramChange(_ program: UInt8, onChannel channel: UInt8) {
        sendMIDIEvent(Self.status(0xC0, channel), data1: program)
    }

    /// Selects a program of another bank for a channel.
    public func sendProgramChange(_ program: UInt8, bankMSB: UInt8, bankLSB: UInt8, onChannel channel: UInt8) {
        sendController(0, withValue: bankMSB, onChannel: channel)
        sendController(32, withValue: bankLSB, onChannel: channel)
        sendProgramChange(program, onChannel: channel)
    }

    /// Sends a message of two bytes; ignores a status that is invalid, or belongs to a longer or shorter message.
    public func sendMIDIEvent(_ status: UInt8, data1: UInt8) {
        let message = MIDIMessage(status, min(data1, 127), byteCount: 2)
        if message.isWhole { send(message) }
    }

    /// Sends a message of three bytes; ignores a status that is invalid, or belongs to a shorter or system exclusive message.
    public func sendMIDIEvent(_ status: UInt8, data1: UInt8, data2: UInt8) {
        let message = MIDIMessage(status, min(data1, 127), min(data2, 127), byteCount: 3)
        if message.isWhole { send(message) }
    }

    /// Sends a system-exclusive message, from the byte F0 to the byte F7; other bytes are ignored.
    public func sendMIDISysExEvent(_ bytes: [UInt8]) {
        guard MIDIMessage.isSystemExclusive(bytes) else { return }
        for piece in MIDIMessage.pieces(of: bytes) { send(piece) }
    }

    private static func status(_ kind: UInt8, _ channel: UInt8) -> UInt8 { kind | min(channel, 15) }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// MIDI and the song's position for the plug-in, queued for the next run. Render thread.

import CLV2Shims
import PluginSDK

extension MessagePorts {
    /// Queues a MIDI message for the next run; a long one once its last piece has come.
    @_noLocks
    mutating func take(_ midi: MIDIMessage, atFrame frame: Int) {
        if midi.isWhole {
            body.storeBytes(of: midi.bytes.low, as: UInt64.self)
            body.storeBytes(of: midi.bytes.high, toByteOffset: 8, as: UInt64.self)
            send(UnsafeRawPointer(body), UInt32(min(midi.byteCount, 16)), cable: midi.cable, atFrame: frame)
        } else if long.take(midi) {
            send(UnsafeRawPointer(long.bytes), UInt32(truncatingIfNeeded: long.byteCount), cable: midi.cable, atFrame: frame)
        }
    }

    /// Queues a whole message for the port of a cable; messages for missing cables go to the first port.
    @_noLocks
    private mutating func send(_ bytes: UnsafeRawPointer, _ byteCount: UInt32, cable: UInt8, atFrame frame: Int) {
        var port = Int(cable) < midiInputCount ? Int(cable) : 0
        while port < midiInputs.count {
            if !append(bytes, byteCount, to: midiInputs[port], atFrame: frame) { hasLostMIDI = true }
            port &+= midiInputCount
        }
    }

    /// Ends all notes at the start of the next run, because the end of a note may have been lost.
    @_noLocks
    mutating func endNotes() {
        hasLostMIDI = false
        for channel in 0..<16 as Range<UInt8> {
            // Control change 123, "all notes off".
            body.storeBytes(of: 0x7BB0 | UInt64(channel), as: UInt64.self)
            for port in 0..<midiInputs.count { _ = append(UnsafeRawPointer(body), 3, to: midiInputs[port], atFrame: 0) }
        }
    }

    /// Appends a MIDI message; false without room.
    @_noLocks
    private func append(_ bytes: UnsafeRawPointer, _ byteCount: UInt32, to port: AtomPort, atFrame frame: Int) -> Bool {
        let type = CLV2Shims_vocabulary().pointee.midiEvent
        return CLV2Shims_append(port.buffer, port.capacity, Int64(frame), type, bytes, byteCount)
    }

    /// Queues the song's position for the next run.
    @_noLocks
    func send(_ position: CLV2Shims_Position, atFrame frame: Int) {
        for index in 0..<songInputs.count {
            let port = songInputs[index]
            withUnsafePointer(to: position) { _ = CLV2Shims_appendPosition(port.buffer, port.capacity, Int64(frame), $0) }
        }
    }
}

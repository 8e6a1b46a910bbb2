// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Towards the plug-in: MIDI and the song's position, queued for the next run. Render thread.

import CLV2Shims
import PluginSDK

extension MessagePorts {
    /// Queues a MIDI message for the next run. It is whole: pieces of longer ones do not get this far.
    @_noLocks
    mutating func take(_ midi: MIDIMessage, atFrame frame: Int) {
        body.storeBytes(of: midi.bytes.low, as: UInt64.self)
        body.storeBytes(of: midi.bytes.high, toByteOffset: 8, as: UInt64.self)
        let byteCount = UInt32(min(midi.byteCount, 16))
        if !send(CLV2Shims_vocabulary().pointee.midiEvent, body, byteCount, Int(midi.cable), frame) { hasLostMIDI = true }
    }

    /// Ends all notes at the beginning of the next run, because the message that was to end one may be lost.
    @_noLocks
    mutating func endNotes() {
        hasLostMIDI = false
        for channel in 0..<16 as Range<UInt8> {
            for index in 0..<instanceCount {
                for port in 0..<instances[index].inputCount where instances[index].inputs[port].takesMIDI {
                    let port = instances[index].inputs[port]
                    // Control change 123, "all notes off".
                    body.storeBytes(of: 0x7BB0 | UInt64(channel), as: UInt64.self)
                    let type = CLV2Shims_vocabulary().pointee.midiEvent
                    _ = CLV2Shims_append(port.buffer, port.capacity, 0, type, body, 3)
                }
            }
        }
    }

    /// A cable is a port; what comes through cables that the plug-in has not goes to its first. False without room.
    @_noLocks
    private func send(_ type: UInt32, _ body: UnsafeRawPointer, _ byteCount: UInt32, _ cable: Int, _ frame: Int) -> Bool {
        var hasRoom = true
        for index in 0..<instanceCount {
            let instance = instances[index]
            var (chosen, number) = (-1, 0)
            for port in 0..<instance.inputCount where instance.inputs[port].takesMIDI {
                if chosen < 0 || number == cable { chosen = port }
                number &+= 1
            }
            guard chosen >= 0 else { continue }
            let port = instance.inputs[chosen]
            if !CLV2Shims_append(port.buffer, port.capacity, Int64(frame), type, body, byteCount) { hasRoom = false }
        }
        return hasRoom
    }

    /// Queues the song's position for the next run.
    @_noLocks
    func send(_ position: CLV2Shims_Position, atFrame frame: Int) {
        for index in 0..<instanceCount {
            let instance = instances[index]
            for port in 0..<instance.inputCount where instance.inputs[port].takesTime {
                let port = instance.inputs[port]
                withUnsafePointer(to: position) {
                    _ = CLV2Shims_appendPosition(port.buffer, port.capacity, Int64(frame), $0)
                }
            }
        }
    }
}

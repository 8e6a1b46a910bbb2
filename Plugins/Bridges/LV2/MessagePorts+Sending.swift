// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Towards the plug-in: MIDI, properties and the song's position, queued for the next run. Render thread.

import CLV2Shims
import PluginSDK

extension MessagePorts {
    /// Queues a MIDI message for the next run, put together first if it comes in pieces.
    @_noLocks
    mutating func take(_ midi: MIDIMessage, atFrame frame: Int) {
        let count = min(Int(midi.byteCount), 16)
        if pieceByteCount &+ count <= Self.longestMIDI {
            for index in 0..<count { pieces[pieceByteCount &+ index] = midi[index] }
        }
        // What is too long is counted on and dropped at its end.
        pieceByteCount = min(pieceByteCount &+ count, Self.longestMIDI &+ 1)
        guard !midi.continues else { return }
        if pieceByteCount > 0, pieceByteCount <= Self.longestMIDI {
            send(CLV2Shims_vocabulary().pointee.midiEvent, pieces, UInt32(pieceByteCount), Int(midi.cable), frame)
        }
        pieceByteCount = 0
    }

    /// A cable is a port; what comes through cables that the plug-in has not goes to its first.
    @_noLocks
    private func send(_ type: UInt32, _ body: UnsafeRawPointer, _ byteCount: UInt32, _ cable: Int, _ frame: Int) {
        for index in 0..<instanceCount {
            let instance = instances[index]
            var (chosen, number) = (-1, 0)
            for port in 0..<instance.inputCount where instance.inputs[port].takesMIDI {
                if chosen < 0 || number == cable { chosen = port }
                number &+= 1
            }
            guard chosen >= 0 else { continue }
            let port = instance.inputs[chosen]
            _ = CLV2Shims_append(port.buffer, port.capacity, Int64(frame), type, body, byteCount)
        }
    }

    /// Queues a property's value for the next run, if it is another than the plug-in has; false when there is no such property.
    @_noLocks
    mutating func apply(_ change: ParameterChange, atFrame frame: Int) -> Bool {
        guard change.address >= Settings.firstPropertyAddress else { return false }
        let index = Int(change.address &- Settings.firstPropertyAddress)
        guard index < propertyCount else { return false }
        guard properties[index].value != change.value else { return true }
        properties[index].value = change.value
        set(properties[index], change.value, frame)
        return true
    }

    @_noLocks
    private func set(_ property: RenderProperty, _ value: Double, _ frame: Int) {
        let words = CLV2Shims_vocabulary().pointee
        let bounded = max(-9e15, min(9e15, value))
        var (bits, byteCount): (UInt64, UInt32) = (0, 4)
        if property.type == words.floatType {
            bits = UInt64(Float(value).bitPattern)
        } else if property.type == words.doubleType {
            (bits, byteCount) = (value.bitPattern, 8)
        } else if property.type == words.longType {
            (bits, byteCount) = (UInt64(bitPattern: Int64(bounded)), 8)
        } else {
            let whole = Int32(truncatingIfNeeded: Int64(bounded))
            bits = UInt64(UInt32(bitPattern: whole))
        }
        message.storeBytes(of: bits, as: UInt64.self)
        send(CLV2Shims_Change(property: property.urid, type: property.type, byteCount: byteCount, body: message), frame)
    }

    /// Appends a patch:Set to the port of every instance that takes messages.
    @_noLocks
    private func send(_ change: CLV2Shims_Change, _ frame: Int) {
        for index in 0..<instanceCount {
            guard let port = messagePort(instances[index]) else { continue }
            withUnsafePointer(to: change) { _ = CLV2Shims_appendSet(port.buffer, port.capacity, Int64(frame), $0) }
        }
    }

    @_noLocks
    private func messagePort(_ instance: RenderInstance) -> AtomPort? {
        for port in 0..<instance.inputCount where instance.inputs[port].takesMessages { return instance.inputs[port] }
        return nil
    }

    /// Takes the texts that the control thread has sent; the first time the plug-in is asked for all of its properties too.
    @_noLocks
    mutating func takeTexts(atFrame frame: Int) {
        var byteCount: UInt32 = 0
        while CLV2Shims_read(toRender, message, &byteCount) {
            guard byteCount > 4 else { continue }
            let index = Int(message.load(as: UInt32.self))
            guard index < propertyCount else { continue }
            let property = properties[index]
            send(
                CLV2Shims_Change(property: property.urid, type: property.type, byteCount: byteCount &- 4, body: message + 4), frame)
        }
        guard !hasAsked else { return }
        hasAsked = true
        for index in 0..<instanceCount {
            if let port = messagePort(instances[index]) { _ = CLV2Shims_appendGet(port.buffer, port.capacity, Int64(frame)) }
        }
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

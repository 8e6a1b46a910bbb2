// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Towards the plug-in: MIDI, properties and the song's position, queued for the next run. Render thread.

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

    /// Queues a property's value for the next run, if it is another than the plug-in has; false when there is no such property.
    @_noLocks
    mutating func apply(_ change: ParameterChange, atFrame frame: Int) -> Bool {
        guard change.address >= Settings.firstPropertyAddress else { return false }
        let index = Int(change.address &- Settings.firstPropertyAddress)
        guard index < propertyCount else { return false }
        catchUp()
        properties[index].wanted = change.value
        tell(index, frame)
        return true
    }

    /// Queues what the host wants of a property, unless the plug-in has it; remembers it where there is no room.
    @_noLocks
    private mutating func tell(_ index: Int, _ frame: Int) {
        let property = properties[index]
        let isNews = property.value != property.wanted
        let isTold = !isNews || set(property, property.wanted, frame)
        properties[index].isUnsent = !isTold
        guard isNews, isTold else { return }
        properties[index].value = property.wanted
        properties[index].isQueued = true
    }

    /// False without room.
    @_noLocks
    private func set(_ property: RenderProperty, _ value: Double, _ frame: Int) -> Bool {
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
        body.storeBytes(of: bits, as: UInt64.self)
        return send(CLV2Shims_Change(property: property.urid, type: property.type, byteCount: byteCount, body: body), frame)
    }

    /// Appends a patch:Set to the port of every instance that takes messages; false where there is no room.
    @_noLocks
    private func send(_ change: CLV2Shims_Change, _ frame: Int) -> Bool {
        var hasRoom = true
        for index in 0..<instanceCount {
            guard let port = messagePort(instances[index]) else { continue }
            if !withUnsafePointer(to: change, { CLV2Shims_appendSet(port.buffer, port.capacity, Int64(frame), $0) }) {
                hasRoom = false
            }
        }
        return hasRoom
    }

    @_noLocks
    private func messagePort(_ instance: RenderInstance) -> AtomPort? {
        for port in 0..<instance.inputCount where instance.inputs[port].takesMessages { return instance.inputs[port] }
        return nil
    }

    /// Before a block: queues what waits for room, texts that the control thread has sent, one a run, and for each state
    /// once a question for all properties.
    @_noLocks
    mutating func sendWaiting(atFrame frame: Int) {
        catchUp()
        sendText(frame)
        for index in 0..<propertyCount where properties[index].isUnsent { tell(index, frame) }
        guard !hasAsked else { return }
        hasAsked = true
        isAskQueued = true
        for index in 0..<instanceCount {
            guard let port = messagePort(instances[index]) else { continue }
            if !CLV2Shims_appendGet(port.buffer, port.capacity, Int64(frame)) { hasAsked = false }
        }
    }

    @_noLocks
    private mutating func sendText(_ frame: Int) {
        guard !isTextQueued else { return }
        while textByteCount == 0 {
            var byteCount: UInt32 = 0
            guard CLV2Shims_read(toRender, text, &byteCount) else { return }
            // The text may be for a state that is newer than the last look.
            catchUp()
            let isOld = text.load(fromByteOffset: 4, as: UInt32.self) != knownState
            guard byteCount > 8, !isOld, text.load(as: UInt32.self) < UInt32(propertyCount) else { continue }
            textByteCount = byteCount
        }
        let property = properties[Int(text.load(as: UInt32.self))]
        let change = CLV2Shims_Change(
            property: property.urid, type: property.type, byteCount: textByteCount &- 8, body: text + 8)
        isTextQueued = send(change, frame)
    }

    /// Forgets what was said of another state than the instances have by now.
    @_noLocks
    private mutating func catchUp() {
        guard knownState != stateCount.now else { return }
        knownState = stateCount.now
        for index in 0..<propertyCount {
            properties[index].value = .nan
            properties[index].isUnsent = false
        }
        if !isTextQueued { textByteCount = 0 }
        hasAsked = propertyCount == 0
    }

    /// Takes back all that waits for the next run. Properties and texts are sent again, MIDI is not.
    @_noLocks
    mutating func takeBack() {
        clearInputs()
        for index in 0..<propertyCount where properties[index].isQueued {
            properties[index].value = .nan
            properties[index].isQueued = false
            properties[index].isUnsent = true
        }
        isTextQueued = false
        if isAskQueued { hasAsked = false }
        isAskQueued = false
    }

    /// After a run: what was queued has been read.
    @_noLocks
    mutating func settle() {
        clearInputs()
        for index in 0..<propertyCount { properties[index].isQueued = false }
        if isTextQueued { textByteCount = 0 }
        isTextQueued = false
        isAskQueued = false
        if hasLostMIDI { endNotes() }
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

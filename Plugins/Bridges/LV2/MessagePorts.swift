// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What passes through atom ports: MIDI, the song's position, and properties set by messages. Render thread.

import CLV2Shims
import PluginSDK

/// An instance as the render thread knows it.
struct RenderInstance {
    let descriptor: UnsafeRawPointer
    let handle: UnsafeMutableRawPointer
    let worker: OpaquePointer?
    let inputs: UnsafeMutablePointer<AtomPort>
    let inputCount: Int
    let outputs: UnsafeMutablePointer<AtomPort>
    let outputCount: Int
}

/// A property as the render thread knows it.
private struct RenderProperty {
    let urid: UInt32
    let type: UInt32
    let isParameter: Bool
    /// What the plug-in has it at, as far as anybody has said.
    var value: Double
}

struct MessagePorts: ~Copyable {
    private let instances: UnsafeMutablePointer<RenderInstance>
    private let instanceCount: Int
    private let properties: UnsafeMutablePointer<RenderProperty>
    private let propertyCount: Int
    private let toRender: OpaquePointer
    private let fromRender: OpaquePointer
    private let message: UnsafeMutableRawPointer
    /// A MIDI message whose pieces are still coming.
    private let pieces: UnsafeMutablePointer<UInt8>
    private var pieceByteCount = 0
    /// Whether the plug-in has been asked what its properties are.
    private var hasAsked: Bool

    /// The longest MIDI message that is put together, in bytes.
    private static let longestMIDI = 65_536

    /// The instances belong to the caller.
    init(_ session: Session, _ instances: UnsafeMutablePointer<RenderInstance>, _ settings: Settings) {
        self.instances = instances
        instanceCount = session.instances.count
        let described = session.plugin.properties
        propertyCount = described.count
        properties = .allocate(capacity: max(1, propertyCount))
        for (index, property) in described.enumerated() {
            let parameter = settings.tree[address: Settings.firstPropertyAddress + UInt64(index)]
            (properties + index).initialize(
                to: RenderProperty(
                    urid: property.urid, type: property.type, isParameter: property.isParameter,
                    value: parameter?.defaultValue ?? 0))
        }
        toRender = session.toRender
        fromRender = session.fromRender
        message = .allocate(byteCount: Int(TextRing.byteCount), alignment: 16)
        pieces = .allocate(capacity: Self.longestMIDI)
        hasAsked = described.isEmpty
    }

    deinit {
        properties.deallocate()
        message.deallocate()
        pieces.deallocate()
    }
}

// MARK: - Towards the plug-in

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

// MARK: - From the plug-in

extension MessagePorts {
    /// After a run: the inputs have been read; what the first instance sent goes to the host, where the run's first frame
    /// lies `start` frames into the block.
    @_noLocks
    mutating func finishRun(_ block: RenderBlock, start: Int, frameCount: Int) {
        clearInputs()
        let instance = instances[0]
        var cable: UInt8 = 0
        for port in 0..<instance.outputCount {
            let output = instance.outputs[port]
            read(output, block, start: start, frameCount: frameCount, cable: cable)
            if output.takesMIDI { cable &+= 1 }
        }
        clearOutputs()
    }

    /// After a run that nobody hears.
    @_noLocks
    mutating func dropRun() {
        clearInputs()
        clearOutputs()
    }

    @_noLocks
    private func clearInputs() {
        for index in 0..<instanceCount {
            for port in 0..<instances[index].inputCount { CLV2Shims_clearInput(instances[index].inputs[port].buffer) }
        }
    }

    @_noLocks
    private func clearOutputs() {
        for index in 0..<instanceCount {
            for port in 0..<instances[index].outputCount {
                let output = instances[index].outputs[port]
                CLV2Shims_clearOutput(output.buffer, output.capacity)
            }
        }
    }

    @_noLocks
    private mutating func read(_ port: AtomPort, _ block: RenderBlock, start: Int, frameCount: Int, cable: UInt8) {
        let midi = CLV2Shims_vocabulary().pointee.midiEvent
        var offset: UInt32 = 0
        var event = CLV2Shims_Event()
        while CLV2Shims_nextEvent(port.buffer, port.capacity, &offset, &event) {
            let frame = start &+ Int(max(0, min(Int64(max(0, frameCount - 1)), event.frame)))
            if event.type == midi {
                emit(event, block, frame, cable)
            } else {
                learn(&event, block, frame)
            }
        }
    }

    /// Sends a MIDI message to the host, in pieces if it is long.
    @_noLocks
    private func emit(_ event: CLV2Shims_Event, _ block: RenderBlock, _ frame: Int, _ cable: UInt8) {
        guard let body = event.body, event.byteCount <= UInt32(Self.longestMIDI) else { return }
        let bytes = body.assumingMemoryBound(to: UInt8.self)
        let count = Int(event.byteCount)
        var sent = 0
        while sent < count {
            let length = min(16, count &- sent)
            var (low, high): (UInt64, UInt64) = (0, 0)
            for index in 0..<length {
                let byte = UInt64(bytes[sent &+ index])
                if index < 8 { low |= byte &<< UInt64(index &* 8) } else { high |= byte &<< UInt64(index &* 8 &- 64) }
            }
            sent &+= length
            block.emitMIDI(
                MIDIMessage(low: low, high: high, byteCount: UInt8(length), cable: cable, continues: sent < count),
                atFrame: frame)
        }
    }

    /// Takes over what the plug-in says of its properties.
    @_noLocks
    private mutating func learn(_ event: inout CLV2Shims_Event, _ block: RenderBlock, _ frame: Int) {
        var offset: UInt32 = 0
        var change = CLV2Shims_Change()
        while CLV2Shims_nextChange(&event, &offset, &change) {
            for index in 0..<propertyCount where properties[index].urid == change.property {
                learn(index, change, block, frame)
            }
        }
    }

    @_noLocks
    private mutating func learn(_ index: Int, _ change: CLV2Shims_Change, _ block: RenderBlock, _ frame: Int) {
        guard let body = change.body else { return }
        if properties[index].isParameter {
            let value = CLV2Shims_number(change.type, body, change.byteCount)
            guard value.isFinite, value != properties[index].value else { return }
            properties[index].value = value
            block.emitParameter(Settings.firstPropertyAddress &+ UInt64(index), value: value, atFrame: frame)
        } else if change.byteCount <= TextRing.byteCount / 8 {
            var number = UInt32(truncatingIfNeeded: index)
            _ = CLV2Shims_write(fromRender, &number, 4, body, change.byteCount)
        }
    }
}

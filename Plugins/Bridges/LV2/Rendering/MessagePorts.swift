// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The contents of atom ports: MIDI, the song's position, and properties. Made by the control thread, used by the render thread.

import PluginSDK

/// A property on the render thread.
struct RenderProperty {
    let urid: UInt32
    let type: UInt32
    let isParameter: Bool
    /// The plug-in's value; NaN while it is unknown.
    var value: Double
    /// The host's last value.
    var wanted = Double.nan
    /// True if the host's value has not found room yet.
    var isUnsent = false
    /// True if the host's value is in a port and waits for the next run.
    var isQueued = false
}

/// The atom ports of all instances, and the messages that wait for them.
struct MessagePorts: ~Copyable {
    /// The ports of all instances, those of one after those of another.
    let inputs: AtomPorts
    let outputs: AtomPorts
    /// The number of outputs that are read, those of the first instance.
    let heardOutputCount: Int
    /// The inputs for MIDI, and their number for each instance.
    let midiInputs: AtomPorts
    let midiInputCount: Int
    /// The inputs that get the song's position.
    let songInputs: AtomPorts
    /// The input of each instance that takes messages about properties.
    let messageInputs: AtomPorts
    let properties: UnsafeMutablePointer<RenderProperty>
    let propertyCount: Int
    let toRender: OpaquePointer
    let fromRender: OpaquePointer
    let stateCount: StateCount
    /// The number of the state to which the values belong.
    var knownState: UInt32
    /// The plug-in's next text, after the numbers of its property and its state.
    let text: UnsafeMutableRawPointer
    /// The bytes in `text`; 0 without a text.
    var textByteCount: UInt32 = 0
    var isTextQueued = false
    /// The system-exclusive message whose pieces arrive.
    var long = LongMessage(capacity: Self.longestMIDI)
    /// Room for a MIDI message or a number.
    let body: UnsafeMutableRawPointer
    /// True if the plug-in has been asked for its properties, or will be in the next run.
    var hasAsked: Bool
    var isAskQueued = false
    /// True if a MIDI message found no room; it may have been the end of a note.
    var hasLostMIDI = false

    /// The longest MIDI message from a plug-in, in bytes.
    static var longestMIDI: Int {
        @_noLocks get { 65_536 }
    }

    init(_ session: Session, _ settings: Settings) {
        let instances = session.instances
        inputs = AtomPorts(instances.flatMap(\.atomInputs))
        outputs = AtomPorts(instances.flatMap(\.atomOutputs))
        heardOutputCount = instances.first?.atomOutputs.count ?? 0
        midiInputs = AtomPorts(instances.flatMap { $0.atomInputs.filter(\.takesMIDI) })
        midiInputCount = instances.first?.atomInputs.count(where: \.takesMIDI) ?? 0
        songInputs = AtomPorts(instances.flatMap { $0.atomInputs.filter(\.takesTime) })
        messageInputs = AtomPorts(instances.compactMap { $0.atomInputs.first(where: \.takesMessages) })
        let described = session.plugin.properties
        propertyCount = described.count
        properties = .allocate(capacity: max(1, propertyCount))
        for (index, property) in described.enumerated() {
            let parameter = settings.tree[address: Settings.firstPropertyAddress + UInt64(index)]
            // A new instance's own value is better than an undeclared default; so is a bundle's default state.
            let knowsBetter = session.isNew && (session.plugin.loadsDefaultState || property.range.preset == nil)
            (properties + index).initialize(
                to: RenderProperty(
                    urid: property.urid, type: property.type, isParameter: property.isParameter,
                    value: knowsBetter ? parameter?.defaultValue ?? .nan : .nan))
        }
        toRender = session.toRender
        fromRender = session.fromRender
        stateCount = session.stateCount
        knownState = stateCount.now
        text = .allocate(byteCount: TextRing.longestMessageByteCount, alignment: 16)
        body = .allocate(byteCount: 16, alignment: 16)
        hasAsked = described.isEmpty
    }

    deinit {
        properties.deallocate()
        text.deallocate()
        body.deallocate()
    }
}

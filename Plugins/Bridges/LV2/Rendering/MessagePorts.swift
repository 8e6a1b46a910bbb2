// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What passes through atom ports: MIDI, the song's position, and properties set by messages. Made by the control thread, used
// by the render thread.

import PluginSDK

/// A property as the render thread knows it.
struct RenderProperty {
    let urid: UInt32
    let type: UInt32
    let isParameter: Bool
    /// The plug-in's value; NaN while it is unknown.
    var value: Double
    /// The host's last value.
    var wanted = Double.nan
    /// The host's value found no room yet on its way to the plug-in.
    var isUnsent = false
    /// The host's value lies in a port and waits for the next run.
    var isQueued = false
}

/// The atom ports of all instances, and what waits for them.
struct MessagePorts: ~Copyable {
    /// The ports of all instances, those of one after those of another.
    let inputs: AtomPorts
    let outputs: AtomPorts
    /// The number of outputs that are read: the first instance's.
    let heardOutputCount: Int
    /// The inputs for MIDI, and how many of them each instance has.
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
    /// The number of the state that the values here belong to.
    var knownState: UInt32
    /// The text that the plug-in gets next, after the numbers of its property and of its state.
    let text: UnsafeMutableRawPointer
    /// The bytes in `text`; 0 while there is none.
    var textByteCount: UInt32 = 0
    var isTextQueued = false
    /// Room for a MIDI message or a number.
    let body: UnsafeMutableRawPointer
    /// Whether the plug-in has been asked for its properties, or will be in the next run.
    var hasAsked: Bool
    var isAskQueued = false
    /// A MIDI message found no room.
    ///
    /// It may have been the end of a note.
    var hasLostMIDI = false

    /// The longest MIDI message that is taken from a plug-in, in bytes.
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
            // A new instance knows better than a default that is not declared; so does a bundle's default state.
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

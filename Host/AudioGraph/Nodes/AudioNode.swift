// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The base of all nodes: buses, formats, and the engine that a node is attached to. Any thread.

import PluginHosting
import Rendering
import Synchronization

/// A node of an audio graph.
///
/// Make one, attach it to an engine, and connect its buses. A node's sound is its own: it lives on through every edit around it.
/// `[any]` thread but the render thread.
public class AudioNode: @unchecked Sendable {
    // SAFETY: what changes is behind a mutex or atomic; subclasses add constants and atomics only.
    /// What is known of the node from plan to plan.
    let history = NodeHistory()
    /// What listens to the output buses.
    let taps = Mutex<[AudioTap]>([])
    var hasTaps: Bool { taps.withLock { !$0.isEmpty } }
    /// The converters behind the output buses, for what runs at other rates.
    let converters = Mutex<[ConnectedConverter.Key: ConnectedConverter]>([:])
    /// What another module keeps with the node.
    package let companion = Mutex<(any AnyObject & Sendable)?>(nil)
    private let engineBox = Mutex(EngineBox())
    /// What the node is called in errors; the program may change it.
    private let label: Mutex<String>

    private struct EngineBox {
        weak var engine: AudioEngine?
        /// The engine that may still render the node: that one, or the one that it was detached from a moment ago.
        weak var owner: AudioEngine?
    }

    init(name: String) { label = Mutex(name) }

    deinit { for tap in taps.withLock({ $0 }) { tap.source.ring.pointee.close() } }

    /// What the node is called in errors.
    public var name: String {
        get { label.withLock { $0 } }
        set { label.withLock { $0 = newValue } }
    }

    /// The engine that the node is attached to.
    public var engine: AudioEngine? { engineBox.withLock { $0.engine } }

    /// Attaches the node to an engine, unless another one has it or may still render it.
    func claim(for engine: AudioEngine) throws(AudioEngineError) {
        let name = name
        try engineBox.withLock { box throws(AudioEngineError) in
            if let present = box.engine { throw present === engine ? .alreadyAttached(node: name) : .attachedElsewhere(node: name) }
            if let owner = box.owner, owner !== engine { throw .attachedElsewhere(node: name) }
            (box.engine, box.owner) = (engine, engine)
        }
    }

    /// Detaches the node; its engine may still render it.
    func leave() { engineBox.withLock { $0.engine = nil } }

    /// Attaches the node again to the engine that it has just left.
    func comeBack(to engine: AudioEngine) { engineBox.withLock { if $0.owner === engine { $0.engine = engine } } }

    /// Frees a detached node for other engines: `engine` does not render it any more.
    func release(from engine: AudioEngine) {
        converters.withLock { $0 = [:] }
        engineBox.withLock { if $0.owner === engine, $0.engine == nil { $0.owner = nil } }
    }

    /// Whether the node is an engine's, or may still be rendered by it.
    func isOwned(by engine: AudioEngine) -> Bool { engineBox.withLock { $0.owner === engine } }

    /// How many input buses the node has.
    public var numberOfInputs: Int { 0 }
    /// How many output buses the node has.
    public var numberOfOutputs: Int { 1 }
    /// The frames by which the node's outputs lag behind its inputs.
    public var latencyFrameCount: Int { 0 }

    /// The format of an input bus; nil for a bus that is not there.
    @_disfavoredOverload
    public func inputFormat(forBus bus: Int) -> AudioFormat? { inputBusFormat(bus) }

    /// The same, for modules in which another function has the name.
    package func inputBusFormat(_ bus: Int) -> AudioFormat? {
        guard (0..<numberOfInputs).contains(bus) else { return nil }
        return engine?.busFormat(of: self, bus, isInput: true) ?? defaultFormat(ofBus: bus, isInput: true)
    }

    /// The format of an output bus; nil for a bus that is not there.
    @_disfavoredOverload
    public func outputFormat(forBus bus: Int) -> AudioFormat? { outputBusFormat(bus) }

    /// The same, for modules in which another function has the name.
    package func outputBusFormat(_ bus: Int) -> AudioFormat? {
        guard (0..<numberOfOutputs).contains(bus) else { return nil }
        return engine?.busFormat(of: self, bus, isInput: false) ?? defaultFormat(ofBus: bus, isInput: false)
    }

    /// The time of the engine's last cycle, at the node's own rate; nil before the first, and for a node that is not attached.
    public var lastRenderTime: AudioTime? {
        guard let rate = (outputFormat(forBus: 0) ?? inputFormat(forBus: 0))?.sampleRate else { return engine?.lastRenderTime }
        return engine?.lastRenderTime?.at(rate)
    }

    /// Forgets all sound: delay lines, tails, what is scheduled.
    public func reset() {}

    // MARK: What the engine asks

    /// Whether the node belongs to the engine, and no program sees it.
    var isInternal: Bool { false }

    /// Whether the node adds up any number of inputs, each source at its level, and runs at the rate of its output.
    var addsUp: Bool { false }

    /// The format of the first buses before anything is connected.
    var defaultFormat: AudioFormat { AudioFormat(sampleRate: AudioEngine.usualRate, channelCount: 2) }

    /// The format of a bus before anything is connected.
    func defaultFormat(ofBus bus: Int, isInput: Bool) -> AudioFormat { defaultFormat }

    /// What the node does in a plan.
    ///
    /// A unit has it while it has render resources.
    var work: RenderGraph.Work? { nil }

    /// Why the node's input bus cannot take a format; nil if it can.
    func objection(to format: AudioFormat, onInput bus: Int) -> String? { nil }

    /// Why the node's output bus cannot have a format that is asked for; nil if it can, or has its own anyway.
    func objection(to format: AudioFormat, onOutput bus: Int) -> String? { nil }

    /// The format that an output bus gets where `format` is asked for, and the first input has `input`.
    func outputFormat(ofBus bus: Int, asking format: AudioFormat, afterInput input: AudioFormat) -> AudioFormat { format }

    /// The formats of the outputs that follow from a new format of the first input; none if they stay.
    func outputFormats(afterInput format: AudioFormat) -> [AudioFormat] { [] }

    /// Takes render resources for these formats; the node is part of a plan soon.
    ///
    /// A bus without a connection has no format.
    func prepare(inputs: [AudioFormat?], outputs: [AudioFormat], _ environment: RenderEnvironment) throws(AudioEngineError) {}

    /// The channels of an input bus as the node's resources have them; nil where they follow from the bus's format.
    func inputChannelCount(of bus: Int) -> Int? { nil }

    /// The channels of an output bus as the node's resources have them; nil where they follow from the bus's format.
    func outputChannelCount(of bus: Int) -> Int? { nil }

    /// Gives render resources back; no plan holds the node any more.
    func unprepare() {}

    /// Whether the node has render resources for other formats than these, and has to leave the plan before it can have new ones.
    func mustLeave(for inputs: [AudioFormat?], outputs: [AudioFormat], _ environment: RenderEnvironment) -> Bool { false }

    /// Does what cannot be done on the render thread: completions, memory that is free.
    func attend() {}

    /// Whether `attend` is wanted soon.
    var wantsAttention: Bool { false }
}

extension AudioNode: Hashable {
    /// Whether both are the same node.
    public static func == (left: AudioNode, right: AudioNode) -> Bool { left === right }

    /// Hashes the node's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What the nodes of an engine render in.
struct RenderEnvironment: Hashable, Sendable {
    /// Frames a second.
    var sampleRate: Double
    /// The longest cycle in frames.
    var maximumFrameCount: Int
    /// Whether cycles have no deadline.
    var isOffline: Bool
    /// How units are waited for and restarted; nil: as is usual for this kind of rendering.
    var policy: UnitPolicy?
    /// Whether a unit that dies while it takes its resources is started again, once.
    var startsUnitsAgain = true
}

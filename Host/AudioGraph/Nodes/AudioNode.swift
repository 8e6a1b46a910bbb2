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
open class AudioNode: @unchecked Sendable {
    // SAFETY: what changes is behind a mutex or atomic; subclasses add constants and atomics only.
    /// What the engine asks of the node.
    package let body: any NodeBody
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

    /// Makes a node with the body that tells an engine everything about it.
    package init(name: String, body: any NodeBody) {
        self.body = body
        label = Mutex(name)
    }

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
        try engineBox.withLock { box throws(AudioEngineError) in
            if box.engine === engine { throw .alreadyAttached(node: NamedNode(self)) }
            if box.engine != nil { throw .attachedElsewhere(node: NamedNode(self)) }
            if let owner = box.owner, owner !== engine { throw .attachedElsewhere(node: NamedNode(self)) }
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
    public final var numberOfInputs: Int { body.inputCount }
    /// How many output buses the node has.
    public final var numberOfOutputs: Int { body.outputCount }
    /// The frames by which the node's outputs lag behind its inputs.
    public final var latencyFrameCount: Int { body.latencyFrameCount }

    /// The format of an input bus; nil for a bus that is not there.
    @_disfavoredOverload
    public func inputFormat(forBus bus: Int) -> AudioFormat? { inputBusFormat(bus) }

    /// The same, for modules in which another function has the name.
    package func inputBusFormat(_ bus: Int) -> AudioFormat? {
        guard (0..<numberOfInputs).contains(bus) else { return nil }
        return engine?.busFormat(of: self, bus, isInput: true) ?? body.format(ofBus: bus, isInput: true, in: nil)
    }

    /// The format of an output bus; nil for a bus that is not there.
    @_disfavoredOverload
    public func outputFormat(forBus bus: Int) -> AudioFormat? { outputBusFormat(bus) }

    /// The same, for modules in which another function has the name.
    package func outputBusFormat(_ bus: Int) -> AudioFormat? {
        guard (0..<numberOfOutputs).contains(bus) else { return nil }
        return engine?.busFormat(of: self, bus, isInput: false) ?? body.format(ofBus: bus, isInput: false, in: nil)
    }

    /// The time of the engine's last cycle, at the node's own rate; nil before the first, and for a node that is not attached.
    public var lastRenderTime: AudioTime? {
        guard let rate = (outputFormat(forBus: 0) ?? inputFormat(forBus: 0))?.sampleRate else { return engine?.lastRenderTime }
        return engine?.lastRenderTime?.at(rate)
    }

    /// Forgets all sound: delay lines, tails, what is scheduled.
    ///
    /// `[control]` The engine's `reset` calls it for each node, with the lock of edits held.
    open func reset() { body.reset(self) }
}

extension AudioNode: Hashable {
    /// Whether both are the same node.
    public static func == (left: AudioNode, right: AudioNode) -> Bool { left === right }

    /// Hashes the node's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What the nodes of an engine render in.
package struct RenderEnvironment: Hashable, Sendable {
    /// Frames a second.
    package var sampleRate: Double
    /// The longest cycle in frames.
    package var maximumFrameCount: Int
    /// Whether cycles have no deadline.
    package var isOffline: Bool
    /// How units are waited for and restarted; nil: as is usual for this kind of rendering.
    package var policy: UnitPolicy?
    /// Whether a unit that dies while it takes its resources is started again, once.
    package var startsUnitsAgain = true

    /// The frames of a fade.
    package var fadeFrameCount: Int { max(1, Int(sampleRate * AudioEngine.fadeSeconds)) }
}

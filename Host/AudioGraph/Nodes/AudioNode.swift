// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The base of all nodes: buses, formats, and the engine that a node is attached to. Any thread.

import AudioFormats
import PluginHosting
import Rendering
import Synchronization

/// A node of an audio graph.
///
/// Make one, attach it to an engine, and connect its buses. Every node keeps its own sound, which lives on through every edit around it.
/// `[any]` thread but the render thread.
open class AudioNode: @unchecked Sendable {
    // SAFETY: mutable state is behind a mutex or atomic; subclasses add constants and atomics only.
    /// Answers the engine's questions about the node.
    package let body: any NodeBody
    /// The node's data that live from plan to plan.
    let history = NodeHistory()
    /// The taps on the output buses.
    let taps = Mutex<[AudioTap]>([])
    var hasTaps: Bool { taps.withLock { !$0.isEmpty } }
    /// The converters behind the output buses, for destinations at other rates.
    let converters = Mutex<[ConnectedConverter.Key: ConnectedConverter]>([:])
    /// An object that another module keeps with the node.
    package let companion = Mutex<(any AnyObject & Sendable)?>(nil)
    private let engineBox = Mutex(EngineBox())
    /// The name of the node in errors; the program may change it.
    private let label: Mutex<String>

    private struct EngineBox {
        weak var engine: AudioEngine?
        /// The engine that may still render the node: the present one, or the one that detached it a moment ago.
        weak var owner: AudioEngine?
    }

    /// Makes a node with the body that answers an engine's questions about it.
    package init(name: String, body: any NodeBody) {
        self.body = body
        label = Mutex(name)
    }

    deinit { for tap in taps.withLock({ $0 }) { tap.source.ring.pointee.close() } }

    /// The name of the node in errors.
    public var name: String {
        get { label.withLock { $0 } }
        set { label.withLock { $0 = newValue } }
    }

    /// The engine that the node is attached to.
    public var engine: AudioEngine? { engineBox.withLock { $0.engine } }

    /// Attaches the node to an engine, unless another engine has it or may still render it.
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
        speed?.forgetNodes()
        engineBox.withLock { if $0.owner === engine, $0.engine == nil { $0.owner = nil } }
    }

    /// Returns true if an engine has the node, or may still render it.
    func isOwned(by engine: AudioEngine) -> Bool { engineBox.withLock { $0.owner === engine } }

    /// The number of input buses.
    public final var numberOfInputs: Int { body.inputCount }
    /// The number of output buses.
    public final var numberOfOutputs: Int { body.outputCount }
    /// The frames by which the node's outputs lag behind its inputs.
    public final var latencyFrameCount: Int { body.latencyFrameCount }

    /// Returns the format of an input bus; nil for a bus that does not exist.
    @_disfavoredOverload
    public func inputFormat(forBus bus: Int) -> AudioFormat? { inputBusFormat(bus) }

    /// The same, for modules in which another function has this name.
    package func inputBusFormat(_ bus: Int) -> AudioFormat? {
        guard (0..<numberOfInputs).contains(bus) else { return nil }
        return engine?.busFormat(of: self, bus, isInput: true) ?? body.format(ofBus: bus, isInput: true, in: nil)
    }

    /// Returns the format of an output bus; nil for a bus that does not exist.
    @_disfavoredOverload
    public func outputFormat(forBus bus: Int) -> AudioFormat? { outputBusFormat(bus) }

    /// The same, for modules in which another function has this name.
    package func outputBusFormat(_ bus: Int) -> AudioFormat? {
        guard (0..<numberOfOutputs).contains(bus) else { return nil }
        return engine?.busFormat(of: self, bus, isInput: false) ?? body.format(ofBus: bus, isInput: false, in: nil)
    }

    /// The time of the engine's last cycle, at the node's own rate; nil before the first cycle, and for a detached node.
    public var lastRenderTime: AudioTime? {
        guard let rate = (outputFormat(forBus: 0) ?? inputFormat(forBus: 0))?.sampleRate else { return engine?.lastRenderTime }
        return engine?.lastRenderTime?.at(rate)
    }

    /// Discards all sound: delay lines, tails, scheduled sounds.
    ///
    /// `[control]` The engine's `reset` calls it for each node, with the lock of edits held.
    open func reset() { body.reset(self) }
}

extension AudioNode: Hashable {
    /// Returns true if both are the same node.
    public static func == (left: AudioNode, right: AudioNode) -> Bool { left === right }

    /// Hashes the node's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The environment in which the nodes of an engine render.
package struct RenderEnvironment: Hashable, Sendable {
    /// The rate in frames a second.
    package var sampleRate: Double
    /// The longest cycle in frames.
    package var maximumFrameCount: Int
    /// True if cycles have no deadline.
    package var isOffline: Bool
    /// The rules of waiting for units and restarting them; nil for the usual ones of this kind of rendering.
    package var policy: UnitPolicy?
    /// True if a unit that dies while it takes its resources is started again, once.
    package var startsUnitsAgain = true
    /// The nanoseconds that an edit waits for a unit's answer; nil for as long as the unit may take.
    package var patience: UInt64?

    /// The length of a fade in frames.
    package var fadeFrameCount: Int { max(1, Int(nearestFrame: (sampleRate * AudioEngine.fadeSeconds).rounded(.down))) }
}

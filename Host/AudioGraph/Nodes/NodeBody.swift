// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What an engine asks a node: buses, formats, time, resources, the work in a plan. Any thread but the render thread.

import AudioFormats
import PluginHosting
import Rendering

/// Tells an engine everything about a node: its buses and formats, its time, its resources and its work in a plan.
///
/// A node holds one body for its whole life. The engine asks the body, and never which class the node has. Each requirement has
/// an answer of its own in an extension, which fits a source of two channels. `[control]`, any thread; the engine may hold its locks
/// meanwhile, so a body calls the engine only where a node is handed in. Nothing here is called on the render thread: what
/// renders is the `RenderNode` that `work` names.
package protocol NodeBody: Sendable {
    // MARK: Identity

    /// Whether the node belongs to the engine, and no program sees it.
    var isInternal: Bool { get }
    /// The level and the place that the node has at mixers; nil for a node that has none.
    var mixing: MixingSettings? { get }
    /// The port by which MIDI messages reach the node.
    var messagePort: MessagePort? { get }
    /// Whether the node is an instrument, which plays tracks without a destination.
    var isInstrument: Bool { get }

    // MARK: Buses and formats

    /// How many input buses the node has.
    var inputCount: Int { get }
    /// How many output buses the node has.
    var outputCount: Int { get }
    /// Whether the node adds up any number of inputs, each source at its level.
    var addsUp: Bool { get }
    /// The format of a bus before anything is connected, in an engine of this format; nil: in none yet.
    func format(ofBus bus: Int, isInput: Bool, in engine: AudioFormat?) -> AudioFormat
    /// Why an input bus cannot take a format; nil if it can.
    func objection(to format: AudioFormat, onInput bus: Int) -> String?
    /// Why an output bus cannot have a format that is asked for; nil if it can, or has its own anyway.
    func objection(to format: AudioFormat, onOutput bus: Int) -> String?
    /// The format that an output bus gets where `format` is asked for, and the first input has `input`.
    func outputFormat(ofBus bus: Int, asking format: AudioFormat, afterInput input: AudioFormat) -> AudioFormat
    /// The formats of the outputs that follow from a new format of the first input; none if they stay.
    func outputFormats(afterInput format: AudioFormat) -> [AudioFormat]
    /// The channels of an input bus as the node's resources have them; nil where they follow from the bus's format.
    func inputChannelCount(of bus: Int) -> Int?
    /// The channels of an output bus as the node's resources have them; nil where they follow from the bus's format.
    func outputChannelCount(of bus: Int) -> Int?
    /// Makes a connection that leads to the node from a source with these settings; nil for a source that has none.
    func makeConnection(from source: MixingSettings?) -> ConnectionState

    // MARK: Time

    /// What the node takes its rate from.
    var rateOrigin: NodeRateOrigin { get }
    /// Whether the sound comes at the pace of the outside world, and cannot be had faster or slower.
    var isLive: Bool { get }
    /// The pace of what leads to a node that stretches time; nil for any other node.
    var pace: TimePace? { get }
    /// The most frames that the node takes in for each that it puts out.
    var highestRate: Float { get }
    /// The frames by which the outputs lag behind the inputs.
    var latencyFrameCount: Int { get }
    /// Whether the latency may change while a plan holds the node.
    var hasChangingLatency: Bool { get }

    // MARK: Resources

    /// What the node does in a plan; nil while it has no resources that it needs for it.
    var work: RenderGraph.Work? { get }
    /// A unit as a row of one, while it has resources; nil for any other node.
    var row: UnitRow? { get }
    /// Whether the node takes resources for its formats before a plan holds it.
    var takesResources: Bool { get }
    /// What nodes share that cannot take resources at the same time, such as a process; nil: they take them on the engine's thread.
    var preparationGroup: ObjectIdentifier? { get }
    /// Whether the node needs other resources than it has.
    func wantsResources(for formats: NodeFormats, _ environment: RenderEnvironment) -> Bool
    /// Whether the node has resources for other formats, and has to leave the plan before it can have new ones.
    func mustLeave(for formats: NodeFormats, _ environment: RenderEnvironment) -> Bool
    /// Takes resources; the node is part of a plan soon.
    ///
    /// With `leavesFaults` a unit that meets a fault joins without a process.
    func prepare(
        _ node: AudioNode, _ formats: NodeFormats, _ environment: RenderEnvironment, leavesFaults: Bool
    ) throws(AudioEngineError)
    /// Has what was prepared looked after, in the order of the nodes.
    func join(_ node: AudioNode) throws(AudioEngineError)
    /// Gives resources back; no plan holds the node any more.
    func unprepare()
    /// Has the input passed on in the node's place, which has refused these formats; false if nothing can stand in for it.
    func leaveOut(for formats: NodeFormats, _ environment: RenderEnvironment) -> Bool
    /// Whether the input is passed on in the node's place.
    var isLeftOut: Bool { get }

    // MARK: Beside rendering

    /// Forgets all sound: delay lines, tails, what is scheduled.
    func reset(_ node: AudioNode)
    /// Whether `attend` is wanted soon.
    var wantsAttention: Bool { get }
    /// Does what cannot be done on the render thread: completions, memory that is free.
    func attend(_ node: AudioNode)
}

/// What a node takes its rate from.
package enum NodeRateOrigin: Sendable {
    /// The engine: the node is an end of the graph.
    case engine
    /// The format of its first input.
    case input
    /// The format of its first output.
    case output
}

/// The formats that a node's buses have in a graph.
package struct NodeFormats: Hashable, Sendable {
    /// The inputs' formats; nil for a further bus that nothing is connected to.
    package var inputs: [AudioFormat?]
    /// The outputs' formats.
    package var outputs: [AudioFormat]

    /// The first input's format, or else the first output's; nil for a node without buses.
    package var main: AudioFormat? { (inputs.first ?? nil) ?? outputs.first }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The engine's questions to a node: buses, formats, time, resources, the work in a plan. Any thread but the render thread.

import AudioFormats
import PluginHosting
import Rendering

/// Answers an engine's questions about a node: its buses and formats, its time, its resources and its work in a plan.
///
/// A node holds one body for its whole life. The engine asks the body, and never the class of the node. Each requirement has a default in
/// an extension, which fits a source of two channels.
///
/// `[control]`, any thread. The engine may hold its locks meanwhile, so a body calls the engine only in functions that get a node. The
/// render thread calls nothing here: it calls the `RenderNode` in `work`.
package protocol NodeBody: Sendable {
    // MARK: Identity

    /// True if the node is the engine's own, and invisible to programs.
    var isInternal: Bool { get }
    /// The level and the position of the node at mixers; nil for a node without them.
    var mixing: MixingSettings? { get }
    /// The port by which MIDI messages reach the node.
    var messagePort: MessagePort? { get }
    /// True if the node is an instrument, which plays tracks without a destination.
    var isInstrument: Bool { get }

    // MARK: Buses and formats

    /// The number of input buses.
    var inputCount: Int { get }
    /// The number of output buses.
    var outputCount: Int { get }
    /// True if the node adds up any number of inputs, each source at its level.
    var addsUp: Bool { get }
    /// Returns the format of a bus before any connection, in an engine of this format; `engine` is nil for a detached node.
    func format(ofBus bus: Int, isInput: Bool, in engine: AudioFormat?) -> AudioFormat
    /// Returns the reason why an input bus cannot take a format; nil if it can.
    func objection(to format: AudioFormat, onInput bus: Int) -> String?
    /// Returns the reason why an output bus cannot have a requested format; nil if it can, or has its own anyway.
    func objection(to format: AudioFormat, onOutput bus: Int) -> String?
    /// Returns the format that an output bus gets if a connection requests `format`, and the first input has `input`.
    func outputFormat(ofBus bus: Int, asking format: AudioFormat, afterInput input: AudioFormat) -> AudioFormat
    /// Returns the formats of the outputs that follow from a new format of the first input; an empty array if they stay.
    func outputFormats(afterInput format: AudioFormat) -> [AudioFormat]
    /// Returns the number of channels of an input bus in the node's resources; nil if it follows from the bus's format.
    func inputChannelCount(of bus: Int) -> Int?
    /// Returns the number of channels of an output bus in the node's resources; nil if it follows from the bus's format.
    func outputChannelCount(of bus: Int) -> Int?
    /// Makes a connection to the node from a source with these settings; nil for a source without settings.
    func makeConnection(from source: MixingSettings?) -> ConnectionState
    /// The internal node to which a connection to the node also leads, and the state of that connection; nil for none.
    func echo(of connection: ConnectionState) -> (node: AudioNode, state: ConnectionState)?
    /// Attaches internal nodes, within the edit that attaches the node.
    func didAttach(_ node: AudioNode, to engine: AudioEngine) throws(AudioEngineError)
    /// Detaches internal nodes, within the edit that detaches the node.
    func willDetach(_ node: AudioNode, from engine: AudioEngine) throws(AudioEngineError)

    // MARK: Time

    /// The origin of the node's rate.
    var rateOrigin: NodeRateOrigin { get }
    /// True if the sound comes at the pace of the outside world, and cannot be played faster or slower.
    var isLive: Bool { get }
    /// The pace of the nodes before a node that stretches time; nil for any other node.
    var pace: TimePace? { get }
    /// The largest number of frames that the node takes in for each frame that it puts out.
    var highestRate: Float { get }
    /// The frames by which the outputs lag behind the inputs.
    var latencyFrameCount: Int { get }
    /// True if the latency may change while a plan holds the node.
    var hasChangingLatency: Bool { get }

    // MARK: Resources

    /// The work of the node in a plan; nil while it lacks resources for it.
    var work: RenderGraph.Work? { get }
    /// A unit as a row of one, while it has resources; nil for any other node.
    var row: UnitRow? { get }
    /// True if the node takes resources for its formats before a plan holds it.
    var takesResources: Bool { get }
    /// Identifies a thing that nodes share, such as a process, so that only one takes resources at a time; nil: on the engine's thread.
    var preparationGroup: ObjectIdentifier? { get }
    /// Returns true if the node needs other resources than it has.
    func wantsResources(for formats: NodeFormats, _ environment: RenderEnvironment) -> Bool
    /// Returns true if the node has resources for other formats, and has to leave the plan before it can have new ones.
    func mustLeave(for formats: NodeFormats, _ environment: RenderEnvironment) -> Bool
    /// Takes resources, because the node will be part of a plan soon.
    ///
    /// By `terms` a unit that meets a fault joins without a process, and one that does not answer joins without being heard.
    func prepare(
        _ node: AudioNode, _ formats: NodeFormats, _ environment: RenderEnvironment, _ terms: PreparationTerms
    ) throws(AudioEngineError)
    /// Puts the prepared unit under supervision, in the order of the nodes.
    func join(_ node: AudioNode) throws(AudioEngineError)
    /// Gives resources back; no plan holds the node any more.
    func unprepare()
    /// Passes the input on in place of a node that has refused these formats; false if the node has no stand-in.
    func leaveOut(for formats: NodeFormats, _ environment: RenderEnvironment) -> Bool
    /// True if the input is passed on in the node's place.
    var isLeftOut: Bool { get }

    // MARK: Beside rendering

    /// Discards all sound: delay lines, tails, scheduled sounds.
    func reset(_ node: AudioNode)
    /// True if `attend` should be called soon.
    var wantsAttention: Bool { get }
    /// Does the work that the render thread cannot do: completions, freeing memory.
    func attend(_ node: AudioNode)
    /// True if it follows the kind of device that the driver plays to.
    var followsOutput: Bool { get }
    /// Takes the kind of device; nil if it is unknown, and without a driver.
    func follow(_ output: DriverOutputKind?)
}

/// The terms on which nodes take resources.
package struct PreparationTerms: Sendable {
    /// True if a unit that meets a fault joins without a process: its supervisor starts it again.
    package var leavesFaults = false
    /// True if a unit joins that has not answered within the environment's patience; it is heard once it answers.
    package var leavesLateUnits = false

    /// The start: every unit must be there.
    package static let start = PreparationTerms()
    /// An edit of a graph that plays.
    package static let edit = PreparationTerms(leavesLateUnits: true)
    /// Another rate: everything plays that can.
    package static let change = PreparationTerms(leavesFaults: true, leavesLateUnits: true)
}

/// The origin of a node's rate.
package enum NodeRateOrigin: Sendable {
    /// The engine: the node is an end of the graph.
    case engine
    /// The format of its first input.
    case input
    /// The format of its first output.
    case output
}

/// The formats of a node's buses in a graph.
package struct NodeFormats: Hashable, Sendable {
    /// The inputs' formats; nil for a further bus without a connection.
    package var inputs: [AudioFormat?]
    /// The outputs' formats.
    package var outputs: [AudioFormat]

    /// The first input's format, or else the first output's; nil for a node without buses.
    package var main: AudioFormat? { (inputs.first ?? nil) ?? outputs.first }
}

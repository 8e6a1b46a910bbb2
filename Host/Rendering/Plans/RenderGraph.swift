// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A graph of nodes and connections as a value, which is compiled to a plan. Control thread.

import AudioFormats

/// Nodes, their buses, and their connections.
///
/// The index in `nodes` identifies a node. An input bus may have several connections, whose signals are added up.
public struct RenderGraph {
    /// The work of a node.
    public enum Work {
        /// It renders its outputs from its inputs.
        case render(any RenderNode)
        /// It adds up its connections, each at the level of its `MixingState`, into its one output.
        ///
        /// Processors of its connections may add into its sum instead.
        case mix(MixerLevel, (any MixerSum)? = nil)
    }

    /// A node and the channels of its buses.
    public struct Node {
        /// The work of the node.
        public var work: Work
        /// The channels of each input bus.
        public var inputChannelCounts: [Int]
        /// The channels of each output bus.
        public var outputChannelCounts: [Int]
        /// The layout of each input bus, if it is known.
        public var inputLayouts: [Int: ChannelLayout] = [:]
        /// The layout of each output bus, if it is known.
        public var outputLayouts: [Int: ChannelLayout] = [:]
        /// The delay of the node's outputs behind its inputs, in frames.
        public var latencyFrameCount: Int
        /// The clock of the node's outputs, and of its inputs unless `inputClock` is another one.
        public var clock = 0
        /// The clock of the inputs, if it is another one: the node converts.
        public var inputClock: Int?
        /// The node's record from plan to plan.
        public var history: NodeHistory
        /// The record of the node's times; nil for `history`.
        public var times: NodeHistory?
        /// An object that the plan keeps alive for the node.
        public var owner: (any AnyObject & Sendable)?
        /// The contents of the node, if it stands for several nodes in a row.
        ///
        /// They sound without fades as long as the node is rendered.
        public var interior = Interior()
        /// True if the node is rendered for its own sake, as an output is.
        ///
        /// Other nodes are rendered as long as a path leads from them to such a node.
        public var isSink: Bool

        /// Makes a node.
        public init(
            _ work: Work, inputChannelCounts: [Int], outputChannelCounts: [Int], latencyFrameCount: Int = 0,
            history: NodeHistory = NodeHistory(), owner: (any AnyObject & Sendable)? = nil, isSink: Bool = false
        ) {
            self.work = work
            self.inputChannelCounts = inputChannelCounts
            self.outputChannelCounts = outputChannelCounts
            self.latencyFrameCount = latencyFrameCount
            self.history = history
            self.owner = owner
            self.isSink = isSink
        }
    }

    /// Nodes and connections inside a node that stands for several.
    public struct Interior {
        /// The connections among them.
        public var connections: [ConnectionState] = []
        /// The records of inner nodes whose outputs are not read anywhere else.
        public var histories: [NodeHistory] = []

        /// Makes an empty interior.
        public init() {}
    }

    /// A bus of a node.
    public struct Bus: Hashable, Sendable {
        /// The node's index.
        public var node: Int
        /// The bus's index.
        public var bus: Int

        /// Identifies a bus.
        public init(node: Int, bus: Int = 0) {
            self.node = node
            self.bus = bus
        }
    }

    /// A connection from an output bus to an input bus.
    public struct Connection {
        /// The output bus.
        public var source: Bus
        /// The input bus.
        public var destination: Bus
        /// The connection's state from plan to plan.
        public var state: ConnectionState
        /// True if the connection fades out.
        public var isLeaving: Bool
        /// The delay of the connection's processor behind its source, in frames; a plan counts 1,048,576 at most.
        public var latencyFrameCount: Int

        /// Makes a connection.
        public init(
            from source: Bus, to destination: Bus, state: ConnectionState = ConnectionState(), isLeaving: Bool = false
        ) {
            self.source = source
            self.destination = destination
            self.state = state
            self.isLeaving = isLeaving
            latencyFrameCount = state.processor?.latencyFrameCount ?? 0
        }
    }

    /// A count of frames that nodes share.
    ///
    /// The cycle's place and length alone determine the number of frames that each clock counts in it. A connection leads between
    /// buses of one clock.
    public struct Clock: Sendable {
        /// Frames a second.
        public var sampleRate: Double
        /// The clock that this one follows: at its own rate, or at the pace of the node that stretches time between the two.
        ///
        /// It comes before this one.
        public var base: Int
        /// The pace upstream of a node whose outputs follow the base; nil if both clocks measure the same time.
        public var pace: TimePace?

        /// Makes a clock of a rate, which measures the driver's time.
        public init(sampleRate: Double, base: Int = 0, pace: TimePace? = nil) {
            (self.sampleRate, self.base, self.pace) = (sampleRate, base, pace)
        }
    }

    /// The clocks; the first one is the driver's.
    public var clocks = [Clock(sampleRate: 48_000)]
    /// The nodes.
    public var nodes: [Node] = []
    /// The connections.
    public var connections: [Connection] = []
    /// The node whose latency is the graph's; nil for the latest one without outputs.
    public var output: Int?
    /// The longest cycle in frames, by every clock; a longer one is rendered in pieces.
    public var maximumFrameCount: Int
    /// The frames of a fade by the driver's clock; zero if nothing plays yet, so that everything takes effect at once.
    public var fadeFrameCount = 0

    /// Makes an empty graph.
    public init(maximumFrameCount: Int) { self.maximumFrameCount = maximumFrameCount }
}

extension RenderGraph {
    /// The most frames by which a plan lets a node or a connection lag; the other paths need memory for as many.
    package static var mostLatencyFrames: Int {
        @_noLocks get { 1 << 20 }
    }

    /// Returns the latency for which a plan makes up, in frames.
    @_noLocks
    package static func possibleLatency(_ frameCount: Int) -> Int { min(max(0, frameCount), mostLatencyFrames) }

    /// Returns that latency in frames of the driver's clock, for frames of a length.
    static func possibleTime(_ frameCount: Int, _ length: Double) -> Double {
        min(Double(possibleLatency(frameCount)) * length, Double(mostLatencyFrames))
    }

    /// For each clock the length of a frame, in frames of the driver's clock, at the paces that are set.
    var frameLengths: [Double] {
        var lengths: [Double] = []
        for clock in clocks {
            guard !lengths.isEmpty else {
                lengths.append(1)
                continue
            }
            let ratio = clock.pace?.rate ?? clock.sampleRate / clocks[clock.base].sampleRate
            lengths.append(lengths[clock.base] / ratio)
        }
        return lengths
    }
}

/// The reason why a graph has no plan.
public enum RenderGraphError: Error, Hashable, Sendable {
    /// These nodes, by their indices, feed each other in this order; the last one feeds the first.
    case cycle([Int])
    /// The connection of this index leads from one clock to another one.
    case clocks(Int)
}

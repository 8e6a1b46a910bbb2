// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a PipeWire node is called, how it is shaped and where it is linked. Control thread.

/// Where one side of a node is linked.
public enum PipeWireTarget: Sendable, Equatable {
    /// Nowhere: the user or a patch bay links it.
    case unlinked
    /// The session's default sink or source, followed when the user chooses another.
    case defaultDevice
    /// The node of this name (`node.name`, as `pw-cli ls Node` and `wpctl` show it).
    case named(String)
}

/// How a node shows itself to the graph.
public enum PipeWireKind: Sendable, Equatable {
    /// Plays: outputs only by default, silent and at frame zero until its links carry audio.
    case playback
    /// Stays in the graph as an instrument or effect does, and runs whether linked or not.
    case filter
}

/// The wishes for a `PipeWireDriver`.
public struct PipeWireConfiguration: Sendable, Equatable {
    /// `node.name`: short, stable, without spaces.
    public var nodeName: String
    /// `node.description`: what people read in a mixer or patch bay.
    public var description: String
    public var kind: PipeWireKind
    /// Ports named `output_FL`, `output_FR`, ...; 64 at most.
    public var outputChannelCount: Int
    /// Ports named `input_FL`, `input_FR`, ...; 64 at most.
    public var inputChannelCount: Int
    public var hasMIDIInput = false
    public var sink: PipeWireTarget
    public var source: PipeWireTarget = .unlinked
    /// Frames a cycle asked for, or nil for the graph's choice. The graph follows the smallest wish
    /// of all its nodes, within its limits.
    public var quantum: Int?
    /// Frames a second asked for, or nil for the graph's choice.
    public var sampleRate: Int?
    /// The graph is made to take `quantum` while the node runs, whatever other nodes wish.
    public var forcesQuantum = false
    /// The graph is made to take `sampleRate` while the node runs.
    public var forcesSampleRate = false
    /// The daemon's socket, or nil for the one that the environment names.
    public var socketPath: String?

    /// A node that plays to the default sink (`.playback`) or waits to be linked (`.filter`).
    public init(
        nodeName: String = "bulkhead", description: String = "Bulkhead", kind: PipeWireKind = .playback,
        outputChannelCount: Int = 2, inputChannelCount: Int = 0
    ) {
        self.nodeName = nodeName
        self.description = description
        self.kind = kind
        self.outputChannelCount = outputChannelCount
        self.inputChannelCount = inputChannelCount
        sink = kind == .playback ? .defaultDevice : .unlinked
    }
}

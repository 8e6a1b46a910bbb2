// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The name, ports and links of a PipeWire node. Control thread.

import Rendering

/// The target of one side of a node.
public enum PipeWireTarget: Sendable, Equatable {
    /// No target: the user or a patch bay links the node.
    case unlinked
    /// The session's default sink or source, even after the user chooses another.
    case defaultDevice
    /// The node of this name (`node.name`, as `pw-cli ls Node` and `wpctl` show it).
    ///
    /// Without such a node, the only sink or source with this `object.serial`, or with this `node.description` or `node.nick`.
    case named(String)
}

/// The behaviour of a node in the graph.
public enum PipeWireKind: Sendable, Equatable {
    /// A node that plays: by default it has only outputs, and is silent at frame zero until its links carry audio.
    case playback
    /// A node that stays in the graph as an instrument or effect does, and runs with or without links.
    case filter
}

/// A device for the session's programs, with the node behind it.
public enum PipeWireVirtualDevice: String, Sendable, Equatable {
    /// A sink for programs: their sound, at the desktop's volume, arrives at the node's inputs.
    case sink
    /// A source for programs: they hear the node's outputs, at the source's volume.
    case source
}

/// The configuration of a `PipeWireDriver`.
public struct PipeWireConfiguration: Sendable, Equatable {
    /// `node.name`: short, stable, without spaces.
    public var nodeName: String
    /// `node.description`: the name that users see in a mixer or patch bay.
    public var description: String
    /// The behaviour of the node in the graph.
    public var kind: PipeWireKind
    /// The number of ports named `output_FL`, `output_FR`, ..., at most 64.
    public var outputChannelCount: Int
    /// The number of ports named `input_FL`, `input_FR`, ..., at most 64.
    public var inputChannelCount: Int
    /// PipeWire's names of the output channels, such as "SL"; empty for the usual names.
    public var outputChannelNames: [String] = []
    /// PipeWire's names of the input channels.
    public var inputChannelNames: [String] = []
    /// Further inputs without a source: ports named `NAME_FL`, `NAME_FR`, ..., or `NAME` for one channel.
    public var inputBuses: [DriverBus] = []
    /// The names of the MIDI input ports, at most 16; a message carries the number of its port.
    public var midiInputNames: [String] = []
    /// True if the node has a MIDI input port; true adds `midi_in` if there is none.
    public var hasMIDIInput: Bool {
        get { !midiInputNames.isEmpty }
        set { midiInputNames = newValue ? (midiInputNames.isEmpty ? ["midi_in"] : midiInputNames) : [] }
    }
    /// The name of the MIDI output port; nil for none.
    public var midiOutputName: String?
    /// The target of its outputs.
    public var sink: PipeWireTarget
    /// The target of its inputs.
    public var source: PipeWireTarget = .unlinked
    /// The node to record instead of the default device, as long as it exists.
    var preferredSourceName: String?
    /// True if the node may start before its source exists; it hears silence until then.
    package var awaitsSource = false
    /// True if the node may start before its sink exists; it is linked later.
    package var awaitsSink = false
    /// The device in front of the node; nil for none.
    ///
    /// The device gets `nodeName` and `description`, and the node a name that ends in "-chain". The device stays while targets
    /// of the other side come and go. A side that follows the default device never follows a virtual device of this kind, even
    /// if the user makes one the default.
    public var virtualDevice: PipeWireVirtualDevice?
    /// The cycle's length in frames that the node requests; nil for the graph's choice.
    ///
    /// The graph follows the smallest request of all its nodes, within its limits.
    public var quantum: Int?
    /// The sample rate in hertz that the node requests; nil for the graph's choice.
    public var sampleRate: Int?
    /// True if the graph must use `quantum` while the node runs, against other requests.
    public var forcesQuantum = false
    /// True if the graph must use `sampleRate` while the node runs.
    public var forcesSampleRate = false
    /// The daemon's socket; nil for the one of the environment.
    public var socketPath: String?

    /// Configures a node that plays to the default sink (`.playback`), or one without links (`.filter`).
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

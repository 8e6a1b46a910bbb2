// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The name, ports and links of a PipeWire node. Control thread.

import Rendering

/// The target to which one side of a node is linked.
public enum PipeWireTarget: Sendable, Equatable {
    /// No target: the user or a patch bay links the node.
    case unlinked
    /// The session's default sink or source, also after the user chooses another.
    case defaultDevice
    /// The node of this name (`node.name`, as `pw-cli ls Node` and `wpctl` show it).
    case named(String)
}

/// How a node behaves in the graph.
public enum PipeWireKind: Sendable, Equatable {
    /// It plays: outputs only by default, silent and at frame zero until its links carry audio.
    case playback
    /// It stays in the graph as an instrument or effect does, and runs whether linked or not.
    case filter
}

/// A device that the session's programs see, and that a node stands behind.
public enum PipeWireVirtualDevice: String, Sendable, Equatable {
    /// A sink that programs play to: its sound, at the volume that the desktop gives it, comes in by the node's inputs.
    case sink
    /// A source that programs record: what goes out by the node's outputs is heard there, at the source's volume.
    case source
}

/// The configuration of a `PipeWireDriver`.
public struct PipeWireConfiguration: Sendable, Equatable {
    /// `node.name`: short, stable, without spaces.
    public var nodeName: String
    /// `node.description`: the name that users see in a mixer or patch bay.
    public var description: String
    /// How the node behaves in the graph.
    public var kind: PipeWireKind
    /// Ports named `output_FL`, `output_FR`, ...; 64 at most.
    public var outputChannelCount: Int
    /// Ports named `input_FL`, `input_FR`, ...; 64 at most.
    public var inputChannelCount: Int
    /// PipeWire's names of the outputs' channels, such as "SL"; empty for what is usual for their number.
    public var outputChannelNames: [String] = []
    /// The same of the inputs' channels.
    public var inputChannelNames: [String] = []
    /// Further inputs, which are linked to no source: ports named `NAME_FL`, `NAME_FR`, ..., or `NAME` for one channel.
    public var inputBuses: [DriverBus] = []
    /// The names of the ports by which MIDI comes in, 16 at most; a message tells the number of its port.
    public var midiInputNames: [String] = []
    /// Whether the node has a port for MIDI; setting it to true adds `midi_in` where there is none.
    public var hasMIDIInput: Bool {
        get { !midiInputNames.isEmpty }
        set { midiInputNames = newValue ? (midiInputNames.isEmpty ? ["midi_in"] : midiInputNames) : [] }
    }
    /// The name of the port by which MIDI goes out; nil: there is none.
    public var midiOutputName: String?
    /// The target of its outputs.
    public var sink: PipeWireTarget
    /// The target of its inputs.
    public var source: PipeWireTarget = .unlinked
    /// The node that is recorded in place of the default device, as long as it exists.
    var preferredSourceName: String?
    /// Whether the node may start before its source exists, and hear silence until then.
    package var awaitsSource = false
    /// Whether the node may start before its sink exists, and be linked once it does.
    package var awaitsSink = false
    /// The device that the node stands behind; nil: there is none.
    ///
    /// The device gets `nodeName` and `description`, and the node a name that ends in "-chain". The device stays while what the other side
    /// is linked to goes and comes. A side that is linked to the default device is never linked to a virtual device of this kind, even where
    /// the user makes one the default.
    public var virtualDevice: PipeWireVirtualDevice?
    /// The cycle's length in frames that the node requests, or nil for the graph's choice.
    ///
    /// The graph follows the smallest request of all its nodes, within its limits.
    public var quantum: Int?
    /// The sample rate in hertz that the node requests, or nil for the graph's choice.
    public var sampleRate: Int?
    /// Whether the graph must take `quantum` while the node runs, whatever other nodes request.
    public var forcesQuantum = false
    /// Whether the graph must take `sampleRate` while the node runs.
    public var forcesSampleRate = false
    /// The daemon's socket, or nil for the one that the environment names.
    public var socketPath: String?

    /// Configures a node that plays to the default sink (`.playback`) or waits to be linked (`.filter`).
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

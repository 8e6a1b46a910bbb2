// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The session's sinks and sources as values. Any thread.

/// A sink or source of the session.
public struct PipeWireDevice: Sendable, Hashable {
    /// `node.name`, as `PipeWireTarget.named` takes it.
    public var name: String
    /// `node.description`: the name that users see.
    public var description: String
    /// Whether it is played to; otherwise it is recorded from.
    public var isSink: Bool
    /// `device.form-factor`, such as "headphone" or "webcam"; empty where it is not known, as all texts below.
    public var formFactor = ""
    /// `device.api`, such as "alsa" or "bluez5".
    public var api = ""
    /// `device.bus`, such as "usb" or "pci".
    public var bus = ""
    /// `device.icon-name`, such as "audio-headphones".
    public var iconName = ""
    /// The port of the card that is active, such as "analog-output-headphones".
    public var routeName = ""
    /// The names of the channels, such as "FL".
    public var channelNames: [String] = []
    /// The volume as users see it, 0 to 1 and more; 0 while it is muted.
    public var volume: Float = 1

    /// A device of which nothing more is known.
    public init(name: String, description: String, isSink: Bool) {
        (self.name, self.description, self.isSink) = (name, description, isSink)
    }
}

/// The sinks and sources of the session, and what is chosen among them.
public struct PipeWireDeviceList: Sendable, Equatable {
    /// All sinks and sources, in the order in which they appeared.
    public var devices: [PipeWireDevice] = []
    /// What drivers with the target `.defaultDevice` play to; nil where there is no sink.
    public var defaultSink: PipeWireDevice?
    /// What they record from; nil where there is no source.
    ///
    /// The monitor of a sink is none.
    public var defaultSource: PipeWireDevice?
    /// The rate in hertz where no node requests another one; 0 while it is not known, as all numbers below.
    public var sampleRate = 0
    /// The cycle's length in frames where no node requests another one.
    public var quantum = 0
    /// The shortest and the longest cycle in frames that nodes get.
    public var quantumLimits = 0...0
    /// The rates that nodes get.
    public var allowedSampleRates: [Int] = []
    /// The rate that the user forces on all nodes; nil where there is none.
    public var forcedSampleRate: Int?
    /// The quantum that the user forces on all nodes; nil where there is none.
    public var forcedQuantum: Int?
    /// Whether a stream plays, of any program.
    ///
    /// Filters, as `PipeWireDriver` makes them, do not count.
    public var hasRunningStreams = false

    /// No devices.
    public init() {}

    /// All sinks.
    public var sinks: [PipeWireDevice] { devices.filter(\.isSink) }
    /// All sources.
    public var sources: [PipeWireDevice] { devices.filter { !$0.isSink } }

    /// The rate in hertz at which the graph would run for one node alone that requests `wish`.
    public func sampleRate(requesting wish: Int?) -> Int {
        if let forcedSampleRate { return forcedSampleRate }
        guard let wish, allowedSampleRates.contains(wish) else { return sampleRate }
        return wish
    }

    /// The cycle's length in frames for one node alone that requests `wish`.
    ///
    /// The graph rounds requests down to powers of two.
    public func quantum(requesting wish: Int?) -> Int {
        if let forcedQuantum { return forcedQuantum }
        guard let wish, wish > 0 else { return quantum }
        return max(quantumLimits.lowerBound, min(quantumLimits.upperBound, 1 << (Int.bitWidth - 1 - wish.leadingZeroBitCount)))
    }
}

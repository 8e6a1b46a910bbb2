// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The session's sinks and sources as values. Any thread.

/// A sink or source of the session.
public struct PipeWireDevice: Sendable, Hashable {
    /// `node.name`, the name for `PipeWireTarget.named`.
    public var name: String
    /// `node.description`: the name that users see.
    public var description: String
    /// `node.nick`: a short name that some desktops show; empty if there is none.
    public var nick = ""
    /// `object.serial`: the number of the device in this session; empty if unknown.
    public var serial = ""
    /// True if programs play to the device; otherwise they record from it.
    public var isSink: Bool
    /// `device.form-factor`, such as "headphone" or "webcam"; empty if unknown, as all texts below.
    public var formFactor = ""
    /// `device.api`, such as "alsa" or "bluez5".
    public var api = ""
    /// `device.bus`, such as "usb" or "pci".
    public var bus = ""
    /// `device.icon-name`, such as "audio-headphones".
    public var iconName = ""
    /// `device.profile.name`, such as "analog-stereo" or "hdmi-stereo".
    public var profileName = ""
    /// The active port of the card, such as "analog-output-headphones".
    public var routeName = ""
    /// `port.type` of the active port, such as "headphones" or "speaker".
    public var portType = ""
    /// The names of the channels, such as "FL".
    public var channelNames: [String] = []
    /// The volume that users see, 0 to 1 and more; 0 while it is muted.
    public var volume: Float = 1

    /// Makes a device with defaults for all other properties.
    public init(name: String, description: String, isSink: Bool) {
        (self.name, self.description, self.isSink) = (name, description, isSink)
    }
}

/// The sinks and sources of the session, and the chosen ones.
public struct PipeWireDeviceList: Sendable, Equatable {
    /// All sinks and sources, in the order in which they appeared.
    public var devices: [PipeWireDevice] = []
    /// The sink of drivers with the target `.defaultDevice`; nil if there is none.
    public var defaultSink: PipeWireDevice?
    /// The source of drivers with the target `.defaultDevice`; nil if there is none.
    ///
    /// The monitor of a sink does not count.
    public var defaultSource: PipeWireDevice?
    /// The rate in hertz if no node requests another one; 0 while unknown, as all numbers below.
    public var sampleRate = 0
    /// The cycle's length in frames if no node requests another one.
    public var quantum = 0
    /// The shortest and the longest cycle of nodes, in frames.
    public var quantumLimits = 0...0
    /// The allowed sample rates.
    public var allowedSampleRates: [Int] = []
    /// The rate that the user forces on all nodes; nil for none.
    public var forcedSampleRate: Int?
    /// The quantum that the user forces on all nodes; nil for none.
    public var forcedQuantum: Int?
    /// True if a stream of any program plays.
    ///
    /// Filters do not count; a `PipeWireDriver` makes a filter.
    public var hasRunningStreams = false

    /// Makes a list without devices.
    public init() {}

    /// All sinks.
    public var sinks: [PipeWireDevice] { devices.filter(\.isSink) }
    /// All sources.
    public var sources: [PipeWireDevice] { devices.filter { !$0.isSink } }

    /// Returns the sink of a name, or the only one with that serial number, or that a desktop shows with that text.
    public func sink(called name: String) -> PipeWireDevice? {
        if let named = sinks.first(where: { $0.name == name }) { return named }
        for key in [\PipeWireDevice.serial, \.description, \.nick] {
            let found = sinks.filter { $0[keyPath: key] == name }
            if let only = found.first { return found.count == 1 ? only : nil }
        }
        return nil
    }

    /// The rate in hertz of a graph with one node that requests `wish`.
    public func sampleRate(requesting wish: Int?) -> Int {
        if let forcedSampleRate { return forcedSampleRate }
        guard let wish, allowedSampleRates.contains(wish) else { return sampleRate }
        return wish
    }

    /// The cycle's length in frames of a graph with one node that requests `wish`, and does not force it.
    ///
    /// The graph rounds requests down to powers of two.
    public func quantum(requesting wish: Int?) -> Int {
        if let forcedQuantum { return forcedQuantum }
        guard let wish, wish > 0 else { return quantum }
        let given = 1 << (Int.bitWidth - 1 - wish.leadingZeroBitCount)
        return max(quantumLimits.lowerBound, min(quantumLimits.upperBound, given))
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Everything a host knows of a unit before it renders: what the manifest and the handshake carry. Any thread.

/// Properties of a unit that are either there or not.
public struct UnitFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The plug-in consents to being loaded into the host's process. The host must want it too.
    public static let consentsToInProcess = UnitFlags(rawValue: 1 << 0)
    /// Takes MIDI events.
    public static let midiInput = UnitFlags(rawValue: 1 << 1)
    /// Emits MIDI events.
    public static let midiOutput = UnitFlags(rawValue: 1 << 2)
    /// Produces as many frames as it is asked for, which need not be as many as it takes.
    public static let stretchesTime = UnitFlags(rawValue: 1 << 3)
    /// The process that says so takes in further units. A property of the process, which no manifest names.
    public static let takesUnits = UnitFlags(rawValue: 1 << 4)
}

/// A named set of parameter values that ships with a unit.
public struct FactoryPreset: Hashable, Sendable {
    public var name: String
    /// Values by key path; parameters left out take their defaults.
    public var values: [String: Double]

    public init(_ name: String, _ values: [String: Double]) {
        self.name = name
        self.values = values
    }
}

/// A unit as its author describes it.
public struct UnitDescription: Hashable, Sendable {
    public var component: ComponentDescription
    /// What a plug-in of a classic format is called in it: `ladspa:<library>:<label>`, `lv2:<uri>`; nil for a native unit.
    public var classicIdentifier: String?
    public var name: String
    /// Whoever made it, as people call them.
    public var manufacturerName: String
    public var version: UnitVersion
    public var tags: [String]
    public var flags: UnitFlags
    public var inputs: [Bus]
    public var outputs: [Bus]
    /// The input and the output bus 0 have equally many channels.
    public var channelCountsMatch: Bool

    public init(
        _ component: ComponentDescription, classicIdentifier: String? = nil, name: String, manufacturerName: String,
        version: UnitVersion,
        tags: [String] = [], flags: UnitFlags = [], inputs: [Bus] = [Bus("Input")], outputs: [Bus] = [Bus("Output")],
        channelCountsMatch: Bool = true
    ) {
        self.component = component
        self.classicIdentifier = classicIdentifier
        self.name = name
        self.manufacturerName = manufacturerName
        self.version = version
        self.tags = tags
        self.flags = flags
        self.inputs = inputs
        self.outputs = outputs
        self.channelCountsMatch = channelCountsMatch
    }

    /// What people and scripts call it: the classic identifier, or `type:subtype:manufacturer`.
    public var identifier: String { classicIdentifier ?? component.description }

    /// Throws when the formats are not ones that this unit can take, with the reason.
    public func checkFormats(inputs wanted: [BusFormat], outputs produced: [BusFormat]) throws(UnitError) {
        try Self.check(wanted, against: inputs, direction: "input")
        try Self.check(produced, against: outputs, direction: "output")
        guard channelCountsMatch, let first = wanted.first, let last = produced.first else { return }
        guard first.channelCount != last.channelCount else { return }
        throw .formatRefused("\(first.channelCount) channels in and \(last.channelCount) out; both must be equal")
    }

    private static func check(_ formats: [BusFormat], against buses: [Bus], direction: String) throws(UnitError) {
        guard formats.count == buses.count else {
            throw .formatRefused("\(formats.count) \(direction) buses; there are \(buses.count)")
        }
        for (format, bus) in zip(formats, buses) where !(bus.isOptional && format.channelCount == 0) {
            if format.channelCount < 1 || !bus.supports(format) {
                let counts = bus.supportedChannelCounts.map(String.init).joined(separator: " or ")
                throw .formatRefused(
                    "\(format.channelCount) channels on its \(direction) \"\(bus.name)\""
                        + (counts.isEmpty ? "" : "; it takes \(counts)"))
            }
        }
    }
}

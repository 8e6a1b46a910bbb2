// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The description of a unit before it renders; the manifest and the handshake carry it. Any thread.

/// Properties that a unit has or lacks.
public struct UnitFlags: OptionSet, Hashable, Sendable {
    /// The flags as bits, as messages carry them.
    public let rawValue: UInt32
    /// Makes a set of flags from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The plug-in may be loaded into the host's process if the host allows that, too.
    public static let consentsToInProcess = UnitFlags(rawValue: 1 << 0)
    /// The unit takes MIDI events.
    public static let midiInput = UnitFlags(rawValue: 1 << 1)
    /// The unit emits MIDI events.
    public static let midiOutput = UnitFlags(rawValue: 1 << 2)
    /// The unit may take more or fewer input frames than it renders.
    public static let stretchesTime = UnitFlags(rawValue: 1 << 3)
    /// The process can run further units.
    ///
    /// Only the process itself can set it, not a manifest.
    public static let takesUnits = UnitFlags(rawValue: 1 << 4)
    /// Each channel has its own instance of the plug-in.
    public static let instancePerChannel = UnitFlags(rawValue: 1 << 5)
    /// Each pair of channels has its own instance of the plug-in, and so does each channel without a partner.
    public static let instancePerPair = UnitFlags(rawValue: 1 << 6)
    /// The unit has a view of its own.
    public static let hasView = UnitFlags(rawValue: 1 << 7)
}

/// A named set of parameter values that comes with a unit.
public struct FactoryPreset: Hashable, Sendable {
    /// The name by which people choose.
    public var name: String
    /// Values by key path.
    ///
    /// Parameters that are left out take their defaults.
    public var values: [String: Double]

    /// Makes a preset of values by key path.
    public init(_ name: String, _ values: [String: Double]) {
        self.name = name
        self.values = values
    }
}

/// A unit as its author describes it.
public struct UnitDescription: Hashable, Sendable {
    /// The type, subtype and manufacturer of the unit.
    public var component: ComponentDescription
    /// The identifier of a plug-in of a classic format, `ladspa:<library>:<label>` or `lv2:<uri>`; nil for a native unit.
    public var classicIdentifier: String?
    /// The name for people.
    public var name: String
    /// The name of the manufacturer, for people.
    public var manufacturerName: String
    /// The version of the unit, which each saved state records.
    public var version: UnitVersion
    /// Words that help a person to find the unit.
    public var tags: [String]
    /// The properties that the unit has.
    public var flags: UnitFlags
    /// The input buses, the main one first.
    public var inputs: [Bus]
    /// The output buses, the main one first.
    public var outputs: [Bus]
    /// True if input bus 0 and output bus 0 must have the same number of channels.
    public var channelCountsMatch: Bool

    /// Describes a unit; by default it has one stereo input and one stereo output.
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

    /// The identifier for people and scripts: the classic one, or `type:subtype:manufacturer`.
    public var identifier: String { classicIdentifier ?? component.description }

    /// Checks that the unit can render with these formats, one for each bus.
    ///
    /// Throws `UnitError.formatRefused` with the reason. Zero channels mean an optional bus that is not connected.
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

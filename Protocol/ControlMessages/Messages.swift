// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The messages of the control channel, as values. Control thread.

import AudioUnits
import CWireLayout
import Wire

/// A range of protocol versions.
public struct VersionRange: Hashable, Sendable, CustomStringConvertible {
    public var minimum: UInt32
    public var maximum: UInt32

    public init(minimum: UInt32, maximum: UInt32) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The versions that this build speaks.
    public static let own = VersionRange(
        minimum: UInt32(CWireLayout_minimumVersion), maximum: UInt32(CWireLayout_maximumVersion))

    /// The newest version that both speak, or nil.
    public func common(with other: VersionRange) -> UInt32? {
        let newest = min(maximum, other.maximum)
        return newest >= max(minimum, other.minimum) ? newest : nil
    }

    public var description: String { minimum == maximum ? "\(minimum)" : "\(minimum) to \(maximum)" }
}

/// What a unit says of itself when it answers the hello.
public struct Welcome: Hashable, Sendable {
    public var version: UInt32
    public var description: UnitDescription
    public var parameters: ParameterTree
    public var texts: [TextProperty]
    public var factoryPresets: [FactoryPreset]

    public init(
        version: UInt32, description: UnitDescription, parameters: ParameterTree, texts: [TextProperty] = [],
        factoryPresets: [FactoryPreset]
    ) {
        self.version = version
        self.description = description
        self.parameters = parameters
        self.texts = texts
        self.factoryPresets = factoryPresets
    }
}

/// Where the audio of one input bus comes from: somebody's output memory.
public struct InputConnection: Hashable, Sendable {
    public var layout: AudioMemoryLayout
    /// The first of the bus's channels in that memory.
    public var firstChannel: Int

    public init(layout: AudioMemoryLayout, firstChannel: Int) {
        self.layout = layout
        self.firstChannel = firstChannel
    }
}

/// What a unit needs to allocate render resources. Descriptors travel beside it, in this order: region,
/// the unit's doorbell, the host's doorbell, output memory, the successor's doorbell if there is one,
/// and the memory of each connected input.
public struct Allocation: Hashable, Sendable {
    public var sampleRate: Double
    public var maximumFrameCount: Int
    public var inputs: [BusFormat]
    public var outputs: [BusFormat]
    public var output: AudioMemoryLayout
    /// One per input bus; nil where it is not connected.
    public var connections: [InputConnection?]
    public var hasSuccessor: Bool

    public init(
        sampleRate: Double, maximumFrameCount: Int, inputs: [BusFormat], outputs: [BusFormat], output: AudioMemoryLayout,
        connections: [InputConnection?], hasSuccessor: Bool
    ) {
        self.sampleRate = sampleRate
        self.maximumFrameCount = maximumFrameCount
        self.inputs = inputs
        self.outputs = outputs
        self.output = output
        self.connections = connections
        self.hasSuccessor = hasSuccessor
    }
}

/// A parameter and its new value.
public struct ParameterSetting: Hashable, Sendable {
    public var address: UInt64
    public var value: Double

    public init(address: UInt64, value: Double) {
        self.address = address
        self.value = value
    }
}

/// What the host asks.
public enum HostMessage: Hashable, Sendable {
    /// The locator says which of its units the executable is to be; empty where it has only one.
    case hello(VersionRange, hostName: String, locator: [String])
    case allocate(Allocation)
    case deallocate
    case setParameters([ParameterSetting])
    case selectPreset(UInt32)
    case saveState
    case restoreState(FullState)
    case reset
    case shutdown
    /// What units a place holds: the path of a library, of a folder.
    case listUnits(place: String)
    case setText(identifier: String, value: String)
    /// Takes one more unit into the process, from the library at a path, or from its own when that is empty. The control
    /// socket of the new unit comes along.
    case addUnit(library: String)
}

/// What the plug-in answers.
public enum PluginMessage: Hashable, Sendable {
    case welcome(Welcome)
    /// Done; there is nothing to say.
    case done
    /// Turned down, with the reason.
    case refused(String)
    /// Resources are there. The thread that renders, as its own process knows it; 0 when in process.
    case allocated(latencyFrameCount: UInt32, tailFrameCount: UInt32, renderThread: Int32)
    case state(FullState)
    /// The unit named speaks no version that the host offered.
    case versionRefused(VersionRange, name: String)
    case units(UnitListing)
}

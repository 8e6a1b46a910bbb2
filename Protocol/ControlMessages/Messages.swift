// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The messages of the control channel, as values. Control thread.

import AudioUnits
import CWireLayout
import Wire

/// A range of protocol versions.
public struct VersionRange: Hashable, Sendable, CustomStringConvertible {
    /// The oldest version.
    public var minimum: UInt32
    /// The newest version.
    public var maximum: UInt32

    /// Makes a range that includes both ends.
    public init(minimum: UInt32, maximum: UInt32) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The versions that this build supports.
    public static let own = VersionRange(
        minimum: UInt32(CWireLayout_minimumVersion), maximum: UInt32(CWireLayout_maximumVersion))

    /// The newest version in both ranges; nil if there is none.
    public func common(with other: VersionRange) -> UInt32? {
        let newest = min(maximum, other.maximum)
        return newest >= max(minimum, other.minimum) ? newest : nil
    }

    /// The range as part of a sentence, such as `1 to 3`.
    public var description: String { minimum == maximum ? "\(minimum)" : "\(minimum) to \(maximum)" }
}

/// A unit's answer to `hello`: its version, description and presets.
package struct Welcome: Hashable, Sendable {
    /// The protocol version that the unit has chosen.
    package var version: UInt32
    /// The description of the unit.
    package var description: UnitDescription
    /// The parameters.
    package var parameters: ParameterTree
    /// The texts that can be set.
    package var texts: [TextProperty]
    /// The presets that come with the unit.
    package var factoryPresets: [FactoryPreset]

    /// Makes a welcome from its parts.
    package init(
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

/// The source of one input bus: part of the output memory of the host or of another unit.
package struct InputConnection: Hashable, Sendable {
    /// The layout of that memory.
    package var layout: AudioMemoryLayout
    /// The position of the bus's first channel in that memory.
    package var firstChannel: Int

    /// Makes a connection from its parts.
    package init(layout: AudioMemoryLayout, firstChannel: Int) {
        self.layout = layout
        self.firstChannel = firstChannel
    }
}

/// The request for render resources.
///
/// Its descriptors come in this order: the region, the unit's doorbell, the host's doorbell and the output memory. The
/// successor's doorbell follows if there is a successor, and then the memory of each connected input.
package struct Allocation: Hashable, Sendable {
    /// The sample rate in frames a second.
    package var sampleRate: Double
    /// The largest number of frames in a request.
    package var maximumFrameCount: Int
    /// The format of each input bus.
    package var inputs: [BusFormat]
    /// The format of each output bus.
    package var outputs: [BusFormat]
    /// The layout of the unit's output memory.
    package var output: AudioMemoryLayout
    /// The source of each input bus; nil if the bus is not connected.
    package var connections: [InputConnection?]
    /// True if the unit may ring another unit's doorbell, which then comes with the message.
    package var hasSuccessor: Bool

    /// True if the message states the speakers of any bus.
    package var saysSpeakers: Bool { (inputs + outputs).contains { $0.layout != nil } }

    /// The same allocation for a unit before version 3, which does not know speakers.
    package var withoutSpeakers: Allocation {
        var allocation = self
        for bus in inputs.indices { allocation.inputs[bus].layout = nil }
        for bus in outputs.indices { allocation.outputs[bus].layout = nil }
        return allocation
    }

    /// Makes an allocation from its parts.
    package init(
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

/// The request for a further wiring of a unit with render resources.
///
/// Its descriptors come in this order: the unit's doorbell and the host's doorbell. The successor's doorbell follows if there
/// is a successor, and then the memory of each connected input.
package struct Rewiring: Hashable, Sendable {
    /// The number of the wiring in requests, from 1 on.
    package var number: Int
    /// The source of each input bus; nil if the wiring does not connect the bus.
    package var connections: [InputConnection?]
    /// True if the unit may ring another unit's doorbell, which then comes with the message.
    package var hasSuccessor: Bool

    /// Makes a wiring from its parts.
    package init(number: Int, connections: [InputConnection?], hasSuccessor: Bool) {
        self.number = number
        self.connections = connections
        self.hasSuccessor = hasSuccessor
    }
}

/// A parameter and its new value.
package struct ParameterSetting: Hashable, Sendable {
    /// The address of the parameter.
    package var address: UInt64
    /// The value, in the parameter's unit.
    package var value: Double

    /// Makes a setting.
    package init(address: UInt64, value: Double) {
        self.address = address
        self.value = value
    }
}

/// The request for a view: its size, and the colours of the screen.
package struct ViewOpening: Hashable, Sendable {
    /// The size in cells.
    package var size: ViewSize
    /// The number of colours that the screen shows: 0, 8, 16, 256 or 16777216.
    package var colorCount: Int

    /// Makes an opening from its parts.
    package init(size: ViewSize, colorCount: Int) { (self.size, self.colorCount) = (size, colorCount) }
}

/// A request of the host.
package enum HostMessage: Hashable, Sendable {
    /// Begins the conversation.
    ///
    /// The locator names the unit that the executable must become; it is empty if there is only one unit.
    case hello(VersionRange, hostName: String, locator: [String])
    /// Allocates render resources.
    case allocate(Allocation)
    /// Frees render resources.
    case deallocate
    /// Sets parameters, all or none.
    case setParameters([ParameterSetting])
    /// Selects the factory preset with this index.
    case selectPreset(UInt32)
    /// Requests the full state.
    case saveState
    /// Restores a full state.
    case restoreState(FullState)
    /// Resets a unit without render resources.
    case reset
    /// Ends the unit.
    case shutdown
    /// Requests a list of the units in a library or folder.
    case listUnits(location: String)
    /// Sets a text.
    case setText(identifier: String, value: String)
    /// Takes one more unit into the process, from the library at a path; an empty path means the process's own library.
    ///
    /// The control socket of the new unit comes with the message.
    case addUnit(library: String)
    /// Adds or replaces a wiring, which later requests can name.
    case wire(Rewiring)
    /// Opens the unit's view; its memory and its channel come with the message.
    case openView(ViewOpening)
}

/// An answer of the plug-in.
package enum PluginMessage: Hashable, Sendable {
    /// Answers a hello.
    case welcome(Welcome)
    /// The request has been carried out.
    case done
    /// The request was refused; the text is the reason.
    case refused(String)
    /// Resources are allocated.
    ///
    /// `renderThread` is the id of the render thread in its own process; 0 in process.
    case allocated(latencyFrameCount: UInt32, tailFrameCount: UInt32, renderThread: Int32)
    /// Answers with the full state.
    case state(FullState)
    /// The unit with this name supports no version that the host offered.
    case versionRefused(VersionRange, name: String)
    /// Answers with the units found.
    case units(UnitListing)
    /// The view is open; it prefers these sizes, the best first.
    case viewOpened([ViewSize])
}

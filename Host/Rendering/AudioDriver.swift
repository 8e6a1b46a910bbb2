// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The interface that PipeWire, the offline renderer and the null driver share. Control thread.

/// The code that a driver calls once a cycle on its real-time thread, with its context.
///
/// `[render]` The function fills every frame of `cycle.outputs` and returns before the cycle's deadline. It
/// must be `@_noLocks` all the way down.
public struct RenderCallback: @unchecked Sendable {
    // SAFETY: only the driver's render thread uses the context; the context's owner outlives `stop()`.
    /// The C function that renders one cycle.
    public typealias Function = @convention(c) (_ context: UnsafeMutableRawPointer?, _ cycle: UnsafeRawPointer?) -> Void
    /// The function to call.
    public let function: Function
    /// The first argument of each call.
    public let context: UnsafeMutableRawPointer

    /// Pairs `function` with `context`.
    ///
    /// `cycle` points to a `RenderCycle` that is valid during the call.
    public init(function: @escaping Function, context: UnsafeMutableRawPointer) {
        self.function = function
        self.context = context
    }
}

/// What is known of a driver's run.
///
/// All of it may change while it runs.
public struct DriverStatus: Sendable, Equatable {
    /// The rate in frames a second.
    public var sampleRate: Double
    /// The cycle's length in frames (the quantum).
    public var quantum: Int
    /// The cycles rendered since the start.
    public var cycles: UInt64
    /// The cycles that the driver itself reports as missed (xruns), whatever the cause.
    public var xruns: UInt64

    /// A status with these values.
    public init(sampleRate: Double, quantum: Int, cycles: UInt64, xruns: UInt64) {
        self.sampleRate = sampleRate
        self.quantum = quantum
        self.cycles = cycles
        self.xruns = xruns
    }
}

/// A source of render cycles at a pace of its own.
///
/// `[control]` throughout.
public protocol AudioDriver: AnyObject, Sendable {
    /// Starts calling `callback` once a cycle, and returns once the first cycle can come.
    func start(_ callback: RenderCallback) throws
    /// Stops the driver; after it returns, the callback never runs again.
    func stop()
    /// The present status.
    var status: DriverStatus { get }
    /// The channels that a cycle fills.
    var outputChannelCount: Int { get }
    /// The kernel's id of the render thread; nil until that thread exists.
    var renderThreadIdentifier: Int32? { get }
    /// Why the driver stopped by itself, as when a daemon went away; nil while it runs well.
    var failure: String? { get }
    /// Makes each failure from the next start on write to `event`, and each change of a `DeviceReporting` driver's devices.
    ///
    /// `event` is an eventfd(2) that stays open as long as the driver runs.
    func tellOfFailure(event: Int32)
}

/// A driver whose cycles have a limit of their own.
public protocol CycleLimiting: AudioDriver {
    /// `[any]` The most frames of a cycle; it stays as it is.
    var maximumFrameCount: Int { get }
}

/// A driver that records where it is asked to.
public protocol RecordingDriver: AudioDriver {
    /// `[control]` The channels that the next start records; 0 for none.
    var recordedChannelCount: Int { get set }
}

/// A group of channels that a driver brings in beside its main input, such as a side chain.
public struct DriverBus: Sendable, Hashable {
    /// What its ports are called, each followed by `_` and its channel; a single channel is called by the name alone.
    public var name: String
    /// How many channels it has.
    public var channelCount: Int

    /// A bus of so many channels.
    public init(name: String, channelCount: Int = 2) {
        (self.name, self.channelCount) = (name, channelCount)
    }

    /// Whether ports can have its name.
    package var isNameOfPorts: Bool {
        !name.isEmpty && name.utf8.count <= 64 && name.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ":") }
    }
}

/// A driver that brings in further buses.
///
/// Their channels are the last inputs of a cycle, bus after bus; `RenderCycle.furtherInputCount` says how many. What is linked to
/// nothing is silent.
public protocol InputBusDriver: AudioDriver {
    /// `[control]` The buses of the next start.
    var inputBuses: [DriverBus] { get set }
}

/// A driver whose further buses come and go while it runs.
///
/// Their channels are the last inputs and outputs of a cycle. Buses that have come stay through each later start that can make them again.
public protocol BusChangingDriver: AudioDriver {
    /// `[control]` Adds a bus, and returns the place of its first channel behind the main ones.
    ///
    /// Each bus has a name of its own, by which `removeBus`, `hasBus` and `isBusLinked` mean it.
    func addBus(_ bus: DriverBus, isInput: Bool) throws(DriverBusError) -> Int
    /// `[control]` Whether there is a bus that `addBus` has added; one that could not be made again after a start has gone.
    func hasBus(named name: String) -> Bool
    /// `[control]` Takes a bus away that `addBus` has added; its channels are silent from then on.
    func removeBus(named name: String)
    /// `[control]` Whether something is linked to a channel of a bus that `addBus` has added.
    func isBusLinked(named name: String) -> Bool
}

/// A driver by which MIDI messages come in.
public protocol MIDIReceivingDriver: AudioDriver {
    /// `[control]` The names of the ports that the next start makes, at most 16; a message tells the number of its port.
    var midiPortNames: [String] { get set }
}

/// A driver by which MIDI messages go out.
public protocol MIDISendingDriver: AudioDriver {
    /// `[control]` Has a message of one to three bytes go out with the next cycle; false if it cannot.
    func sendMIDI(_ bytes: [UInt8]) -> Bool
}

/// A driver that can tell its system by how much the output lags behind the input.
public protocol LatencyReporting: AudioDriver {
    /// `[control]` Sets the latency in frames.
    func setLatency(frameCount: Int)
}

/// One side of a driver.
public enum DriverDevice: Sendable, Hashable {
    /// The driver is not to be linked to any device.
    case notWanted
    /// The driver waits for its device.
    case absent
    /// The driver is linked to the device of that name.
    case linked(name: String)
}

/// What a driver plays to and records from.
public struct DriverDevices: Sendable, Hashable {
    /// What it plays to.
    public var sink: DriverDevice
    /// What it records from.
    public var source: DriverDevice

    /// Names both.
    public init(sink: DriverDevice = .notWanted, source: DriverDevice = .notWanted) {
        (self.sink, self.source) = (sink, source)
    }
}

/// A driver that runs on when a device goes, and is linked to it again when it is back.
public protocol DeviceReporting: AudioDriver {
    /// `[control]` The devices that it is linked to now.
    var devices: DriverDevices { get }
}

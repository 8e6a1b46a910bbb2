// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The interface that PipeWire, the offline renderer and the null driver share. Control thread.

/// A source of render cycles at a pace of its own.
///
/// `[control]` throughout. What lies below `tellOfFailure` has a default: that of a driver that cannot do it.
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
    /// Makes each failure from the next start on, and each change of `devices`, write to `event`.
    ///
    /// `event` is an eventfd(2) that stays open as long as the driver runs.
    func tellOfFailure(event: Int32)

    /// Which of the abilities below it has; they stay as they are.
    var capabilities: DriverCapabilities { get }
    /// `[any]` The most frames of a cycle, which stays as it is; nil for a driver whose system may choose any.
    var cycleLimit: Int? { get }
    /// The channels that the next start records; 0 for none.
    var recordedChannelCount: Int { get set }
    /// The further input buses of the next start.
    ///
    /// Their channels are the last inputs of a cycle, bus after bus; `RenderCycle.furtherInputCount` says how many. What is linked to
    /// nothing is silent.
    var inputBuses: [DriverBus] { get set }
    /// Adds a bus while the driver runs, and returns the place of its first channel behind the main ones.
    ///
    /// Each bus has a name of its own, by which `removeBus`, `hasBus` and `isBusLinked` mean it. Its channels are among the last inputs
    /// or outputs of a cycle. It stays through each later start that can make it again.
    func addBus(_ bus: DriverBus, isInput: Bool) throws(DriverBusError) -> Int
    /// Takes a bus away that `addBus` has added; its channels are silent from then on.
    func removeBus(named name: String)
    /// Whether there is a bus that `addBus` has added; one that could not be made again after a start has gone.
    func hasBus(named name: String) -> Bool
    /// Whether something is linked to a channel of a bus that `addBus` has added.
    func isBusLinked(named name: String) -> Bool
    /// The names of the MIDI ports that the next start makes, at most 16; a message tells the number of its port.
    var midiPortNames: [String] { get set }
    /// Has a MIDI message of one to three bytes go out with the next cycle; false if it cannot.
    func sendMIDI(_ bytes: [UInt8]) -> Bool
    /// Tells the driver's system by how many frames the output lags behind the input.
    func setLatency(frameCount: Int)
    /// The devices that it is linked to now; a driver that runs on when one goes is linked to it again when it is back.
    var devices: DriverDevices { get }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The interface that PipeWire, the offline renderer and the null driver share. Control thread.

/// A source of render cycles at a pace of its own.
///
/// `[control]` throughout. Everything below `tellOfFailure` has a default, for a driver without that ability.
public protocol AudioDriver: AnyObject, Sendable {
    /// Starts calling `callback` once a cycle, and returns once the first cycle can come.
    func start(_ callback: RenderCallback) throws
    /// Stops the driver, also one that is only open; after it returns, the callback never runs again.
    func stop()
    /// The present status.
    var status: DriverStatus { get }
    /// The channels that a cycle fills.
    var outputChannelCount: Int { get }
    /// The kernel's id of the render thread; nil until that thread exists.
    var renderThreadIdentifier: Int32? { get }
    /// The reason why the driver stopped by itself, such as a daemon that went away; nil while it runs well.
    var failure: String? { get }
    /// Writes to `event` at each failure from the next start on, and at each change of `devices`.
    ///
    /// `event` is an eventfd(2) that stays open as long as the driver runs.
    func tellOfFailure(event: Int32)

    /// Opens the device in silence, so that `status` has its rate; the next `start` plays on it.
    ///
    /// A driver whose `status` has the rate from the beginning needs no such step.
    func open() throws
    /// The driver's abilities among those below; they never change.
    var capabilities: DriverCapabilities { get }
    /// `[any]` The most frames of a cycle, which never changes; nil for a driver whose system may choose any.
    var cycleLimit: Int? { get }
    /// The channels that the next start records; 0 for none.
    var recordedChannelCount: Int { get set }
    /// The further input buses of the next start.
    ///
    /// Their channels are the last inputs of a cycle, bus after bus; `RenderCycle.furtherInputCount` is their number. Unlinked
    /// channels are silent.
    var inputBuses: [DriverBus] { get set }
    /// Adds a bus while the driver runs, and returns the place of its first channel behind the main ones.
    ///
    /// Each bus needs a name of its own for `removeBus`, `hasBus` and `isBusLinked`. Its channels are among the last inputs or
    /// outputs of a cycle. The bus stays through each later start that can make it again.
    func addBus(_ bus: DriverBus, isInput: Bool) throws(DriverBusError) -> Int
    /// Removes a bus that `addBus` has added; its channels are silent from then on.
    func removeBus(named name: String)
    /// True if there is a bus that `addBus` has added.
    ///
    /// A bus that a later start could not make again is gone.
    func hasBus(named name: String) -> Bool
    /// True if a channel of a bus from `addBus` is linked.
    func isBusLinked(named name: String) -> Bool
    /// The names of the MIDI ports that the next start makes, at most 16; a message has the number of its port.
    var midiPortNames: [String] { get set }
    /// Sends a MIDI message of one to three bytes with the next cycle; false if it cannot.
    func sendMIDI(_ bytes: [UInt8]) -> Bool
    /// Reports the delay of the output, in frames, to the driver's system.
    func setLatency(frameCount: Int)
    /// The devices to which it is linked now.
    ///
    /// A driver that runs on without its device is linked to it again after its return.
    var devices: DriverDevices { get }
    /// The kind of device that it plays to now, or will play to; nil if it is unknown.
    var outputKind: DriverOutputKind? { get }
}

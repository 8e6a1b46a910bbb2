// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The answers of a driver that fills its outputs and can do nothing else. Control thread.

extension AudioDriver {
    /// None.
    public var capabilities: DriverCapabilities { [] }
    /// None.
    public var cycleLimit: Int? { nil }
    /// Always 0; what is set is ignored.
    public var recordedChannelCount: Int {
        get { 0 }
        set {}
    }
    /// Always none; what is set is ignored.
    public var inputBuses: [DriverBus] {
        get { [] }
        set {}
    }
    /// Throws `noPort`.
    public func addBus(_ bus: DriverBus, isInput: Bool) throws(DriverBusError) -> Int { throw .noPort }
    /// Does nothing.
    public func removeBus(named name: String) {}
    /// Always false.
    public func hasBus(named name: String) -> Bool { false }
    /// Always false.
    public func isBusLinked(named name: String) -> Bool { false }
    /// Always none; what is set is ignored.
    public var midiPortNames: [String] {
        get { [] }
        set {}
    }
    /// Always false.
    public func sendMIDI(_ bytes: [UInt8]) -> Bool { false }
    /// Does nothing.
    public func setLatency(frameCount: Int) {}
    /// None is wanted.
    public var devices: DriverDevices { DriverDevices() }
}

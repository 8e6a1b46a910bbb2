// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The defaults of a driver that only fills its outputs. Control thread.

extension AudioDriver {
    /// Does nothing.
    public func open() throws {}
    /// Always empty.
    public var capabilities: DriverCapabilities { [] }
    /// Always nil.
    public var cycleLimit: Int? { nil }
    /// Always 0; a new value is ignored.
    public var recordedChannelCount: Int {
        get { 0 }
        set {}
    }
    /// Always empty; a new value is ignored.
    public var inputBuses: [DriverBus] {
        get { [] }
        set {}
    }
    /// Always throws `noPort`.
    public func addBus(_ bus: DriverBus, isInput: Bool) throws(DriverBusError) -> Int { throw .noPort }
    /// Does nothing.
    public func removeBus(named name: String) {}
    /// Always false.
    public func hasBus(named name: String) -> Bool { false }
    /// Always false.
    public func isBusLinked(named name: String) -> Bool { false }
    /// Always empty; a new value is ignored.
    public var midiPortNames: [String] {
        get { [] }
        set {}
    }
    /// Always false.
    public func sendMIDI(_ bytes: [UInt8]) -> Bool { false }
    /// Does nothing.
    public func setLatency(frameCount: Int) {}
    /// Always without devices.
    public var devices: DriverDevices { DriverDevices() }
    /// Always nil.
    public var outputKind: DriverOutputKind? { nil }
}

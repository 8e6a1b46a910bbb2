// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The devices to which a driver is linked. Any thread.

/// One side of a driver.
public enum DriverDevice: Sendable, Hashable {
    /// The driver wants no device.
    case notWanted
    /// The driver waits for its device.
    case absent
    /// The driver is linked to the device of that name.
    case linked(name: String)
}

/// The devices of a driver, for both directions.
public struct DriverDevices: Sendable, Hashable {
    /// The device to which it plays.
    public var sink: DriverDevice
    /// The device from which it records.
    public var source: DriverDevice

    /// Takes both devices.
    public init(sink: DriverDevice = .notWanted, source: DriverDevice = .notWanted) {
        (self.sink, self.source) = (sink, source)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The devices that a driver is linked to. Any thread.

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

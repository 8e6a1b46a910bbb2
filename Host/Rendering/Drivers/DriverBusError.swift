// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The error of a driver that could not add a bus. Any thread.

/// The reason why a driver has not added a bus.
public enum DriverBusError: Error, Hashable, Sendable {
    /// One side of the driver would have too many channels.
    case noRoom
    /// Ports cannot have the name, or another bus has it.
    case badName
    /// The driver does not run, or its system has gone.
    case notRunning
    /// The system made no port.
    case noPort
}

extension DriverBusError: CustomStringConvertible {
    /// The reason, to follow a colon.
    public var description: String {
        switch self {
        case .noRoom: "there is no room for more channels"
        case .badName: "ports cannot have the name, or others have it"
        case .notRunning: "the driver does not run"
        case .noPort: "the system makes no port"
        }
    }
}

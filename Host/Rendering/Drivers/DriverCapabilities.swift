// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The abilities of a driver that the engine asks for. Any thread.

/// What a driver can do beside filling its outputs.
public struct DriverCapabilities: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// The abilities of these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It records as many channels as `recordedChannelCount` says.
    public static let recording = DriverCapabilities(rawValue: 1 << 0)
    /// It brings in the buses that `inputBuses` names.
    public static let inputBuses = DriverCapabilities(rawValue: 1 << 1)
    /// Its further buses come and go while it runs: `addBus` and `removeBus`.
    public static let changingBuses = DriverCapabilities(rawValue: 1 << 2)
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The abilities of a driver that the engine queries. Any thread.

/// The abilities of a driver beside filling its outputs.
public struct DriverCapabilities: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes abilities from these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It records the channels that `recordedChannelCount` requests.
    public static let recording = DriverCapabilities(rawValue: 1 << 0)
    /// It has the input buses that `inputBuses` requests.
    public static let inputBuses = DriverCapabilities(rawValue: 1 << 1)
    /// Its further buses can change while it runs: `addBus` and `removeBus`.
    public static let changingBuses = DriverCapabilities(rawValue: 1 << 2)
}

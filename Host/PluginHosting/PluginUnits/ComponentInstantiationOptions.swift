// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The choice of the process for a new unit. Any thread.

/// The choice of the process for a new unit.
public struct ComponentInstantiationOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt32

    /// Makes options from bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Starts the unit in a process of its own, confined and supervised; the default.
    public static let loadOutOfProcess = ComponentInstantiationOptions(rawValue: 1)
    /// Starts the unit in the host's process, if the plug-in consents; for a classic plug-in the user consents.
    ///
    /// A fault of the unit ends the host.
    public static let loadInProcess = ComponentInstantiationOptions(rawValue: 2)
}

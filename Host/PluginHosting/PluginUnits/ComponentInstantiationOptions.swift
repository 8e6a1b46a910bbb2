// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The choice of the process for a new unit. Any thread.

/// The choice of the process for a new unit.
public struct ComponentInstantiationOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt32

    /// Makes options of bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// In a process of its own, confined and supervised; that is the default.
    public static let loadOutOfProcess = ComponentInstantiationOptions(rawValue: 1)
    /// In the host's process, if the plug-in consents; for a classic plug-in the user consents.
    ///
    /// A fault of it ends the host.
    public static let loadInProcess = ComponentInstantiationOptions(rawValue: 2)
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit's full state: one versioned value that restores it. Any thread.

/// Everything needed to make a fresh unit sound as this one does.
public struct FullState: Hashable, Sendable {
    public var component: ComponentDescription
    /// The version of the unit that saved it; an older unit refuses a newer state.
    public var version: UnitVersion
    /// Every settable parameter, by key path.
    public var values: [String: Double]
    /// What the unit keeps beside its parameters, in a form of its own.
    public var custom: [UInt8]

    public init(component: ComponentDescription, version: UnitVersion, values: [String: Double], custom: [UInt8] = []) {
        self.component = component
        self.version = version
        self.values = values
        self.custom = custom
    }

    /// Throws when `description` is not the unit that this state belongs to, or is older than it.
    public func check(against description: UnitDescription) throws(UnitError) {
        guard component == description.component else {
            throw .stateRefused("because \(component) saved it and this is \(description.component)")
        }
        guard version <= description.version else {
            throw .stateRefused("because version \(version) saved it and this is \(description.version)")
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit's full state: one versioned value that restores it. Any thread.

/// Everything needed to make a fresh unit sound as this one does.
public struct FullState: Hashable, Sendable {
    public var component: ComponentDescription
    /// The plug-in's own name in its format, where that is a classic one: two of them may share a triple.
    public var classicIdentifier: String?
    /// The version of the unit that saved it; an older unit refuses a newer state.
    public var version: UnitVersion
    /// Every settable parameter, by key path.
    public var values: [String: Double]
    /// Every text, by identifier; those left out are as they were when the unit was made.
    public var texts: [String: String]
    /// What the unit keeps beside its parameters, in a form of its own.
    public var custom: [UInt8]

    public init(
        component: ComponentDescription, classicIdentifier: String? = nil, version: UnitVersion, values: [String: Double],
        texts: [String: String] = [:], custom: [UInt8] = []
    ) {
        self.component = component
        self.classicIdentifier = classicIdentifier
        self.version = version
        self.values = values
        self.texts = texts
        self.custom = custom
    }

    /// Throws when `description` is not the unit that this state belongs to, or is older than it.
    public func check(against description: UnitDescription) throws(UnitError) {
        guard component == description.component, classicIdentifier == description.classicIdentifier else {
            throw .stateRefused(
                "because \(classicIdentifier ?? component.description) saved it and this is \(description.identifier)")
        }
        guard version <= description.version else {
            throw .stateRefused("because version \(version) saved it and this is \(description.version)")
        }
    }
}

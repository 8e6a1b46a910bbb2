// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The full state of a unit: one value with a version, from which the unit is restored. Any thread.

/// The complete settings of a unit: a new unit with them sounds like the one that saved them.
public struct FullState: Hashable, Sendable {
    /// The component that saved the state.
    public var component: ComponentDescription
    /// The identifier of a plug-in of a classic format; nil for a native unit.
    ///
    /// Two classic plug-ins may share a component.
    public var classicIdentifier: String?
    /// The version of the unit that saved the state.
    ///
    /// An older unit refuses it.
    public var version: UnitVersion
    /// The value of every settable parameter, by key path.
    public var values: [String: Double]
    /// The value of every text, by identifier.
    ///
    /// A text that is left out stays as it was when the unit was made.
    public var texts: [String: String]
    /// The state beside parameters and texts, in a form of the unit's own.
    public var custom: [UInt8]

    /// Makes a state from its parts.
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

    /// Checks that the unit of `description` can take this state.
    ///
    /// Throws `UnitError.stateRefused` if another unit saved the state, or a newer version of the same unit.
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

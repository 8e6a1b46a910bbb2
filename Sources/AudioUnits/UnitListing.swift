// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What an executable that can become many units finds at a place. Control threads.

/// A unit that an executable can become, and the words that make it so.
public struct ListedUnit: Hashable, Sendable {
    public var locator: [String]
    public var description: UnitDescription

    public init(locator: [String], description: UnitDescription) {
        self.locator = locator
        self.description = description
    }
}

/// What an executable found at a place: its units, and what is wrong there.
public struct UnitListing: Hashable, Sendable {
    public var units: [ListedUnit]
    /// Classic identifiers of plug-ins that live elsewhere and find something of theirs here, such as presets.
    public var extends: [String]
    /// A sentence each, about what cannot be used.
    public var defects: [String]

    public init(units: [ListedUnit] = [], extends: [String] = [], defects: [String] = []) {
        self.units = units
        self.extends = extends
        self.defects = defects
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The units that an executable finds in a file or folder, if it can become many units. Control threads.

/// A unit that an executable can become, and the locator for it.
public struct ListedUnit: Hashable, Sendable {
    /// The arguments that make the executable this unit; empty if it holds only one unit.
    public var locator: [String]
    /// The description of the unit.
    public var description: UnitDescription

    /// Pairs a locator with its unit.
    public init(locator: [String], description: UnitDescription) {
        self.locator = locator
        self.description = description
    }
}

/// The contents of a file or folder, as an executable found them: the units, and the defects.
public struct UnitListing: Hashable, Sendable {
    /// The units that can be used.
    public var units: [ListedUnit]
    /// The classic identifiers of plug-ins elsewhere that this folder extends, for example with presets.
    public var extends: [String]
    /// One sentence for each defect.
    public var defects: [String]

    /// Makes a listing, by default an empty one.
    public init(units: [ListedUnit] = [], extends: [String] = [], defects: [String] = []) {
        self.units = units
        self.extends = extends
        self.defects = defects
    }
}

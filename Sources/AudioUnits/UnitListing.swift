// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The units that an executable finds in a file or folder, if it can become many units. Control threads.

/// A unit that an executable can become, and how to ask for it.
public struct ListedUnit: Hashable, Sendable {
    /// What the executable is given to become this unit; empty if it holds only one.
    public var locator: [String]
    /// What the unit is.
    public var description: UnitDescription

    /// Pairs a locator with its unit.
    public init(locator: [String], description: UnitDescription) {
        self.locator = locator
        self.description = description
    }
}

/// What an executable found in a file or folder: the units, and the defects.
public struct UnitListing: Hashable, Sendable {
    /// The units that can be used.
    public var units: [ListedUnit]
    /// The classic identifiers of plug-ins that lie elsewhere and are extended from here, for example by presets.
    public var extends: [String]
    /// One sentence for each thing that cannot be used.
    public var defects: [String]

    /// Makes a listing, by default an empty one.
    public init(units: [ListedUnit] = [], extends: [String] = [], defects: [String] = []) {
        self.units = units
        self.extends = extends
        self.defects = defects
    }
}

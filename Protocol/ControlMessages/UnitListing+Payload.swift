// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The encoding of a listing of units, in messages and in the host's cache. Control thread.

import AudioUnits
import Wire

extension UnitListing {
    /// The largest number of units, of extended identifiers and of defects in a listing.
    package static let maximumCount = WireLimits.listingCount

    /// Writes the listing.
    package func write(to writer: inout PayloadWriter) {
        writer.write(units) { writer, unit in
            writer.write(unit.locator) { $0.write($1) }
            unit.description.write(to: &writer)
        }
        writer.write(extends) { $0.write($1) }
        writer.write(defects) { $0.write($1) }
    }

    /// Reads a listing.
    ///
    /// Throws `WireViolation` for a listing longer than the protocol allows, before it allocates memory for it.
    package init(from reader: inout PayloadReader) throws(WireViolation) {
        let units = try reader.readBounded("units", minimumByteCount: 4 + 45) { reader throws(WireViolation) in
            ListedUnit(locator: try reader.readTexts(), description: try UnitDescription(from: &reader))
        }
        let extends = try reader.readBounded("extended units", minimumByteCount: 4) { reader throws(WireViolation) in
            try reader.readString()
        }
        let defects = try reader.readBounded("defects", minimumByteCount: 4) { reader throws(WireViolation) in
            try reader.readString()
        }
        self.init(units: units, extends: extends, defects: defects)
    }
}

extension PayloadReader {
    fileprivate mutating func readBounded<Item>(
        _ name: String, minimumByteCount: Int, _ item: (inout PayloadReader) throws(WireViolation) -> Item
    ) throws(WireViolation) -> [Item] {
        var count = 0
        return try readItems(minimumByteCount: minimumByteCount) { reader throws(WireViolation) in
            count += 1
            guard count <= UnitListing.maximumCount else {
                throw WireViolation("a listing of more than \(UnitListing.maximumCount) \(name)")
            }
            return try item(&reader)
        }
    }
}

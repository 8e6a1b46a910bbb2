// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads texts that the host looks things up by. Control thread.

import Wire

extension PayloadReader {
    /// The most combining marks in a row, as in Unicode's stream-safe text (UAX #15).
    private static let markCount = 30

    /// Reads an identifier or a key path of at most `maximumByteCount` bytes.
    ///
    /// Texts are equal if they look alike, whatever the order of their marks. Long rows of marks take long to compare, so they are
    /// refused.
    mutating func readIdentifier(maximumByteCount: Int) throws(WireViolation) -> String {
        let identifier = try readString()
        let byteCount = identifier.utf8.count
        guard byteCount <= maximumByteCount else { throw WireViolation("an identifier of \(byteCount) bytes") }
        guard identifier.utf8.contains(where: { $0 >= 0x80 }) else { return identifier }
        var marks = 0
        for scalar in identifier.unicodeScalars {
            marks = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            guard marks <= Self.markCount else {
                throw WireViolation("an identifier with more than \(Self.markCount) marks in a row")
            }
        }
        return identifier
    }
}

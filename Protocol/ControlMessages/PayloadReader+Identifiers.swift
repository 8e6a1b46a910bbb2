// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads texts that the host uses for look-ups. Control thread.

import Wire

extension PayloadReader {
    /// The most successive combining marks, as in Unicode's stream-safe text (UAX #15).
    private static let markCount = 30

    /// Reads an identifier or a key path of at most `maximumByteCount` bytes.
    ///
    /// Texts are equal if they look alike, even if their marks have another order. A long sequence of marks takes long to
    /// compare, so it is refused.
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

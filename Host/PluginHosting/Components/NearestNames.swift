// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds known names near a misspelt one. Any thread.

/// Finds names that differ little from a misspelt one.
package enum NearestNames {
    /// Up to `limit` names, the nearest first; they differ in at most a third of the longer text's characters.
    package static func among(_ names: [String], to text: String, limit: Int = 3) -> [String] {
        let wanted = Array(text.lowercased())
        let near = names.compactMap { name -> (name: String, distance: Int)? in
            let letters = Array(name.lowercased())
            let farthest = max(1, max(letters.count, wanted.count) / 3)
            // The lengths alone rule out most of a thousand names.
            guard abs(letters.count - wanted.count) <= farthest else { return nil }
            let distance = distance(letters, wanted)
            return distance <= farthest ? (name, distance) : nil
        }
        return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(limit).map(\.name)
    }

    /// The restricted Damerau–Levenshtein distance.
    ///
    /// It is the number of edits (insert, delete, replace, swap neighbours) from one text to the other.
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var older: [Int] = []
        var previous = Array(0...right.count)
        for (row, character) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(previous[column] + (character == other ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                    best = min(best, older[column - 1] + 1)
                }
                current.append(best)
            }
            older = previous
            previous = current
        }
        return previous[right.count]
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Names that suit a node of PipeWire and a file. Any thread.

/// The rule for names of nodes that the user chooses.
enum NodeName {
    /// True for up to 100 letters, digits and a few other characters.
    static func isPlain(_ name: String) -> Bool {
        let isPlain = name.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_.".unicodeScalars.contains($0)
        }
        return isPlain && (1...100).contains(name.utf8.count)
    }

    /// The sentence about another name.
    static func complaint(_ name: String) -> String {
        "--name takes up to 100 letters, digits, \"-\", \"_\" and \".\", not \"\(name)\"."
    }
}

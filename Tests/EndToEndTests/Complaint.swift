// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What every message of the command has to be: one clear sentence.

import Testing

extension Outcome {
    /// Expects a failure with one sentence that holds `parts`, and nobody left behind.
    func expectComplaint(
        status wanted: Int32, _ parts: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(status == wanted, "\(errors)", sourceLocation: sourceLocation)
        for part in parts { #expect(errors.contains(part), "\(errors)", sourceLocation: sourceLocation) }
        #expect(flaw == nil, "\(errors)", sourceLocation: sourceLocation)
        #expect(leftovers.isEmpty, sourceLocation: sourceLocation)
    }

    /// Expects success without a word on standard error, and nobody left behind.
    func expectSuccess(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(status == 0, "\(errors)", sourceLocation: sourceLocation)
        #expect(errors.isEmpty, sourceLocation: sourceLocation)
        #expect(leftovers.isEmpty, sourceLocation: sourceLocation)
    }

    /// What is wrong with the message, or nil.
    private var flaw: String? {
        guard errors.hasPrefix("bulkhead: ") else { return "it does not begin with the program's name" }
        guard errors.hasSuffix("\n"), errors.count(where: { $0 == "\n" }) == 1 else { return "it is not one line" }
        let ugly = ["?.", "..\n", "...", ". .", "  ", "Error(", "Optional(", "Fatal", "Code=", "rawValue", "\u{1B}"]
        return ugly.first { errors.contains($0) }.map { "it holds \($0)" }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Paths that are compared by their bytes.

import Testing

@testable import LinuxSystem

@Suite struct ExactPathTests {
    @Test func pathsAreTheSameOnlyWithTheSameBytes() {
        let (composed, decomposed) = ("/caf\u{E9}", "/cafe\u{301}")
        #expect(composed == decomposed)
        #expect(ExactPath(composed) != ExactPath(decomposed))
        #expect(Set([ExactPath(composed), ExactPath(decomposed), ExactPath(composed)]).count == 2)
    }

    @Test func whatIsBelowAFolderBeginsWithItsBytesAndASlash() {
        let folder = ExactPath("/a/b")
        #expect(ExactPath("/a/b/c").isBelow(folder) && ExactPath("/a/b/c/d").isBelow(folder))
        #expect(!ExactPath("/a/b").isBelow(folder) && !ExactPath("/a/bc").isBelow(folder) && !ExactPath("/a").isBelow(folder))
        #expect(!ExactPath("/cafe\u{301}/x").isBelow(ExactPath("/caf\u{E9}")))
        #expect(ExactPath("/a/b/c/d").entry(of: folder) == ExactPath("/a/b/c") && folder.entry(of: folder) == nil)
    }
}

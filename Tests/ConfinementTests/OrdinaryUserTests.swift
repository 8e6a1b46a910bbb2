// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The break-outs once more by an ordinary user, when root runs the tests.

import Glibc
import Testing

@Suite struct OrdinaryUserTests {
    @Test(.enabled(if: geteuid() == 0)) func noWayLeadsOutForAnOrdinaryUserEither() throws {
        let texts = [
            "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", CommandLine.arguments[0], "--testing-library",
            "swift-testing", "--no-parallel", "--filter", "BreakOutTests",
        ]
        var words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        try #require(posix_spawnp(&process, "setpriv", nil, nil, &words, environ) == 0)
        var status: Int32 = 0
        try #require(waitpid(process, &status, 0) == process)
        #expect(status == 0, "the tests failed as user 65534")
    }
}

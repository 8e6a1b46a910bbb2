// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The break-outs and the private folders again as an ordinary user, when root runs the tests.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct OrdinaryUserTests {
    /// Copies what the break-outs need of a build to a folder that every user may read: the build may lie in root's home.
    private static func copyOfBuild() throws -> String {
        var template = Array("/tmp/bulkhead-build-XXXXXX".utf8CString)
        let folder = String(cString: try #require(mkdtemp(&template)))
        chmod(folder, 0o755)
        for name in ["bulkheadPackageTests.xctest", "BreakOut", "bulkhead-keeper"] {
            try FileManager.default.copyItem(atPath: "\(Build.folder)/\(name)", toPath: "\(folder)/\(name)")
        }
        return folder
    }

    @Test(.enabled(if: geteuid() == 0, "only root becomes another user")) func noWayLeadsOutForAnOrdinaryUserEither() throws {
        let folder = try Self.copyOfBuild()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let texts = [
            "env", "--chdir", folder, "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups",
            "\(folder)/bulkheadPackageTests.xctest",
            "--testing-library", "swift-testing", "--no-parallel", "--filter",
            "BreakOutTests|PrivateFolderTests|WallTests|MemoryShortageTests",
        ]
        var words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        try #require(posix_spawnp(&process, "env", nil, nil, &words, environ) == 0)
        var status: Int32 = 0
        try #require(waitpid(process, &status, 0) == process)
        #expect(status == 0, "the tests failed as user 65534")
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Folders that are made with those around them, and what is in the way of one. Any thread.

import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite struct FolderTests {
    private let scratch = ScratchFolder()

    @Test func aFolderIsMadeWithThoseAroundItForTheUserAlone() throws {
        let paths = ["a/b/c", "a/b", "a"].map(scratch.file)
        defer { for path in paths { rmdir(path) } }
        for _ in 0..<2 { try Folder.make(paths[0]) }
        for path in paths {
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode == S_IFDIR | 0o700)
        }
    }

    /// The folder that cannot be made is named, and not a file in it.
    @Test func aFileInTheWayIsTheReason() throws {
        let file = scratch.file("file")
        try #require(close(creat(file, 0o600)) == 0)
        #expect(throws: SystemError("make the folder \"\(file)\"", code: ENOTDIR)) { try Folder.make(file) }
        #expect(throws: SystemError("make the folder \"\(file)\"", code: ENOTDIR)) { try Folder.make("\(file)/a/b") }
    }
}

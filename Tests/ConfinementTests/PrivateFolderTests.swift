// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The private folders of processes without a root of their own: what is removed with them, and what stays.

import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Confinement

/// Serialized, because `TMPDIR` belongs to the whole process.
@Suite(.serialized) struct PrivateFolderTests {
    /// Calls `body` with a folder that `TMPDIR` names meanwhile, and with another one beside it that holds a file.
    private func withFolders(_ body: (_ temporary: String, _ treasure: String) throws -> Void) throws {
        var template = Array("/tmp/bulkhead-folders-XXXXXX".utf8CString)
        let folder = String(cString: try #require(mkdtemp(&template)))
        let own = getenv("TMPDIR").map { String(cString: $0) }
        let (temporary, treasure) = ("\(folder)/temporary", "\(folder)/treasure")
        for path in [temporary, treasure, "\(treasure)/inner"] { try #require(mkdir(path, 0o700) == 0) }
        close(creat("\(treasure)/inner/secret", 0o600))
        setenv("TMPDIR", temporary, 1)
        defer {
            if let own { setenv("TMPDIR", own, 1) } else { unsetenv("TMPDIR") }
            unlink("\(treasure)/inner/secret")
            for path in ["\(treasure)/inner", treasure, temporary, folder] { rmdir(path) }
        }
        try body(temporary, treasure)
        #expect(access("\(treasure)/inner/secret", F_OK) == 0, "a file outside was removed")
    }

    /// Fills a folder with what is hard to remove: links that lead out, names that are numbers, missing rights, and great depth.
    private func fill(_ folder: String, _ treasure: String) throws {
        try #require(symlink(treasure, "\(folder)/0") == 0 && symlink("\(treasure)/inner", "\(folder)/link") == 0)
        for name in ["1", "full", "full/inner", "full/inner/more", "closed", "closed/inner"] {
            try #require(mkdir("\(folder)/\(name)", 0o700) == 0)
        }
        for name in ["2", "full/0", "full/inner/0", "full/inner/more/file"] { close(creat("\(folder)/\(name)", 0o400)) }
        try #require(symlink(treasure, "\(folder)/full/inner/more/link") == 0)
        for name in ["closed/inner", "closed"] { try #require(chmod("\(folder)/\(name)", 0) == 0) }
        // The depth exceeds the longest path.
        var deepest = open(folder, O_RDONLY | O_DIRECTORY)
        let name = String(repeating: "deeper", count: 40)
        for _ in 0..<50 {
            mkdirat(deepest, name, 0o700)
            let next = openat(deepest, name, O_RDONLY | O_DIRECTORY)
            close(deepest)
            deepest = next
        }
        #expect(symlinkat(treasure, deepest, "link") == 0)
        close(deepest)
    }

    @Test func whateverLiesInAFolderGoesWithItAndNothingElse() throws {
        try withFolders { temporary, treasure in
            let folder = try PrivateFolder()
            try withExtendedLifetime(consume folder) { try fill($0.path, treasure) }
            #expect(Folder.entries(of: temporary).isEmpty)
        }
    }

    @Test func whatAKilledHostLeftIsRemovedAndNobodyElsesFolderIs() throws {
        try withFolders { temporary, treasure in
            let living = try PrivateFolder()
            defer { withExtendedLifetime(living) {} }
            // These are not locked: a folder that a host left, and entries that only look like one.
            let abandoned = "\(temporary)/bulkhead-private-aaaaaa"
            try #require(mkdir(abandoned, 0o700) == 0)
            try fill(abandoned, treasure)
            try #require(symlink(treasure, "\(temporary)/bulkhead-private-bbbbbb") == 0)
            try #require(mkdir("\(temporary)/bulkhead-private-notes", 0o700) == 0)
            PrivateFolder.removeAbandoned()
            let names = Folder.entries(of: temporary).sorted()
            #expect(names.count == 3 && names.contains(String(living.path.split(separator: "/").last!)))
            #expect(names.contains("bulkhead-private-bbbbbb") && names.contains("bulkhead-private-notes"))
            unlink("\(temporary)/bulkhead-private-bbbbbb")
            rmdir("\(temporary)/bulkhead-private-notes")
        }
    }
}

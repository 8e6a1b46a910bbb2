// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The digest of a plug-in: every change is seen, and nothing that a bundle holds keeps it busy for long.

import FoundationEssentials
import Glibc
import LinuxSystem
import Testing

@testable import PluginHosting

@Suite struct CodeDigestTests {
    /// FIPS 180-4 and RFC 4231 have these.
    @Test func itIsSHA256AndItsHMAC() {
        var sum = SHA256()
        sum.add(Array("abc".utf8))
        #expect(sum.digest().hexadecimal == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let mark = SHA256.authentication(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        #expect(mark.hexadecimal == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test func everyChangeOfAFolderIsSeen() throws {
        let folder = try TemporaryFolder()
        try folder.write("one", to: "bundle/a")
        try folder.write("two", to: "bundle/inner/b")
        let path = folder.path + "/bundle"
        var seen: Set<String> = []
        func expectAnother(_ change: String) throws {
            #expect(seen.insert(try #require(CodeDigest.reading(path, .contents).digest)).inserted, "\(change)")
        }
        try expectAnother("none")
        #expect(try seen.contains(#require(CodeDigest.reading(path, .contents).digest)))
        try folder.write("One", to: "bundle/a")
        try expectAnother("a byte")
        #expect(rename(path + "/a", path + "/c") == 0)
        try expectAnother("a name")
        #expect(rename(path + "/c", path + "/inner/c") == 0)
        try expectAnother("another folder")
        #expect(symlink("inner/b", path + "/link") == 0)
        try expectAnother("a link")
        #expect(unlink(path + "/link") == 0 && symlink("inner/c", path + "/link") == 0)
        try expectAnother("where it leads")
        // What lies elsewhere could change unseen.
        #expect(symlink("/etc", path + "/inner/out") == 0)
        #expect(throws: SystemError.self) { try CodeDigest.reading(path, .contents) }
        #expect(unlink(path + "/inner/out") == 0)
        #expect(mkdir(path + "/empty", 0o755) == 0)
        try expectAnother("an empty folder")
    }

    @Test func neitherAPipeNorASparseFileNorADeepFolderKeepsItBusy() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        _ = try CodeDigest.reading(folder.path, .contents)
        try folder.write("", to: "large")
        #expect(truncate(folder.path + "/large", 1 << 40) == 0)
        #expect(throws: SystemError.self) { try CodeDigest.reading(folder.path, .contents) }
        #expect(unlink(folder.path + "/large") == 0)
        try folder.write("", to: (0..<40).map { _ in "d" }.joined(separator: "/") + "/file")
        #expect(throws: SystemError.self) { try CodeDigest.reading(folder.path, .contents) }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The files that the user grants to a plug-in: only these, and only for reading.

import Glibc
import Testing

@testable import PluginHosting

@Suite struct GrantTests {
    @Test(arguments: [ConfinementProfile.strict, .standard])
    func whatIsGrantedIsReadAndNotWritten(profile: ConfinementProfile) throws {
        let treasury = try Treasury()
        let fugitive = try Fugitive(profile, treasury, granting: [treasury.folder])
        #expect(try fugitive.attempt("read-secret", treasury) == .gotThrough)
        #expect(try fugitive.attempt("list-folder", treasury) == .gotThrough)
        for way in ["write-secret", "make-file", "remove-file", "unix-socket"] {
            #expect(try fugitive.attempt(way, treasury).isRefusal, "\(way)")
        }
    }

    @Test func aFileThatIsGrantedBringsNoNeighboursAlong() throws {
        let treasury = try Treasury()
        let fugitive = try Fugitive(.strict, treasury, granting: ["\(treasury.folder)/victim"])
        #expect(try fugitive.attempt("read-secret", treasury).isRefusal)
        #expect(
            try Fugitive(.strict, treasury, granting: ["\(treasury.folder)/secret"]).attempt("read-secret", treasury) == .gotThrough
        )
    }

    /// Otherwise a user who can put a link into a bundle could grant any file by it.
    @Test func aLinkInABundleLeadsNowhere() throws {
        let treasury = try Treasury()
        let bundle = "\(treasury.folder)-bundles"
        mkdir(bundle, 0o755)
        symlink(treasury.folder, "\(bundle)/way-out")
        let fugitive = try Fugitive(.strict, treasury, granting: [bundle])
        #expect(try fugitive.attempt("read-secret", treasury).isRefusal)
    }

    @Test func decisionsAreAboutOneCodeAndCanBeTakenBack() {
        var settings = PluginSettings()
        let (code, other) = (PluginCode(path: "/a", digest: "1", stamp: "1"), PluginCode(path: "/a", digest: "2", stamp: "2"))
        #expect(settings.unconfine("a", code) && !settings.unconfine("a", code))
        #expect(settings.confine("a") && !settings.confine("a"))
        #expect(settings.rights.isEmpty)
        #expect(settings.grant("a", code, reading: "/y") && settings.grant("a", code, reading: "/x"))
        #expect(!settings.grant("a", code, reading: "/x") && !settings.grant("a", code, reading: "/y"))
        #expect(settings.rights["a"]?.granted.keys.sorted() == ["/x", "/y"])
        #expect(settings.revoke("a", reading: "/x") && !settings.revoke("a", reading: "/x"))
        #expect(settings.trust("a", other) && !settings.trust("a", other))
        #expect(settings.rights["a"]?.granted.isEmpty == true)
        #expect(settings.distrust("a") && !settings.revokeAll("a"))
        #expect(settings.rights.isEmpty)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Who is ended when the machine's memory runs out, and which memory counts as a plug-in's.

import FoundationEssentials
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Confinement
@testable import PluginHosting

@Suite struct MemoryShortageTests {
    private static let offers = [ConfinementOffer.current, .current.lacking(Set(Namespace.allCases))]

    private static func rank(of process: String) throws -> Int {
        let text = try #require(Folder.text(of: "/proc/\(process)/oom_score_adj"))
        return try #require(Int(text.dropLast()))
    }

    /// The child borrows the host's memory when it says so, and the kernel gives processes that share memory one rank.
    @Test(arguments: ConfinementProfile.allCases, offers.indices)
    func theKernelEndsPluginsFirstAndTheHostKeepsItsRank(profile: ConfinementProfile, offer: Int) throws {
        let own = try Self.rank(of: "self")
        try #require(own < 1000, "this process itself is to be ended first")
        let treasury = try Treasury()
        let fugitive = try Fugitive(profile, treasury, offer: Self.offers[offer])
        #expect(try Self.rank(of: "\(fugitive.process.identifier)") == 1000)
        #expect(try Self.rank(of: "self") == own)
        #expect(try fugitive.attempt("spare-itself", treasury).isRefusal == (profile != .off))
        #expect(try Self.rank(of: "\(fugitive.process.identifier)") == (profile == .off ? 0 : 1000))
    }

    /// If a keeper is ended, its whole namespace is.
    @Test(.enabled(if: ConfinementOffer.current.namespaces.contains(.process), "there are no process namespaces here"))
    func aKeeperHasTheRankOfTheHost() throws {
        let treasury = try Treasury()
        let fugitive = try Fugitive(.strict, treasury)
        let namespace = try Self.processNamespace(of: fugitive.process.identifier)
        let keepers = Census.children(of: getpid()).filter {
            $0 != fugitive.process.identifier && (try? Self.processNamespace(of: $0)) == namespace
        }
        #expect(try keepers.map { try Self.rank(of: "\($0)") } == [try Self.rank(of: "self")])
    }

    private static func processNamespace(of process: Int32) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/ns/pid")
    }

    @Test func pageTablesAreMemoryThatIsUsedUp() throws {
        let treasury = try Treasury()
        let fugitive = try Fugitive(.strict, treasury, memoryByteCount: 64 << 20)
        #expect(ResourceUse.exhaustion(of: fugitive.process.identifier, threadLimit: nil) == nil)
        #expect(try fugitive.attempt("fill-page-tables", treasury) == .gotThrough)
        #expect(ResourceUse.exhaustion(of: fugitive.process.identifier, threadLimit: nil) == .outOfMemory)
    }
}

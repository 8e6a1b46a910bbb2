// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Each wall alone: what it keeps in without the others. Missing walls are named.

import FoundationEssentials
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Confinement
@testable import PluginHosting

@Suite struct WallTests {
    private static let files = ["read-secret", "write-secret", "make-file", "remove-file", "list-folder", "climb", "read-shadow"]
    private static let processes = [
        "signal-process", "trace-process", "read-memory", "open-memory", "open-descriptors", "open-environment",
    ]
    private static let noNamespaces = ConfinementOffer.current.lacking(Set(Namespace.allCases))

    /// What is left to it in a user namespace of its own: the machine's limits on namespaces and watches do not matter there.
    @Test(
        .enabled(if: ConfinementOffer.current.namespaces.contains(.user), "there are no user namespaces here"),
        arguments: ["unshare", "watch-file"])
    func theUserNamespaceAloneHoldsNoOtherAndNoWatches(way: String) throws {
        let others = Set(Namespace.allCases).subtracting([.user])
        let offer = ConfinementOffer.current.lacking(others, landlock: true, systemCallFilter: true)
        #expect(try Fugitive.outcome(of: way, .strict, offer: offer).isRefusal)
        #expect(try Fugitive.outcome(of: way, .off) == .gotThrough)
    }

    /// Root could write to the machine's settings, and any process could have the kernel spare it when memory runs out.
    @Test(
        .enabled(
            if: ConfinementOffer.current.namespaces.isSuperset(of: [.process, .mount]),
            "there are no process or mount namespaces here"),
        arguments: ["open-settings", "read-settings", "spare-itself"])
    func aProcFolderAloneKeepsTheMachinesSettings(way: String) throws {
        let offer = ConfinementOffer.current.lacking(landlock: true, systemCallFilter: true)
        let treasury = try Treasury()
        let fugitive = try Fugitive(.standard, treasury, offer: offer)
        #expect(try fugitive.attempt(way, treasury).isRefusal)
        #expect(try fugitive.attempt("read-own-status", treasury) == .gotThrough, "there is a /proc")
    }

    /// Not every machine allows a root of its own; Landlock alone keeps files out of reach.
    @Test(.enabled(if: Landlock.version > 0, "this kernel has no Landlock"), arguments: files + ["open-memory"])
    func landlockAloneKeepsFiles(way: String) throws {
        let offer = Self.noNamespaces.lacking(systemCallFilter: true)
        #expect(try Fugitive.outcome(of: way, .standard, offer: offer).isRefusal)
    }

    @Test(
        .enabled(if: ConfinementOffer.current.namespaces.contains(.mount), "there are no mount namespaces here"), arguments: files)
    func aRootOfItsOwnAloneKeepsFiles(way: String) throws {
        let offer = ConfinementOffer.current.lacking(landlock: true, systemCallFilter: true)
        #expect(try Fugitive.outcome(of: way, .strict, offer: offer).isRefusal)
    }

    /// A PID namespace alone leaves the machine's /proc visible.
    @Test(
        .enabled(
            if: ConfinementOffer.current.namespaces.isSuperset(of: [.process, .mount]),
            "there are no process or mount namespaces here"), arguments: processes)
    func namespacesAloneKeepProcesses(way: String) throws {
        let offer = ConfinementOffer.current.lacking(landlock: true, systemCallFilter: true)
        #expect(try Fugitive.outcome(of: way, .standard, offer: offer).isRefusal)
    }

    @Test(
        .enabled(if: ConfinementOffer.current.filtersSystemCalls, "this kernel filters no system calls"),
        arguments: ["signal-process", "trace-process", "read-memory"])
    func theFilterAloneKeepsProcesses(way: String) throws {
        let offer = Self.noNamespaces.lacking(landlock: true)
        #expect(try Fugitive.outcome(of: way, .standard, offer: offer).isRefusal)
    }

    /// Old versions of Landlock allow it, and without a root of its own only the filter is left.
    @Test(
        .enabled(if: ConfinementOffer.current.filtersSystemCalls, "this kernel filters no system calls"),
        arguments: ["empty-secret", "empty-secret-unread", "empty-secret-by-old-call", "empty-secret-by-new-call"])
    func theFilterAloneKeepsWhatIsForReadingFromBeingEmptied(way: String) throws {
        let treasury = try Treasury()
        let fugitive = try Fugitive(.standard, treasury, offer: Self.noNamespaces.lacking(landlock: true))
        #expect(try fugitive.attempt("read-secret", treasury) == .gotThrough)
        #expect(try fugitive.attempt(way, treasury).isRefusal)
        #expect(FileManager.default.contents(atPath: "\(treasury.folder)/secret") == Data("secret".utf8))
        #expect(try fugitive.attempt("rewrite-secret", treasury) == .gotThrough, "it is opened for writing, which others judge")
    }

    /// A process has a network namespace to itself, unless two other walls separate it from the processes that share it.
    ///
    /// It never has the host's.
    @Test(
        .enabled(if: ConfinementOffer.current.gaps.isEmpty, "confinement has gaps here"),
        arguments: [
            (ConfinementOffer.current, true), (ConfinementOffer.current.lacking(landlock: true), false),
            (ConfinementOffer.current.lacking(systemCallFilter: true), false),
        ])
    func aNetworkIsSharedOnlyBehindOtherWalls(offer: ConfinementOffer, isShared: Bool) throws {
        let treasury = try Treasury()
        let fugitives = try (0..<2).map { _ in try Fugitive(.strict, treasury, offer: offer) }
        func namespace(_ name: String, of process: String) throws -> String {
            try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/ns/\(name)")
        }
        let processes = ["self"] + fugitives.map { String($0.process.identifier) }
        #expect(try Set(processes.map { try namespace("net", of: $0) }).count == (isShared ? 2 : 3))
        for name in ["user", "mnt", "pid", "ipc", "uts"] {
            #expect(try Set(processes.map { try namespace(name, of: $0) }).count == 3, "\(name)")
        }
    }

    @Test func whatIsMissingIsNamed() throws {
        let treasury = try Treasury()
        let offer = Self.noNamespaces.lacking(landlock: true)
        let fugitive = try Fugitive(.strict, treasury, offer: offer)
        #expect(fugitive.process.gaps.contains(.landlock))
        for namespace in ConfinementOffer.current.namespaces {
            #expect(fugitive.process.gaps.contains(.namespace(namespace, code: EPERM)))
        }
    }

    /// A kernel that divides processors among sessions counts its threads as one session.
    @Test(arguments: [ConfinementOffer.current, noNamespaces])
    func itHasASessionAndAProcessGroupOfItsOwn(offer: ConfinementOffer) throws {
        let treasury = try Treasury()
        let fugitives = try (0..<2).map { _ in try Fugitive(.strict, treasury, offer: offer) }
        let processes = fugitives.map(\.process.identifier)
        #expect(processes.map { getpgid($0) } == processes)
        #expect(Set(([0] + processes).map { getsid($0) }).count == 3)
    }

    /// A process that left its group and session escapes a signal to the group, but not the end of its namespace.
    @Test(.enabled(if: ConfinementOffer.current.namespaces.contains(.process), "there are no process namespaces here"))
    func aGrandchildOfAnotherSessionEndsWithTheProcess() throws {
        let treasury = try Treasury()
        let fugitive = try Fugitive(.strict, treasury, offer: ConfinementOffer.current.lacking(systemCallFilter: true))
        #expect(try fugitive.attempt("leave-heir", treasury) == .gotThrough)
        let heirs = Census.children(of: fugitive.process.identifier)
        #expect(heirs.count == 1)
        _ = fugitive.process.kill()
        for heir in heirs { #expect(kill(heir, 0) == -1 && errno == ESRCH) }
    }
}

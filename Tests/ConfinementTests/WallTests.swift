// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Each wall by itself: what it keeps in where the others are missing, and that what is missing is named.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem
@testable import PluginHosting

@Suite struct WallTests {
    private static let files = ["read-secret", "write-secret", "make-file", "remove-file", "list-folder", "climb", "read-shadow"]
    private static let processes = [
        "signal-process", "trace-process", "read-memory", "open-memory", "open-descriptors", "open-environment",
    ]
    private static let noNamespaces = ConfinementOffer.current.lacking(Set(Namespace.allCases))

    /// Root folders of their own cannot be had everywhere; Landlock alone keeps files out of reach.
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

    /// A PID namespace alone leaves the machine's own /proc in sight.
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

    /// Old kinds of Landlock let it be done, and where there is no root of its own nothing but the filter is left.
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

    /// A network to itself, unless two other walls keep it from whoever is in there too. Never the host's.
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

    /// Its threads together count as one session's, where the kernel shares processors out among sessions.
    @Test(arguments: [ConfinementOffer.current, noNamespaces])
    func itHasASessionAndAProcessGroupOfItsOwn(offer: ConfinementOffer) throws {
        let treasury = try Treasury()
        let fugitives = try (0..<2).map { _ in try Fugitive(.strict, treasury, offer: offer) }
        let processes = fugitives.map(\.process.identifier)
        #expect(processes.map { getpgid($0) } == processes)
        #expect(Set(([0] + processes).map { getsid($0) }).count == 3)
    }

    /// One that has left group and session escapes a signal to the group, and not the end of its namespace.
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

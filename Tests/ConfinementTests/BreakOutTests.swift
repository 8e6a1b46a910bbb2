// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Every way out that is known, tried from inside of each profile: none leads anywhere.

import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

/// One way out, and when it is open to who is not confined.
struct WayOut: CustomTestStringConvertible, Sendable {
    enum Control { case everybody, root, nobody }
    let name: String
    /// Who gets through without confinement: the control that shows the attempt to be a real one.
    let control: Control

    init(_ name: String, _ control: Control = .everybody) {
        self.name = name
        self.control = control
    }

    var testDescription: String { name }

    /// Whether it is open to this user, unconfined, on this machine.
    var isOpen: Bool {
        switch control {
        case .everybody: name != "shared-memory-file" || access("/dev/shm", W_OK) == 0
        case .root: geteuid() == 0
        case .nobody: false
        }
    }

    static let all: [WayOut] = [
        // Files.
        WayOut("constructor", .root), WayOut("read-shadow", .root), WayOut("read-secret"), WayOut("write-secret"),
        WayOut("make-file"), WayOut("remove-file"), WayOut("list-folder"), WayOut("climb"), WayOut("write-own-bundle"),
        WayOut("empty-secret"), WayOut("empty-secret-unread"), WayOut("empty-secret-by-new-call"),
        WayOut("shared-memory-file"), WayOut("system-v-memory"),
        // Sockets.
        WayOut("bind-port"), WayOut("unix-socket"), WayOut("abstract-socket"), WayOut("netlink-socket"),
        WayOut("pair-of-datagrams"),
        // Memory that came for reading only. Whoever owns it may open it up, and root may write without.
        WayOut("reopen-memory", .root), WayOut("open-memory-up"), WayOut("map-memory", .nobody),
        WayOut("unprotect-memory", .nobody), WayOut("delegate-file", .nobody),
        // The host.
        WayOut("signal-process"), WayOut("signal-thread"), WayOut("signal-everybody"), WayOut("signal-by-descriptor"),
        WayOut("owner-of-descriptor"), WayOut("trace-process"), WayOut("read-memory"), WayOut("write-memory"),
        WayOut("open-memory"), WayOut("open-descriptors"), WayOut("open-environment"), WayOut("open-root"),
        WayOut("rank-other"), WayOut("limit-other"),
        // Itself.
        WayOut("own-rank", .root), WayOut("own-processors"), WayOut("become-root", .root), WayOut("fork"),
        WayOut("leave-session", .nobody), WayOut("thread-storm"), WayOut("descriptor-storm"), WayOut("memory-storm"),
        WayOut("large-file"), WayOut("dump-core", .nobody),
        // The kernel. Not every kernel has all of it, whoever asks.
        WayOut("requeue-sleepers"), WayOut("mount", .root), WayOut("open-tree", .root), WayOut("unshare", .nobody),
        WayOut("join-namespaces", .root),
        WayOut("change-root", .root), WayOut("add-key", .nobody), WayOut("load-program", .nobody),
        WayOut("count-events", .nobody), WayOut("catch-page-faults", .nobody), WayOut("queue-operations", .nobody),
        WayOut("load-module", .nobody), WayOut("set-clock", .nobody), WayOut("regain-privileges"),
        WayOut("have-capabilities", .root), WayOut("old-calls", .nobody), WayOut("narrow-calls", .nobody),
    ]
}

@Suite struct BreakOutTests {
    @Test(arguments: [ConfinementProfile.strict, .standard], WayOut.all)
    func noWayLeadsOut(profile: ConfinementProfile, way: WayOut) throws {
        let outcome = try Fugitive.outcome(of: way.name, profile)
        print("break-out as \(geteuid() == 0 ? "root" : "user"), \(profile.rawValue): \(way.name): \(outcome)")
        #expect(outcome.isRefusal)
    }

    /// Without walls the same attempts succeed, as far as the user may at all.
    @Test(arguments: WayOut.all.filter(\.isOpen))
    func theWayIsOpenToTheUnconfined(way: WayOut) throws {
        let outcome = try Fugitive.outcome(of: way.name, .off)
        #expect(outcome == .gotThrough)
    }

    @Test(
        arguments: [ConfinementProfile.strict, .standard],
        [
            "signal-process", "signal-thread", "trace-process", "read-memory", "write-memory", "open-memory", "open-descriptors",
            "open-environment", "open-root", "rank-other", "limit-other", "join-namespaces",
        ])
    func neighboursAreOutOfReach(profile: ConfinementProfile, way: String) throws {
        let treasury = try Treasury()
        let neighbour = try Fugitive(profile, treasury)
        #expect(try Fugitive.outcome(of: way, profile, upon: neighbour.process.identifier).isRefusal)
        #expect(neighbour.process.poll() == nil)
    }

    /// In the namespaces of their own both are the second process: nobody is reached by that number but oneself.
    @Test(.enabled(if: ConfinementOffer.current.namespaces.contains(.process), "there are no process namespaces here"))
    func aNumberThatIsOnesOwnIsOneself() throws {
        #expect(try Fugitive.outcome(of: "signal-process", .strict, upon: 2) == .gotThrough)
        #expect(try Fugitive.outcome(of: "signal-process", .strict, upon: 1).isRefusal)
    }

    @Test(arguments: [ConfinementProfile.strict, .standard])
    func noOtherProgramRuns(profile: ConfinementProfile) throws {
        #expect(try Fugitive.outcome(of: "run-shell", .off) == .ended(.exited(code: 42)))
        #expect(try Fugitive.outcome(of: "run-shell", profile).isRefusal)
    }

    @Test(.enabled(if: Machine.hasTerminals, "no terminal can be made here"), arguments: [ConfinementProfile.strict, .standard])
    func nothingIsTypedIntoTheTerminal(profile: ConfinementProfile) throws {
        var (keyboard, terminal): (Int32, Int32) = (-1, -1)
        try #require(openpty(&keyboard, &terminal, nil, nil, nil) == 0)
        defer { [keyboard, terminal].forEach { close($0) } }
        #expect(try Fugitive.outcome(of: "type-into-terminal", profile, lending: terminal) == .refused(ENOTTY))
    }

    /// What is typed there is the host's to read: not even a plug-in whose complaints go there has it.
    @Test(.enabled(if: Machine.hasTerminals, "no terminal can be made here"), arguments: ConfinementProfile.allCases)
    func nothingIsReadFromTheTerminal(profile: ConfinementProfile) throws {
        var (keyboard, terminal): (Int32, Int32) = (-1, -1)
        try #require(openpty(&keyboard, &terminal, nil, nil, nil) == 0)
        let complaints = dup(2)
        defer { [keyboard, terminal, complaints].forEach { close($0) } }
        let treasury = try Treasury()
        try #require(dup2(terminal, 2) == 2)
        let fugitive = Result { try Fugitive(profile, treasury, lending: terminal) }
        dup2(complaints, 2)
        #expect(write(keyboard, "secret\n", 7) == 7)
        #expect(try fugitive.get().attempt("read-complaints", treasury) == .refused(EBADF))
        #expect(try fugitive.get().attempt("read-lent", treasury) == .gotThrough, "it is there to be read")
    }

    /// What nobody can have an honest reason to call ends the process, and the host can say why.
    @Test func aCallThatNobodyNeedsEndsTheProcess() throws {
        let outcome = try Fugitive.outcome(of: "trace-process", .strict)
        #expect(outcome == .ended(.signalled(signal: SIGSYS)))
        #expect(PluginFault(.signalled(signal: SIGSYS)).kind == "confinementViolation")
    }

    /// It takes leases on files, and the filter has been there since before the kernel learnt it.
    @Test(
        .enabled(if: ConfinementOffer.current.filtersSystemCalls, "this kernel filters no system calls"),
        arguments: [ConfinementProfile.strict, .standard])
    func aCommandThatIsNotNamedIsRefused(profile: ConfinementProfile) throws {
        #expect(try Fugitive.outcome(of: "delegate-file", profile) == .refused(EPERM))
    }

    @Test(arguments: ConfinementProfile.allCases)
    func whoeverCopiesLocksOrSealsADescriptorMay(profile: ConfinementProfile) throws {
        #expect(try Fugitive.outcome(of: "command-descriptors", profile) == .gotThrough)
    }

    #if arch(x86_64)
        @Test(
            .enabled(if: ConfinementOffer.current.filtersSystemCalls, "this kernel filters no system calls"),
            arguments: [ConfinementProfile.strict, .standard])
        func aCallByTheNumbersOfAnotherKindOfProgramEndsTheProcess(profile: ConfinementProfile) throws {
            #expect(try Fugitive.outcome(of: "narrow-calls", profile) == .ended(.signalled(signal: SIGSYS)))
        }
    #endif

    @Test(arguments: ConfinementProfile.allCases)
    func whoeverAsksForACallThatNoKernelHasIsToldSo(profile: ConfinementProfile) throws {
        #expect(try Fugitive.outcome(of: "missing-call", profile) == .refused(ENOSYS))
    }
}

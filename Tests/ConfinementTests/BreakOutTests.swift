// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Every known way out of confinement, tried from inside each profile: none succeeds.

import Confinement
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

/// One way out, and which unconfined users it is open to.
struct WayOut: CustomTestStringConvertible, Sendable {
    enum Control { case everybody, root, nobody }
    let name: String
    /// Who succeeds without confinement.
    ///
    /// That control shows that the attempt is a real one.
    let control: Control

    init(_ name: String, _ control: Control = .everybody) {
        self.name = name
        self.control = control
    }

    var testDescription: String { name }

    /// Whether an unconfined process of this user succeeds on this machine.
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
        // Memory that was passed for reading only. Its owner may allow writing, and root may write without that.
        WayOut("reopen-memory", .root), WayOut("open-memory-up"), WayOut("map-memory", .nobody),
        WayOut("unprotect-memory", .nobody), WayOut("delegate-file", .nobody),
        // The host.
        WayOut("signal-process"), WayOut("signal-thread"), WayOut("signal-everybody"), WayOut("signal-by-descriptor"),
        WayOut("owner-of-descriptor"), WayOut("trace-process"), WayOut("read-memory"), WayOut("write-memory"),
        WayOut("open-memory"), WayOut("open-descriptors"), WayOut("open-environment"), WayOut("open-root"),
        WayOut("rank-other"), WayOut("limit-other"),
        // The process itself.
        WayOut("own-rank", .root), WayOut("own-processors"), WayOut("become-root", .root), WayOut("fork"),
        WayOut("leave-session", .nobody), WayOut("thread-storm"), WayOut("descriptor-storm"), WayOut("memory-storm"),
        WayOut("large-file"), WayOut("dump-core", .nobody),
        // What the user's programs share.
        WayOut("spare-itself"), WayOut("hoard-memory"), WayOut("enlarge-pipe"), WayOut("enlarge-socket"), WayOut("watch-file"),
        WayOut("send-many-descriptors"), WayOut("be-dumped"), WayOut("invite-handler"), WayOut("read-settings"),
        WayOut("open-settings", .root),
        // The kernel. Some kernels refuse some of these to every user.
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

    /// Without confinement the same attempts succeed, as far as the user has the right.
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

    /// In their own namespaces both are process 2, so that number reaches only the process itself.
    @Test(.enabled(if: ConfinementOffer.current.namespaces.contains(.process), "there are no process namespaces here"))
    func aNumberThatIsOnesOwnIsOneself() throws {
        #expect(try Fugitive.outcome(of: "signal-process", .strict, upon: 2) == .gotThrough)
        #expect(try Fugitive.outcome(of: "signal-process", .strict, upon: 1).isRefusal)
    }

    @Test(arguments: [ConfinementProfile.strict, .standard], ["run-shell", "run-by-descriptor", "run-memory"])
    func noOtherProgramRuns(profile: ConfinementProfile, way: String) throws {
        #expect(try Fugitive.outcome(of: way, .off) == .ended(.exited(code: 42)))
        #expect(try Fugitive.outcome(of: way, profile).isRefusal)
    }

    /// Neighbours and the host have it mapped, and would read zeros.
    @Test(arguments: [ConfinementProfile.strict, .standard], ["punch-hole", "remove-pages"])
    func memoryThatIsSharedKeepsWhatItHolds(profile: ConfinementProfile, way: String) throws {
        let memory = try SharedMemory(name: "ring", byteCount: 4096)
        memory.base.storeBytes(of: 42, as: UInt64.self)
        #expect(try Fugitive.outcome(of: way, profile, lending: memory.descriptor).isRefusal)
        #expect(memory.base.load(as: UInt64.self) == 42)
        #expect(try Fugitive.outcome(of: way, .off, lending: memory.descriptor) == .gotThrough)
        #expect(memory.base.load(as: UInt64.self) == 0)
    }

    /// What libraries do to memory, sockets and their own limits.
    @Test(arguments: ConfinementProfile.allCases, ["reserve-room", "advise-kernel", "limit-wait", "lower-limit"])
    func whatHarmsNobodyIsAllowed(profile: ConfinementProfile, way: String) throws {
        let memory = try SharedMemory(name: "ring", byteCount: 4096)
        #expect(try Fugitive.outcome(of: way, profile, lending: memory.descriptor) == .gotThrough)
    }

    @Test(.enabled(if: Machine.hasTerminals, "no terminal can be made here"), arguments: [ConfinementProfile.strict, .standard])
    func nothingIsTypedIntoTheTerminal(profile: ConfinementProfile) throws {
        var (keyboard, terminal): (Int32, Int32) = (-1, -1)
        try #require(openpty(&keyboard, &terminal, nil, nil, nil) == 0)
        defer { [keyboard, terminal].forEach { close($0) } }
        #expect(try Fugitive.outcome(of: "type-into-terminal", profile, lending: terminal) == .refused(ENOTTY))
    }

    /// A call for which no plug-in has an honest reason ends the process, and the host can report why.
    @Test func aCallThatNobodyNeedsEndsTheProcess() throws {
        let outcome = try Fugitive.outcome(of: "trace-process", .strict)
        #expect(outcome == .ended(.signalled(signal: SIGSYS)))
        #expect(PluginFault(.signalled(signal: SIGSYS)).kind == "confinementViolation")
    }

    /// The command takes leases on files; the filter is older than the kernel's support for it.
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

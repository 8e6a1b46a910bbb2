// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Each process's own control group, where a group is delegated. Real groups; those of memory and processes where there are some.

import FoundationEssentials
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Confinement
@testable import PluginHosting

@Suite struct ControlGroupTests {
    @Test(arguments: [
        ("36 25 0:30 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw", "/user.slice", "/sys/fs/cgroup/user.slice"),
        ("36 25 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw", "/", "/sys/fs/cgroup"),
        ("36 25 0:30 /box /sys/fs/cgroup rw - cgroup2 cgroup2 rw", "/box/a", "/sys/fs/cgroup/a"),
        ("36 25 0:30 /box /sys/fs/cgroup rw - cgroup2 cgroup2 rw", "/box", "/sys/fs/cgroup"),
        ("36 25 0:30 /box /sys/fs/cgroup rw - cgroup2 cgroup2 rw", "/boxes", nil),
        ("36 25 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory", "/", nil), ("", "/", nil), ("36 25", "/", nil),
    ])
    func theFolderOfAGroupIsFoundByItsMount(mount: String, group: String, folder: String?) {
        #expect(DelegatedGroup.folder(ofGroup: group, mount: mount) == folder)
    }

    @Test(.enabled(if: TestGroup.obstacle == nil, "\(TestGroup.obstacle ?? "")"))
    func aProcessAndItsKeeperAreInAGroupThatGoesWithThem() throws {
        let test = try TestGroup()
        let divided = try DelegatedGroup(path: test.path, wanting: test.controllers)
        let (own, treasury) = (try TestGroup.group(of: getpid()), try Treasury())
        var fugitive: Fugitive? = try Fugitive(.strict, treasury, offer: .current.dividing(divided))
        let process = try #require(fugitive?.process.identifier)
        #expect(try TestGroup.group(of: process).hasSuffix("/plug-in-\(getpid())-1"))
        #expect(try TestGroup.group(of: getpid()) == own)
        let members = try #require(KernelFile.lines("\(test.path)/plug-in-\(getpid())-1/cgroup.procs"))
        #expect(members.contains("\(process)") && members.count == (ConfinementOffer.current.keeperPath == nil ? 1 : 2))
        fugitive = nil
        #expect(!FileManager.default.fileExists(atPath: "\(test.path)/plug-in-\(getpid())-1"))
    }

    @Test(.enabled(if: TestGroup.obstacle == nil, "\(TestGroup.obstacle ?? "")"))
    func theProcessesThatAreThereMoveTogetherAndKilledHostsAreTidiedUp() throws {
        let test = try TestGroup()
        let child = try Self.sleeper()
        try test.take(child.identifier)
        let gone = try Self.sleeper()
        _ = gone.kill()
        for maker in [gone.identifier, getpid()] { #expect(mkdir("\(test.path)/plug-in-\(maker)-7", 0o755) == 0) }
        let divided = try DelegatedGroup(path: test.path, wanting: test.controllers)
        #expect(divided.controllers == test.controllers)
        #expect(try TestGroup.group(of: child.identifier).hasSuffix("\(test.name)/host"))
        let left = FolderEntries.names(in: test.path)?.filter { $0.hasPrefix("plug-in-") }
        #expect(left == ["plug-in-\(getpid())-7"])
        // Another host finds it divided already.
        #expect(try DelegatedGroup(path: test.path, wanting: test.controllers).path == divided.path)
        _ = child.kill()
    }

    private static func sleeper() throws -> ChildProcess {
        let (_, peer) = try ControlSocket.pair()
        return try ChildProcess(path: "/bin/sleep", arguments: ["600"], environment: [:], control: peer, isQuiet: true)
    }

    @Test func aGroupWithoutTheControllersIsRefused() throws {
        #expect(throws: DelegatedGroup.Refusal.noControllers(path: "/nowhere")) {
            try DelegatedGroup(path: "/nowhere", wanting: ["memory"])
        }
    }

    /// The control is `MemoryShortageTests.pageTablesAreMemoryThatIsUsedUp`: without a group it gets as far as it likes.
    @Test(.enabled(if: TestGroup.limits == nil, "\(TestGroup.limits ?? "")"))
    func theKernelEndsAProcessWhoseUncountedMemoryIsPastItsLimit() throws {
        let (test, treasury) = (try TestGroup(), try Treasury())
        let divided = try DelegatedGroup(path: test.path, wanting: test.controllers)
        let offer = ConfinementOffer.current.dividing(divided)
        let fugitive = try Fugitive(.strict, treasury, offer: offer, memoryByteCount: 48 << 20)
        #expect(try fugitive.attempt("fill-page-tables", treasury) == .ended(.signalled(signal: SIGKILL)))
    }

    /// Without a user namespace the kernel would count all of the user's threads, so there is no other limit.
    @Test(.enabled(if: TestGroup.limits == nil, "\(TestGroup.limits ?? "")"), arguments: [true, false])
    func theKernelCountsTheProcessesOfAGroup(isGrouped: Bool) throws {
        let (test, treasury) = (try TestGroup(), try Treasury())
        let divided = try DelegatedGroup(path: test.path, wanting: test.controllers)
        let plain = ConfinementOffer.current.lacking(Set(Namespace.allCases))
        // Room for the stacks of all threads, which would be the limit otherwise.
        let fugitive = try Fugitive(
            .strict, treasury, offer: isGrouped ? plain.dividing(divided) : plain, memoryByteCount: 64 << 30)
        #expect(try fugitive.attempt("thread-storm", treasury) == (isGrouped ? .refused(EAGAIN) : .gotThrough))
    }
}

/// A control group of version 2 that this test has made, with the controllers that the machine offers there.
private final class TestGroup {
    let path: String
    let name: String
    let controllers: Set<String>

    init() throws {
        let parent = try #require(Self.parent)
        name = "bulkhead-test-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        path = "\(parent)/\(name)"
        try #require(mkdir(path, 0o755) == 0)
        let wanted: Set<String> = ["memory", "pids", "hugetlb"]
        controllers = wanted.intersection(Self.controllers(of: path))
    }

    deinit {
        let names = FolderEntries.names(in: path) ?? []
        for name in names { rmdir("\(path)/\(name)") }
        rmdir(path)
    }

    func take(_ process: Int32) throws { try Self.write("\(process)", to: "\(path)/cgroup.procs") }

    static func group(of process: Int32) throws -> String {
        let lines = try #require(KernelFile.lines("/proc/\(process)/cgroup"))
        return String(try #require(lines.first { $0.hasPrefix("0::") }).dropFirst(3))
    }

    /// Why no group can be made here; nil if one can.
    static let obstacle: String? = {
        guard let parent else { return "There are no control groups of version 2 here." }
        guard geteuid() == 0, access(parent, W_OK) == 0 else { return "The control group \(parent) is not this user's." }
        // Only a group with processes hands controllers on, and only the first one of a hierarchy may have both.
        for controller in controllers(of: parent) { try? write("+\(controller)", to: "\(parent)/cgroup.subtree_control") }
        let offered = KernelFile.lines("\(parent)/cgroup.subtree_control")?.first ?? ""
        return offered.isEmpty ? "The control group \(parent) hands no controllers on." : nil
    }()

    /// Why the limits cannot be tried here; nil if they can.
    static let limits: String? = {
        if let obstacle { return obstacle }
        let offered = KernelFile.lines("\(parent ?? "")/cgroup.subtree_control")?.first?.split(separator: " ") ?? []
        return offered.contains("memory") && offered.contains("pids")
            ? nil : "Version 2 of control groups has no controllers of memory and processes here."
    }()

    /// The first group of the hierarchy.
    private static var parent: String? {
        KernelFile.lines("/proc/self/mountinfo")?.lazy.compactMap { DelegatedGroup.folder(ofGroup: "/", mount: $0) }.first
    }

    private static func controllers(of path: String) -> [String] {
        (KernelFile.lines("\(path)/cgroup.controllers")?.first ?? "").split(separator: " ").map(String.init)
    }

    private static func write(_ text: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        guard file >= 0, Glibc.write(file, text, text.utf8.count) == text.utf8.count else { throw SystemError("write \(path)") }
    }
}

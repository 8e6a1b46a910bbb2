// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The control group that the user's session has delegated to this process, if any. Control thread.

import CLinuxShims
import Glibc
import LinuxSystem
import Synchronization

/// `[control]` A group of the second version's hierarchy (cgroup v2) that this process may divide.
///
/// systemd marks delegated groups: `systemd-run --user --scope --property=Delegate=yes bulkhead live …`, or `Delegate=yes` in a
/// unit's file. Other groups are not divided, even if this user may write to them: they belong to other programs.
///
/// A group can have either processes or controlled groups. So this process moves into its own group inside, together with all
/// other processes of the group.
package final class DelegatedGroup: Sendable {
    /// The reason why there is no such group.
    package enum Refusal: Error, Hashable, Sendable {
        /// The machine has no hierarchy of version 2.
        case noHierarchy
        /// The group of this process belongs to another program.
        case notDelegated(path: String)
        /// The group lacks the controllers of memory and of processes.
        case noControllers(path: String)
        /// The kernel refused a step.
        case failed(SystemError)
    }

    /// Its folder.
    package let path: String
    /// The wanted controllers that the group has.
    package let controllers: Set<String>
    private let madeCount = Atomic<Int>(0)

    /// The controllers for the limits of a process.
    private static let wanted: Set<String> = ["memory", "pids"]
    /// The name of the group for this process.
    private static let ownName = "host"
    /// The prefix of all other groups' names; the number of the process that made the group follows.
    private static let prefix = "plug-in-"

    /// Takes the group of this process, or its parent if another host has divided that.
    convenience init() throws(Refusal) {
        guard let group = KernelFile.lines("/proc/self/cgroup")?.first(where: { $0.hasPrefix("0::/") })?.dropFirst(3),
            let path = KernelFile.lines("/proc/self/mountinfo")?.lazy
                .compactMap({ Self.folder(ofGroup: String(group), mount: $0) }).first
        else { throw .noHierarchy }
        let candidates = [path, path.hasSuffix("/\(Self.ownName)") ? String(path.dropLast(Self.ownName.count + 1)) : path]
        guard let delegated = candidates.first(where: Self.isDelegated) else { throw .notDelegated(path: path) }
        try self.init(path: delegated, wanting: Self.wanted)
    }

    /// Divides the group of a folder.
    init(path: String, wanting wanted: Set<String>) throws(Refusal) {
        self.path = path
        let offered = KernelFile.lines("\(path)/cgroup.controllers")?.first ?? ""
        controllers = wanted.intersection(offered.split(separator: " ").map(String.init))
        guard !controllers.isEmpty else { throw .noControllers(path: path) }
        do throws(SystemError) {
            removeAbandoned()
            let own = "\(path)/\(Self.ownName)"
            guard mkdir(own, 0o755) == 0 || errno == EEXIST else { throw SystemError("make \"\(own)\"", code: errno) }
            try Self.moveProcesses(from: path, to: own)
            for controller in controllers.sorted() {
                try Self.write("+\(controller)", to: "\(path)/cgroup.subtree_control")
            }
        } catch {
            throw .failed(error)
        }
    }

    /// Makes a group for one process and its descendants.
    func makeGroup(_ limits: ResourceLimits, temporaryByteCount: UInt64) throws(SystemError) -> ControlGroup {
        let number = madeCount.add(1, ordering: .relaxed).newValue
        let group = try ControlGroup(making: "\(path)/\(Self.prefix)\(getpid())-\(number)")
        if controllers.contains("memory") {
            // Files in memory are charged to the group as well.
            try Self.write("\(limits.memoryByteCount + temporaryByteCount)", to: "\(group.path)/memory.max")
            // Without swap there is no such file.
            let swap = "\(group.path)/memory.swap.max"
            if access(swap, F_OK) == 0 { try Self.write("0", to: swap) }
        }
        if controllers.contains("pids") {
            try Self.write("\(limits.threadCount + ControlGroup.helperCount)", to: "\(group.path)/pids.max")
        }
        return group
    }

    /// Removes the empty groups of hosts that were killed.
    private func removeAbandoned() {
        for name in FolderEntries.names(in: path) ?? [] where name.hasPrefix(Self.prefix) {
            guard let maker = name.dropFirst(Self.prefix.count).split(separator: "-").first.flatMap({ pid_t($0) }),
                kill(maker, 0) < 0, errno == ESRCH
            else { continue }
            rmdir("\(path)/\(name)")
        }
    }

    private static func moveProcesses(from group: String, to other: String) throws(SystemError) {
        // Until no process is left: one that starts another between two looks leaves that one here as well.
        for _ in 0..<1000 {
            guard let process = KernelFile.lines("\(group)/cgroup.procs")?.first else { return }
            do throws(SystemError) {
                try write(process, to: "\(other)/cgroup.procs")
            } catch {
                // It has meanwhile ended.
                if error.code != ESRCH { throw error }
            }
        }
        throw SystemError("move the processes of \"\(group)\"", code: EBUSY)
    }

    private static func write(_ text: String, to path: String) throws(SystemError) {
        let file = Descriptor(owning: open(path, O_WRONLY | O_CLOEXEC))
        let act = "write \"\(text)\" to \"\(path)\""
        guard file.number >= 0 else { throw SystemError(act) }
        try Descriptor.write(Array(text.utf8), to: file.number, act)
    }

    private static func isDelegated(_ path: String) -> Bool {
        let one = CChar(UInt8(ascii: "1"))
        return ["user.delegate", "trusted.delegate"].contains { (name: String) in CLinuxShims_hasAttribute(path, name, one) != 0 }
    }

    /// The folder at which a mount shows a group; nil if it shows another part of the hierarchy, or something else.
    ///
    /// `mount` is a line of /proc/self/mountinfo.
    static func folder(ofGroup group: String, mount: String) -> String? {
        let fields = mount.split(separator: " ")
        guard fields.count > 4, mount.contains(" - cgroup2 ") else { return nil }
        let (root, point) = (String(fields[3]), String(fields[4]))
        if root == "/" { return group == "/" ? point : point + group }
        guard group == root || group.hasPrefix(root + "/") else { return nil }
        return point + group.dropFirst(root.count)
    }
}

extension DelegatedGroup.Refusal: CustomStringConvertible {
    /// The reason as a sentence for the user.
    package var description: String {
        switch self {
        case .noHierarchy: "The machine has no control groups of version 2."
        case .notDelegated(let path): "The control group of this program, \(path), is not delegated to it."
        case .noControllers(let path): "The control group \(path) has no controller of memory or processes."
        case .failed(let error): "The control group cannot be divided: \(error)."
        }
    }
}

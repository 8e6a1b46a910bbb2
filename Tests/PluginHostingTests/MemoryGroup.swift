// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A control group with a limit on its processes' memory, past which the kernel ends one of them. Test thread.

import Glibc
import TestSupport

/// A memory cgroup below this process's own, of either version.
///
/// It is removed with this object and must be empty then.
final class MemoryGroup {
    struct Obstacle: Error, CustomStringConvertible { let description: String }

    private let path: String

    init(byteCount: Int) throws(Obstacle) {
        var reasons: [String] = []
        for (folder, limit) in Self.parents {
            let path = "\(folder)/bulkhead-test-\(getpid())"
            guard mkdir(path, 0o755) == 0 else {
                reasons.append("\(folder): \(String(cString: strerror(errno)))")
                continue
            }
            if Self.write(byteCount, to: "\(path)/\(limit)") {
                self.path = path
                return
            }
            reasons.append("\(folder): it has no \(limit) that can be written")
            rmdir(path)
        }
        throw Obstacle(
            description: "No control group with a limit on memory can be made here (\(reasons.joined(separator: "; "))).")
    }

    deinit {
        // Its last process may not have been reaped yet.
        _ = waitUntil(milliseconds: 2000) { rmdir(path) == 0 }
    }

    /// Moves a process into the group.
    ///
    /// Memory that the process has already does not count.
    func take(_ process: Int32) -> Bool { Self.write(Int(process), to: "\(path)/cgroup.procs") }

    /// Why no group can be made; nil if one can.
    static var obstacle: String? {
        do {
            _ = try MemoryGroup(byteCount: 64 << 20)
            return nil
        } catch {
            return error.description
        }
    }

    /// The folders in which a group may be made, each with the name of its limit's file.
    ///
    /// They are this process's own group, the first one (as seen from a container), and the parent of its own: version 2 has
    /// processes in leaves only.
    private static var parents: [(folder: String, limit: String)] {
        let lines = Folder.text(of: "/proc/self/cgroup")?.split(separator: "\n") ?? []
        let groups = lines.map { $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init) }
        return groups.filter { $0.count == 3 }.flatMap { group -> [(String, String)] in
            let isFirstVersion = group[1].split(separator: ",").contains("memory")
            guard isFirstVersion || group[0] == "0" else { return [] }
            let (root, limit) =
                isFirstVersion ? ("/sys/fs/cgroup/memory", "memory.limit_in_bytes") : ("/sys/fs/cgroup", "memory.max")
            let own = group[2] == "/" ? "" : group[2]
            let beside = own.split(separator: "/").dropLast().map { "/\($0)" }.joined()
            return [own, "", beside].map { (root + $0, limit) }
        }
    }

    private static func write(_ number: Int, to path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        let text = Array("\(number)".utf8)
        return Glibc.write(file, text, text.count) == text.count
    }
}

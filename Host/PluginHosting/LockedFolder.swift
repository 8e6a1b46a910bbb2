// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A folder in which one process at a time changes something. Control thread.

import FoundationEssentials
import Glibc
import LinuxSystem

/// Holds the lock for as long as it lives.
struct LockedFolder: ~Copyable {
    private let descriptor: Descriptor

    /// Makes the folder, if need be, and waits for its lock; a signal that comes meanwhile is EINTR.
    init(_ path: String) throws(SystemError) {
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        descriptor = try Self.locked(path)
    }

    private static func opened(_ path: String) throws(SystemError) -> Descriptor {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw SystemError("open the folder \"\(path)\"") }
        return Descriptor(owning: folder)
    }

    private static func locked(_ path: String) throws(SystemError) -> Descriptor {
        let folder = try opened(path)
        guard flock(folder.number, LOCK_EX) == 0 else { throw SystemError("lock the folder \"\(path)\"") }
        return folder
    }
}

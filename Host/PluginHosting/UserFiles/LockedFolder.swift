// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A lock on a folder, for one process at a time. Control thread.

import FoundationEssentials
import Glibc
import LinuxSystem

/// Holds the lock for as long as it lives.
struct LockedFolder: ~Copyable {
    private let descriptor: Descriptor

    /// Makes the folder, if necessary, and waits for its lock.
    ///
    /// Throws EINTR if `isStopped` returns true.
    init(_ path: String, isStopped: () -> Bool) throws(SystemError) {
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        descriptor = try Self.locked(path, isStopped)
    }

    private static func opened(_ path: String) throws(SystemError) -> Descriptor {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw SystemError("open the folder \"\(path)\"") }
        return Descriptor(owning: folder)
    }

    private static func locked(_ path: String, _ isStopped: () -> Bool) throws(SystemError) -> Descriptor {
        let folder = try opened(path)
        // Signals go to the main thread, which need not be this one: a blocking call would not be interrupted.
        while flock(folder.number, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw SystemError("lock the folder \"\(path)\"") }
            guard !isStopped() else { throw SystemError("lock the folder \"\(path)\"", code: EINTR) }
            Futex.pause(microseconds: 10_000)
        }
        return folder
    }
}

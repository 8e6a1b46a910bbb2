// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A folder in which one process at a time changes something. Control thread.

import FoundationEssentials
import Glibc
import LinuxSystem

/// Holds the lock for as long as it lives.
struct LockedFolder: ~Copyable {
    private let descriptor: Descriptor

    /// Makes the folder, if need be, and waits for its lock until `isStopped` says otherwise, which is EINTR then.
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
        // Signals go to the main thread, which need not be this one: no call that waits would be interrupted.
        while flock(folder.number, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw SystemError("lock the folder \"\(path)\"") }
            guard !isStopped() else { throw SystemError("lock the folder \"\(path)\"", code: EINTR) }
            Futex.pause(microseconds: 10_000)
        }
        return folder
    }
}

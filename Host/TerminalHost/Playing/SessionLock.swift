// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Decides which of several commands keeps its chain in a file: the first one. Main thread.

import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting

/// A lock beside the file of a session, held as long as the object lives; the kernel releases it at any end of the process.
struct SessionLock: ~Copyable {
    /// Nil if no file can be made; then the attempt to keep the session reports the error.
    private let descriptor: Descriptor?

    /// Takes the lock; nil if another process has it.
    init?(besides path: String) {
        try? FileManager.default.createDirectory(
            atPath: FilePath.folder(of: path), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let number = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else {
            descriptor = nil
            return
        }
        let opened = Descriptor(owning: number)
        if flock(number, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
        descriptor = consume opened
    }
}

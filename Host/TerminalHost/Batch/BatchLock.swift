// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The output folder of a batch, made if it is missing, with a lock against other batches. Main thread.

import Console
import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting

/// A lock on an output folder, as long as this object lives; the kernel releases it at any end of the process.
struct BatchLock: ~Copyable {
    private let descriptor: Descriptor

    /// Makes the folder if it is missing.
    init(_ folder: String) throws {
        try Self.make(folder)
        descriptor = try Self.locked(folder)
    }

    private static func make(_ folder: String) throws(HostingError) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw .file(act: "make the folder \"\(folder)\"", cause: FileDefect(error))
        }
    }

    private static func locked(_ folder: String) throws -> Descriptor {
        let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError("open the folder \"\(folder)\"") }
        // The descriptor closes if this throws.
        let opened = Descriptor(owning: number)
        // Some file systems have no locks.
        if flock(opened.number, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw CommandError.failedForNow(
                "Another bulkhead renders into \"\(folder)\" now; wait until it has ended, and try again.")
        }
        return opened
    }
}

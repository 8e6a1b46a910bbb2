// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Replaces a file in one step that survives a power cut. Control thread.

import FoundationEssentials
import Glibc
import LinuxSystem

/// A file that is replaced as a whole or not at all.
package enum ReplacedFile {
    /// Writes a draft beside the file, makes it durable, and renames it.
    ///
    /// Makes the folder, if necessary. When `path` is a link, the file behind it is replaced and the link stays.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let act = "write \"\(path)\""
        let path = FilePath.isFile(path) ? FilePath.resolved(path) ?? path : path
        try? FileManager.default.createDirectory(
            atPath: FilePath.folder(of: path), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var draft = Array("\(path).XXXXXX".utf8CString)
        let file = mkstemp(&draft)
        guard file >= 0 else { throw SystemError(act) }
        let descriptor = Descriptor(owning: file)
        do throws(SystemError) {
            try write(bytes, to: descriptor.number, act)
            guard fsync(descriptor.number) == 0, rename(draft, path) == 0 else { throw SystemError(act) }
        } catch {
            unlink(draft)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, _ act: String) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError(act) }
            rest = rest.dropFirst(count)
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Replaces a file in one step that survives a power cut. Control thread.

import FoundationEssentials
import LinuxSystem

/// A file that is replaced as a whole or not at all.
package enum ReplacedFile {
    /// Writes a draft beside the file, which only the user can read, makes it durable, and renames it.
    ///
    /// Makes the folder, if necessary. If `path` is a link, the file behind it is replaced and the link stays.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let path = FilePath.isFile(path) ? FilePath.resolved(path) ?? path : path
        try? FileManager.default.createDirectory(
            atPath: FilePath.folder(of: path), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let file = try FileReplacement(of: path, isPrivate: true)
        try Descriptor.write(bytes, to: file.descriptor, "write \"\(path)\"")
        try file.commit()
    }
}

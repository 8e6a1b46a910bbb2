// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Replaces a file in one step that survives a power cut. Control thread.

import LinuxSystem

/// A file that is replaced as a whole or not at all.
package enum ReplacedFile {
    /// Writes a draft beside the file, which only the user can read, makes it durable, and renames it.
    ///
    /// Makes the folder, if necessary. If `path` is a link, the file behind it is replaced and the link stays.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let file = try draft(of: path)
        try Descriptor.write(bytes, to: file.descriptor, "write \"\(path)\"")
        try file.commit()
    }

    /// The same, with a body that writes to the draft's descriptor; nothing is replaced if it throws.
    package static func write(to path: String, _ body: (Int32) throws -> Void) throws {
        let file = try draft(of: path)
        try body(file.descriptor)
        try file.commit()
    }

    private static func draft(of path: String) throws(SystemError) -> FileReplacement {
        let path = FilePath.isFile(path) ? FilePath.resolved(path) ?? path : path
        try Folder.make(FilePath.folder(of: path))
        return try FileReplacement(of: path, isPrivate: true)
    }
}

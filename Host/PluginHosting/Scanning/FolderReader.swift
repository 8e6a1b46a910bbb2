// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads a folder entry by entry; names may be any bytes. Control threads.

import Glibc
import LinuxSystem

/// An open folder.
struct FolderReader: ~Copyable {
    /// The kind of an entry, as the folder itself records it.
    enum Kind {
        case folder
        case link
        case other
        /// A kind that the file system does not record.
        case unknown
    }

    private let stream: OpaquePointer

    /// The folder's descriptor for `fstatat` and `openat`; valid as long as this object.
    let descriptor: Int32

    init(path: String) throws(SystemError) {
        try self.init(opening: open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK), act: "read the folder \"\(path)\"")
    }

    /// Opens a folder in another one; it does not follow a link.
    init(named name: UnsafePointer<CChar>, in folder: Int32) throws(SystemError) {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
        try self.init(opening: openat(folder, name, flags), act: "read a folder")
    }

    private init(opening descriptor: Int32, act: @autoclosure () -> String) throws(SystemError) {
        guard descriptor >= 0 else { throw SystemError(act()) }
        guard let stream = fdopendir(descriptor) else {
            let error = SystemError(act())
            close(descriptor)
            throw error
        }
        self.stream = stream
        self.descriptor = descriptor
    }

    deinit { closedir(stream) }

    /// Calls `body` with each entry except the folder and its parent, in any order, until `body` returns false.
    func forEach(_ body: (UnsafePointer<CChar>, Kind) throws(SystemError) -> Bool) throws(SystemError) {
        while let entry = readdir(stream) {
            let kind = Self.kind(entry.pointee.d_type)
            // SAFETY: the name lies in the stream's buffer and ends in a zero; it stays until the next `readdir`.
            // Cannot trap: `d_name` is a stored property.
            let name = UnsafeRawPointer(entry).advanced(by: MemoryLayout<dirent>.offset(of: \.d_name)!)
                .assumingMemoryBound(to: CChar.self)
            if strcmp(name, ".") == 0 || strcmp(name, "..") == 0 { continue }
            guard try body(name, kind) else { return }
        }
    }

    private static func kind(_ type: UInt8) -> Kind {
        switch Int(type) {
        case DT_DIR: .folder
        case DT_LNK: .link
        case DT_UNKNOWN: .unknown
        default: .other
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A fingerprint of a file or a folder, made without reading its contents. Control threads.

import Glibc
import LinuxSystem

/// Sizes, times and inodes of a file, or of everything in a folder.
struct FileStamp: Hashable, Sendable {
    /// The total bytes of all files.
    var byteCount: UInt64 = 0
    /// The time of the latest change, in nanoseconds since 1970.
    var modifiedNanoseconds: Int64 = 0
    /// A checksum of all names, sizes, times and inodes.
    var digest: UInt64 = 0

    /// The most entries that are read in a folder, those of its subfolders included.
    static let maximumEntryCount = 20_000
    private static let maximumDepth = 8

    /// Stamps files and the direct entries of the existing folders among `folders`.
    init(files paths: [String], folders: [String] = []) throws(SystemError) {
        var entryCount = 0
        for folder in folders {
            guard let reader = try? FolderReader(path: folder) else { continue }
            try add(reader, depth: Self.maximumDepth, &entryCount)
        }
        for path in paths {
            var status = stat()
            guard stat(path, &status) == 0 else { throw SystemError("look at \"\(path)\"") }
            path.withCString { add(status, named: $0) }
        }
    }

    /// Stamps a folder with everything in it.
    ///
    /// Links to folders are stamped, not followed: they may lead in a circle.
    init(folder path: String) throws(SystemError) {
        var entryCount = 0
        try add(try FolderReader(path: path), depth: 0, &entryCount)
    }

    init(byteCount: UInt64, modifiedNanoseconds: Int64, digest: UInt64) {
        self.byteCount = byteCount
        self.modifiedNanoseconds = modifiedNanoseconds
        self.digest = digest
    }

    private mutating func add(_ folder: borrowing FolderReader, depth: Int, _ entryCount: inout Int) throws(SystemError) {
        var stamp = self
        let descriptor = folder.descriptor
        try folder.forEach { (name, kind) throws(SystemError) in
            entryCount += 1
            guard entryCount <= Self.maximumEntryCount else {
                throw SystemError("look at more than \(Self.maximumEntryCount) files in one folder", code: EFBIG)
            }
            var status = stat()
            // An entry that was removed meanwhile, or a dangling link, is stamped by its name.
            _ = fstatat(descriptor, name, &status, 0)
            stamp.add(status, named: name)
            let isFolder = kind == .folder || kind == .unknown && status.st_mode & S_IFMT == S_IFDIR
            if isFolder, depth < Self.maximumDepth, let inner = try? FolderReader(named: name, in: descriptor) {
                try stamp.add(inner, depth: depth + 1, &entryCount)
            }
            return true
        }
        self = stamp
    }

    /// Adds an entry; the sum does not depend on the entries' order, which is arbitrary.
    private mutating func add(_ status: stat, named name: UnsafePointer<CChar>) {
        let modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        let size = UInt64(bitPattern: Int64(status.st_size))
        var checksum = Checksum()
        checksum.add(UnsafeRawBufferPointer(start: name, count: strlen(name)))
        for word in [size, UInt64(bitPattern: modified), UInt64(status.st_ino), UInt64(status.st_dev)] { checksum.add(word) }
        byteCount &+= size
        modifiedNanoseconds = max(modifiedNanoseconds, modified)
        digest &+= checksum.value
    }
}

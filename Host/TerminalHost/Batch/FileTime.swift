// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The size and the time of a file, by which it is known to be unchanged. Main thread.

import Glibc

/// The size of a file, and when it was changed.
struct FileTime: Codable, Equatable {
    let byteCount: Int64
    /// Nanoseconds since 1970.
    let modified: Int64
    /// When the file was written, renamed or changed in any other way, which no program can set, and which file it is.
    let changed: Int64
    let identity: UInt64

    /// Nil for what is no regular file.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        byteCount = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
        identity = UInt64(status.st_ino)
    }
}

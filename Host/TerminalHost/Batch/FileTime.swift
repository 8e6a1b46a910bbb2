// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The size and the times of a file, which show that it is unchanged. Main thread.

import Glibc

/// The size of a file, and its times of change.
struct FileTime: Codable, Equatable {
    let byteCount: Int64
    /// The time of the last write, in nanoseconds since 1970.
    let modified: Int64
    /// The time of the last change of any kind, which no program can set, and the number of the inode.
    let changed: Int64
    let identity: UInt64

    /// Reads them; nil unless the path leads to a regular file.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        byteCount = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
        identity = UInt64(status.st_ino)
    }
}

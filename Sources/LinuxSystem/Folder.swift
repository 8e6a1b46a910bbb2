// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes folders that are missing. Any thread.

import Glibc

/// Folders by their paths.
package enum Folder {
    /// Makes a folder and those around it that are missing, for the user alone.
    ///
    /// A folder that is there stays as it is.
    package static func make(_ path: String) throws(SystemError) {
        guard !isThere(path) else { return }
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        if !parent.isEmpty { try make(parent) }
        guard mkdir(path, 0o700) != 0 else { return }
        let code = errno
        // Another process may have made it meanwhile.
        guard !isThere(path) else { return }
        throw SystemError("make the folder \"\(path)\"", code: code == EEXIST ? ENOTDIR : code)
    }

    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

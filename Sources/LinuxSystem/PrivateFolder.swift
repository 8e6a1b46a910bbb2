// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A folder for one process's temporary files, where it cannot have a root folder of its own. Control thread.

import CLinuxShims
import Glibc

/// A folder that nobody else may enter. It goes away with this object, and with everything in it.
final class PrivateFolder: Sendable {
    /// Absolute, without links.
    let path: String

    /// Makes one in the folder that `TMPDIR` names, or else in /tmp.
    init() throws(SystemError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/bulkhead-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil, let resolved = realpath(template, nil) else {
            throw SystemError("make a folder for temporary files in \"\(parent)\"", code: errno)
        }
        defer { free(resolved) }
        path = String(cString: resolved)
    }

    deinit { CLinuxShims_removeFolder(path) }
}

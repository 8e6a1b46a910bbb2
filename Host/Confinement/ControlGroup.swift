// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The control group of one extension. Control thread.

import Glibc
import LinuxSystem

/// A control group for one process and its descendants; it goes away with this object.
final class ControlGroup: Sendable {
    /// Its folder.
    let path: String
    /// The file that moves a process into the group: the process writes "0" to it.
    let entrance: Int32

    /// The number of processes besides the extension's that are in the group during a start: usher and keeper.
    static let helperCount: UInt64 = 2

    init(making path: String) throws(SystemError) {
        guard mkdir(path, 0o755) == 0 else { throw SystemError("make \"\(path)\"", code: errno) }
        self.path = path
        entrance = open("\(path)/cgroup.procs", O_WRONLY | O_CLOEXEC)
        if entrance < 0 {
            let code = errno
            rmdir(path)
            throw SystemError("open \"\(path)/cgroup.procs\"", code: code)
        }
    }

    deinit {
        close(entrance)
        // It is empty once its processes have been reaped. Otherwise the next host removes it.
        rmdir(path)
    }
}

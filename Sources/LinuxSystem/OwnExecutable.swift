// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The executable that this process runs. Any thread.

import CLinuxShims
import Glibc

/// The executable that this process runs.
package enum OwnExecutable {
    /// The arguments of this process, the program's name first, with a null pointer behind the last; also where /proc is missing.
    package static var arguments: UnsafePointer<UnsafeMutablePointer<CChar>?> { CLinuxShims_arguments() }

    /// The executable's path; empty if the kernel does not tell it.
    package static var path: String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// The folder of the executable.
    package static var folder: String {
        let path = path
        return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}

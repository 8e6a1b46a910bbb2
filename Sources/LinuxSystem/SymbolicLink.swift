// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads symbolic links. Any thread.

import Glibc

/// Symbolic links of the file system.
public enum SymbolicLink {
    /// The target as the link names it; nil if the path is no link.
    public static func target(of path: String) -> String? {
        let target = String(unsafeUninitializedCapacity: Int(PATH_MAX)) { bytes in
            bytes.withMemoryRebound(to: CChar.self) { max(0, readlink(path, $0.baseAddress!, $0.count)) }
        }
        return target.isEmpty ? nil : target
    }
}

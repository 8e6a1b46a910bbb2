// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Taking file names apart, and saying why a file operation failed. Any thread.

import FoundationEssentials
import Glibc

/// Paths as text.
public enum FilePath {
    /// What stands after the last slash.
    public static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// What stands before the last slash; "." when there is none.
    public static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The kernel's reason for a failed file operation, to follow a colon.
    public static func reason(of error: any Error) -> String {
        let posix = error as? POSIXError ?? (error as? CocoaError)?.underlying as? POSIXError
        guard let posix else { return "\(error)" }
        let text = String(cString: strerror(posix.code.rawValue))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

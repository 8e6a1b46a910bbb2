// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Taking file names apart, following links, and saying why a file operation failed. Any thread.

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

    /// The file that a path leads to, behind every link; nil when there is none.
    public static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The kernel's reason for a failed file operation, to follow a colon.
    public static func reason(of error: any Error) -> String {
        let posix = error as? POSIXError ?? (error as? CocoaError)?.underlying as? POSIXError
        guard let posix else { return "\(error)" }
        return reason(ofCode: posix.code.rawValue)
    }

    /// The kernel's reason for an error number, to follow a colon.
    static func reason(ofCode code: Int32) -> String {
        let text = String(cString: strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Splits file names, follows links, and describes failures of file operations. Any thread.

import FoundationEssentials
import Glibc

/// Paths as text.
package enum FilePath {
    /// The part after the last slash.
    package static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// The name without this ending, if it has it.
    static func stem(of path: String, dropping ending: String) -> String {
        let name = name(of: path)
        return name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
    }

    /// True if no file has that name, not even a dangling link.
    ///
    /// In case of doubt it exists.
    static func isAbsent(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }

    /// True if the path leads to a regular file.
    package static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// True if a path without links leads to a regular file, and not to one that the kernel makes up.
    package static func isOrdinary(_ file: String) -> Bool {
        isFile(file) && !["/proc/", "/sys/", "/dev/"].contains { file.hasPrefix($0) }
    }

    static func isLinkToNowhere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK && access(path, F_OK) != 0
    }

    /// The part before the last slash; "." without one.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The file that a path leads to, behind every link; nil without one.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The kernel's reason for a failed file operation, to follow a colon.
    package static func reason(of error: any Error) -> String {
        guard let posix = posixError(of: error) else { return "\(error)" }
        return reason(ofCode: posix.code.rawValue)
    }

    /// The kernel's error behind one of Foundation's.
    static func posixError(of error: any Error) -> POSIXError? {
        error as? POSIXError ?? (error as? CocoaError)?.underlying as? POSIXError
    }

    /// The kernel's reason for an error number, to follow a colon.
    static func reason(ofCode code: Int32) -> String {
        let text = String(cString: strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

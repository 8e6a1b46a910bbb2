// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which file will be replaced, and what it is called until then. Control thread.

import Glibc

extension ReplacementFile {
    /// Where the file will stand: behind a link when `path` is one, so that the link stays.
    static func target(of path: String) throws(AudioFileError) -> String {
        guard !path.utf8.contains(0), !Path.name(of: path).isEmpty else {
            throw .isDirectory(path: path, act: .write)
        }
        var status = stat()
        guard stat(path, &status) == 0 else { return path }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .isDirectory(path: path, act: .write)
        default: throw .notRegular(path: path, act: .write)
        }
        // A folder's permission would allow the replacement; a file marked read-only is meant to stay.
        if access(path, W_OK) != 0 { throw .noPermission(path: path, act: .write) }
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// A name that nobody else has, hidden, in the same folder and no longer than a name may be.
    static func hiddenName(beside target: String) -> String {
        let stem = String(decoding: Path.name(of: target).utf8.prefix(200), as: UTF8.self)
        let tag = String(UInt64.random(in: 0 ... .max), radix: 36)
        return "\(Path.folder(of: target))/.\(stem).\(tag).part"
    }
}

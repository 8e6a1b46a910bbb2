// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The file that will be replaced, and the temporary name of its replacement. Control thread.

import Glibc

extension ReplacementFile {
    /// The path of the file to replace: if `path` is a link, its target, so that the link stays.
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
        // The folder's permission would allow the replacement, but a file marked read-only must stay.
        if access(path, W_OK) != 0 { throw .opening(path, act: .write, code: errno) }
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Standard output for `-`; nil for other paths.
    ///
    /// Throws if that is a terminal, where audio would be rubbish.
    static func openPipe(_ path: String) throws(AudioFileError) -> CInt? {
        guard path == SpoolFile.standardPath else { return nil }
        guard isatty(STDOUT_FILENO) == 0 else { throw .notRegular(path: path, act: .write) }
        let descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .system(path: path, act: .write, code: errno) }
        return descriptor
    }

    /// A hidden, unused name in the same folder, short enough for a file name.
    static func hiddenName(beside target: String) -> String {
        let stem = String(decoding: Path.name(of: target).utf8.prefix(200), as: UTF8.self)
        let tag = String(UInt64.random(in: 0 ... .max), radix: 36)
        return "\(Path.folder(of: target))/.\(stem).\(tag).part"
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the file that will be replaced. Control thread.

import Glibc
import LinuxSystem

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
    /// Throws if standard output is a terminal, which audio would garble.
    static func openPipe(_ path: String) throws(AudioFileError) -> Descriptor? {
        guard path == SpoolFile.standardPath else { return nil }
        guard isatty(STDOUT_FILENO) == 0 else { throw .notRegular(path: path, act: .write) }
        let descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .system(path: path, act: .write, code: errno) }
        return Descriptor(owning: descriptor)
    }
}

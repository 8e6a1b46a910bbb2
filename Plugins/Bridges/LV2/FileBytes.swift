// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Small files, read and written whole. Control thread.

import Glibc
import PluginSDK

enum FileBytes {
    /// The kind of a file, as in `S_IFREG`; a link is a link. Zero for none.
    static func kind(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
    }

    /// Whether a file or folder belongs to this user.
    static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_uid == geteuid()
    }

    /// The bytes of a file; throws when there are more than `limit`.
    static func read(_ path: String, limit: Int) throws(UnitError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw .failed("\"\(path)\" cannot be read: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw .failed("\"\(path)\" has more than \(limit) bytes") }
        }
        return bytes
    }

    /// The whole path of a file that can be read.
    static func readablePath(_ path: String) throws(UnitError) -> String {
        guard let whole = realpath(path, nil) else {
            throw .failed("\"\(path)\" cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { free(whole) }
        let found = String(cString: whole)
        guard kind(found) == S_IFREG else { throw .failed("\"\(path)\" is not a file") }
        guard access(found, R_OK) == 0 else { throw .failed("\"\(path)\" cannot be read: \(String(cString: strerror(errno)))") }
        return found
    }

    static func write(_ bytes: [UInt8], to path: String) throws(UnitError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .failed("\"\(path)\" cannot be written: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written) }
            guard count > 0 else { throw .failed("\"\(path)\" cannot be written: \(String(cString: strerror(errno)))") }
            written += count
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reading a file that is small, or not at all; replacing one in one step. Control thread.

import FoundationEssentials
import Glibc
import LinuxSystem
import Wire

/// Files of the host's own that somebody else may have written, or half written.
enum SmallFile {
    /// The contents, or nil when there is no such file; the thrown reason follows a colon.
    static func read(_ path: String, maximumByteCount: Int) throws(WireViolation) -> [UInt8]? {
        // Opening a pipe without somebody at its other end would wait.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 || errno != ENOENT else { return nil }
        guard file >= 0 else { throw WireViolation("it cannot be read, \(SystemError("").reason)") }
        let descriptor = Descriptor(owning: file)
        var status = stat()
        guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw WireViolation("it is not a file")
        }
        guard status.st_size <= maximumByteCount else { throw WireViolation("it has more than \(maximumByteCount) bytes") }
        let size = Int(status.st_size)
        var error: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            while filled < size {
                let count = Glibc.read(descriptor.number, buffer.baseAddress! + filled, size - filled)
                if count < 0, errno == EINTR { continue }
                if count < 0 { error = errno }
                guard count > 0 else { return }
                filled += count
            }
        }
        guard error == 0 else { throw WireViolation("it cannot be read, \(SystemError("", code: error).reason)") }
        return bytes
    }

    /// Writes beside the file, makes that durable, and gives it the name in one step. Makes the folder, if need be.
    static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        let act = "write \"\(path)\""
        let folder = FilePath.folder(of: path)
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var draft = Array("\(path).XXXXXX".utf8CString)
        let file = mkstemp(&draft)
        guard file >= 0 else { throw SystemError(act) }
        let descriptor = Descriptor(owning: file)
        do throws(SystemError) {
            try write(bytes, to: descriptor.number, act)
            guard fsync(descriptor.number) == 0, rename(draft, path) == 0 else { throw SystemError(act) }
        } catch {
            unlink(draft)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, _ act: String) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError(act) }
            rest = rest.dropFirst(count)
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Small files, read and written as a whole. Control thread.

import Glibc
import LinuxSystem
import PluginSDK

enum FileBytes {
    /// The kind of a file, as in `S_IFREG`.
    ///
    /// Links are not followed; zero means that there is no file.
    static func kind(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
    }

    /// The bytes of a file in a folder; throws if there are more than `limit`.
    static func read(_ name: FileName, in folder: borrowing Folder, limit: Int) throws(UnitError) -> [UInt8] {
        let descriptor = Folder.with(name.parts.last ?? []) {
            openat(folder.descriptor, $0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        }
        guard descriptor >= 0 else { throw failure(name, "read") }
        defer { close(descriptor) }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Descriptor.bytes(from: descriptor, atMost: limit + 1, "")
        } catch {
            throw failure(name, "read", error.code)
        }
        guard bytes.count <= limit else {
            throw .failed("the files of its state are too large; \(StateFolder.maximumByteCount >> 20) MiB are the most")
        }
        return bytes
    }

    /// The absolute path of a file that can be read.
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

    static func write(_ bytes: [UInt8], to name: FileName, in folder: borrowing Folder) throws(UnitError) {
        let descriptor = Folder.with(name.parts.last ?? []) {
            openat(folder.descriptor, $0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        }
        guard descriptor >= 0 else { throw failure(name, "written") }
        defer { close(descriptor) }
        do throws(SystemError) { try Descriptor.write(bytes, to: descriptor, "") } catch {
            throw failure(name, "written", error.code)
        }
    }

    /// Moves a file into another folder, over a file of the same name.
    static func move(
        _ name: FileName, from source: borrowing Folder, to target: borrowing Folder
    ) throws(UnitError) {
        let (source, target) = (source.descriptor, target.descriptor)
        let isDone = Folder.with(name.parts.last ?? []) { renameat(source, $0, target, $0) == 0 }
        guard isDone else { throw failure(name, "put in its place") }
    }

    private static func failure(_ name: FileName, _ act: String, _ code: Int32 = errno) -> UnitError {
        .failed("\"\(name)\", a file of its state, cannot be \(act): \(String(cString: strerror(code)))")
    }
}

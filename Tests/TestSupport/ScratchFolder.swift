// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A folder for one test, removed with it. Test thread.

import Glibc

/// A folder only for files, removed with all of them.
package final class ScratchFolder: Sendable {
    package let path: String

    package init() {
        var template = Array("/tmp/bulkhead-files-XXXXXX".utf8CString)
        path = String(cString: mkdtemp(&template)!)
    }

    deinit {
        for name in names { remove(file(name)) }
        rmdir(path)
    }

    /// The path of a file in it.
    package func file(_ name: String) -> String { path + "/" + name }

    /// All names in the folder, including hidden files.
    package var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Writes a file; returns its path.
    @discardableResult
    package func write(_ name: String, _ bytes: [UInt8]) -> String {
        let descriptor = open(file(name), O_CREAT | O_TRUNC | O_WRONLY, 0o644)
        defer { close(descriptor) }
        precondition(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
        return file(name)
    }

    /// All bytes of a file.
    package func read(_ name: String) -> [UInt8] {
        let descriptor = open(file(name), O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
        precondition(pread(descriptor, &bytes, bytes.count, 0) == bytes.count)
        return bytes
    }
}

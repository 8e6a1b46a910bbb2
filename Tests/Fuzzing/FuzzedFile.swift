// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A file without a name, for parsers that take a path, so that opening the file is fuzzed too. The fuzzer's thread.

import CLinuxShims
import Glibc

/// One file that holds its bytes until the next ones come.
enum FuzzedFile {
    private static let descriptor: CInt = {
        let descriptor = CLinuxShims_memfdCreate("fuzzed")
        guard descriptor >= 0 else { fatalError("no memory for a file") }
        return descriptor
    }()

    /// A path to a file with these bytes.
    static func path(holding bytes: [UInt8]) -> String {
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            fatalError("the file cannot be written")
        }
        return "/proc/self/fd/\(descriptor)"
    }

    /// The bytes that `write` puts into the file at the path that it gets.
    static func contents(_ write: (String) throws -> Void) throws -> [UInt8] {
        var name = Array("/tmp/bulkhead-fuzz-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { fatalError("no temporary folder") }
        let folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = "\(folder)/file"
        defer {
            unlink(path)
            rmdir(folder)
        }
        try write(path)
        let file = open(path, O_RDONLY)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        return Array(bytes.prefix(max(0, read(file, &bytes, bytes.count))))
    }
}

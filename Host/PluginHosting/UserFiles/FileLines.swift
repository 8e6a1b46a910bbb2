// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads the lines of a file that may be long, one by one. Any thread.

import Glibc
import LinuxSystem

/// The lines of a regular file, one after the other, in memory for one line.
package struct FileLines: ~Copyable {
    private let file: Descriptor
    private let maximumByteCount: Int
    private var buffer: [UInt8] = []
    /// The beginning of the next line in the buffer.
    private var start = 0
    private var piece = [UInt8](repeating: 0, count: 65_536)

    /// Opens a file whose lines have at most `maximumByteCount` bytes.
    package init(_ path: String, maximumByteCount: Int) throws(FileDefect) {
        file = try Self.opened(path)
        self.maximumByteCount = maximumByteCount
    }

    private static func opened(_ path: String) throws(FileDefect) -> Descriptor {
        // Reading a pipe or a device may block, and so may opening one.
        let number = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw SmallFile.openingDefect(errno) }
        let file = Descriptor(owning: number)
        var status = stat()
        let isFile = fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        guard isFile else { throw FileDefect("it is not a file") }
        return file
    }

    /// The next line without its line feed; nil at the end: bytes after the last line feed are no line.
    package mutating func next() throws(FileDefect) -> ArraySlice<UInt8>? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                return buffer[start..<end]
            }
            guard buffer.count - start <= maximumByteCount else {
                throw FileDefect("it has a line of more than \(maximumByteCount) bytes")
            }
            buffer.removeFirst(start)
            (start, searched) = (0, buffer.count)
            guard try fill() else { return nil }
        }
    }

    /// Reads some more; false at the end.
    private mutating func fill() throws(FileDefect) -> Bool {
        let count = piece.withUnsafeMutableBytes { SystemCall.read(file.number, into: $0) }
        guard count >= 0 else { throw FileDefect(code: errno) }
        buffer.append(contentsOf: piece[..<count])
        return count > 0
    }
}

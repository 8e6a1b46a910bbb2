// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which parts of a file the kernel has in memory, before and after it is read in large pieces. Any thread.

import Glibc
import LinuxSystem
import Testing

@Suite struct FileCacheTests {
    private static let pieceByteCount = 2 << 20

    @Test func aFileThatIsOnTheDiskAloneIsInMemoryAfterwards() throws {
        let path = "/var/tmp/bulkhead-file-cache-\(getpid())"
        defer { unlink(path) }
        let file = Descriptor(owning: open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600))
        let bytes = [UInt8](repeating: 1, count: 3 * Self.pieceByteCount + 1)
        #expect(write(file.number, bytes, bytes.count) == bytes.count)
        try #require(fsync(file.number) == 0 && posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED) == 0)
        if try beginsInMemory(file) != [false, false, false, false] {
            try Test.cancel("/var/tmp is a file system in memory, which has no other place for a file")
        }
        FileCache.readInLargePieces(path: path)
        #expect(try beginsInMemory(file) == [true, true, true, true])
    }

    /// For each piece of the file, whether its first page is in memory.
    private func beginsInMemory(_ file: borrowing Descriptor) throws -> [Bool] {
        var status = stat()
        try #require(fstat(file.number, &status) == 0)
        let byteCount = Int(status.st_size)
        let memory = try #require(mmap(nil, byteCount, PROT_READ, MAP_SHARED, file.number, 0))
        try #require(memory != MAP_FAILED)
        defer { munmap(memory, byteCount) }
        return try stride(from: 0, to: byteCount, by: Self.pieceByteCount).map { offset in
            var isThere: UInt8 = 0
            try #require(mincore(memory + offset, 1, &isThere) == 0)
            return isThere & 1 == 1
        }
    }

    /// Nothing that a bundle may hold in place of a library makes a host wait, or ends it.
    @Test func whatIsNoLibraryIsDoneWithAtOnce() throws {
        let pipe = "/tmp/bulkhead-file-cache-\(getpid()).pipe"
        defer { unlink(pipe) }
        #expect(mkfifo(pipe, 0o600) == 0)
        let holes = "/var/tmp/bulkhead-file-cache-\(getpid()).holes"
        defer { unlink(holes) }
        try #require(close(creat(holes, 0o600)) == 0 && truncate(holes, 1 << 40) == 0)
        for path in [pipe, holes, "/dev/zero", "/tmp", "/nowhere", ""] { FileCache.readInLargePieces(path: path) }
    }
}

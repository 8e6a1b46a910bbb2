// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How the kernel keeps in memory what it has read of a file. Control thread.

import Glibc
import Synchronization

public enum FileCache {
    /// Has the kernel read a file, if it has not yet, in pieces of up to 2 MiB. Read little by little, as programs meet its pages, it
    /// is kept a page at a time, and each process that loads it has a page at a time mapped.
    ///
    /// What is in memory already stays as it is, and so does all of it where the file system cannot keep files so, or the kernel
    /// has no such pieces. Each file is read so once in this process: from then on it is in memory, as a rule. Of a very long one it
    /// is the beginning alone.
    public static func readInLargePieces(path: String) {
        guard filesRead.withLock({ $0.insert(path).inserted }) else { return }
        let file = Descriptor(owning: open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
        var status = stat()
        guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
            let byteCount = Int(exactly: status.st_size),
            let memory = mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, file.number, 0), memory != MAP_FAILED
        else { return }
        defer { munmap(memory, byteCount) }
        guard madvise(memory, byteCount, MADV_HUGEPAGE) == 0 else { return }
        // Asked for and not touched: a file that is cut short meanwhile would end this process.
        for offset in stride(from: 0, to: min(byteCount, maximumByteCount), by: pieceByteCount) {
            madvise(memory + offset, 1, MADV_POPULATE_READ)
        }
    }

    /// Far more than any library has; a bundle may hold a file with holes that is longer than any disk.
    private static let maximumByteCount = 64 << 20
    private static let filesRead = Mutex<Set<String>>([])
    private static let pieceByteCount = 2 << 20
}

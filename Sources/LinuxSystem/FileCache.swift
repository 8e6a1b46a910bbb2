// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The kernel's cache of file contents, filled in large pieces. Control thread.

import Glibc
import Synchronization

/// The kernel's cache of file contents.
public enum FileCache {
    /// Makes the kernel read a file in pieces of up to 2 MiB, unless it has read it already.
    ///
    /// Otherwise the kernel reads and keeps a file page by page as programs touch it. Each process that loads the file then
    /// also maps it page by page.
    ///
    /// Pages that are already in memory stay as they are. The same holds for the whole file if the file system or the kernel
    /// has no large pieces. This process reads each file only once, since a file usually stays in memory. Of a very long file,
    /// only the beginning is read.
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
        // The pages are requested, not touched: if the file became shorter meanwhile, touching them would end this process.
        for offset in stride(from: 0, to: min(byteCount, maximumByteCount), by: pieceByteCount) {
            madvise(memory + offset, 1, MADV_POPULATE_READ)
        }
    }

    /// The most bytes that are read, far more than any library has.
    ///
    /// A bundle may hold a sparse file that is longer than any disk.
    private static let maximumByteCount = 64 << 20
    private static let filesRead = Mutex<Set<String>>([])
    private static let pieceByteCount = 2 << 20
}

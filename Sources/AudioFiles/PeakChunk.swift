// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Removes the time of day from a finished WAV header, so that equal audio makes equal files. Control thread.

import Glibc

/// The PEAK chunk, which libsndfile can leave out of every format but RF64.
enum PeakChunk {
    /// Writes zero over the chunk's time stamp, the third word after its name, if the header has the chunk.
    static func removeTime(descriptor: CInt) {
        var header = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &header, header.count, 0)
        let name = Array("PEAK".utf8)
        for offset in stride(from: 12, to: count - 16, by: 2) where header[offset..<offset + 4].elementsEqual(name) {
            var zero: UInt32 = 0
            _ = pwrite(descriptor, &zero, 4, off_t(offset + 12))
            return
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Removes the time of day from a finished WAV header, so that equal audio makes equal files. Control thread.

import LinuxSystem

/// The PEAK chunk, which libsndfile can leave out of every format but RF64.
enum PeakChunk {
    /// Writes zero over the chunk's time stamp, the third word after its name, if the header has the chunk.
    static func removeTime(descriptor: CInt) {
        let header = Descriptor.bytes(from: descriptor, at: 0, atMost: 256)
        let name = Array("PEAK".utf8)
        for offset in stride(from: 12, to: header.count - 16, by: 2) where header[offset..<offset + 4].elementsEqual(name) {
            _ = withUnsafeBytes(of: UInt32(0)) { SystemCall.write($0, to: descriptor, at: offset + 12) }
            return
        }
    }
}

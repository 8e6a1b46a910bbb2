// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A recording that is read while it is being written. Test thread.

import Foundation
import Testing

/// A WAV file of floats in two channels, as `play --record` writes it.
///
/// What its header says of its length is passed over: the length is that of the file.
struct GrowingTake {
    private let path: String
    /// Where the first sample lies.
    private let start: Int

    static let channelCount = 2
    private static let frameByteCount = channelCount * MemoryLayout<Float>.size
    /// What has been heard and is not in the file yet, at most, in frames of 48 kHz.
    ///
    /// The file grows by 8192 frames at a time.
    static let delay = 16_384

    /// Waits until the file has begun.
    init(_ path: String) throws {
        var head = Data()
        let hasBegun = eventually(within: 20) {
            head = FileHandle(forReadingAtPath: path).map { $0.readData(ofLength: 4096) } ?? Data()
            return head.range(of: Data("data".utf8)) != nil
        }
        try #require(hasBegun, "nothing was recorded")
        let chunk = try #require(head.range(of: Data("data".utf8)))
        // A float of 32 bits has the format 3, or the one that says more behind.
        let format = try #require(head.range(of: Data("fmt ".utf8))).upperBound + 4
        try #require([[3, 0], [0xFE, 0xFF]].contains(Array(head[format..<format + 2])) && head[format + 14] == 32)
        try #require(Int(head[format + 2]) == Self.channelCount)
        (self.path, start) = (path, chunk.upperBound + 4)
    }

    /// The frames in the file now.
    var frameCount: Int {
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        return max(0, size - start) / Self.frameByteCount
    }

    /// Waits until so many frames are there.
    func reach(_ count: Int) throws {
        let seconds = Double(max(0, count - frameCount)) / 48_000 + 10
        try #require(eventually(within: seconds) { frameCount >= count }, "the recording does not go on: \(frameCount) of \(count)")
    }

    /// Frames of both channels, interleaved, once they are there.
    func samples(_ frames: Range<Int>) throws -> [Float] {
        try reach(frames.upperBound)
        let file = try #require(FileHandle(forReadingAtPath: path))
        try file.seek(toOffset: UInt64(start + frames.lowerBound * Self.frameByteCount))
        let bytes = file.readData(ofLength: frames.count * Self.frameByteCount)
        return bytes.withUnsafeBytes { raw in
            (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }
}

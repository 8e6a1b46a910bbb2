// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A part of a file that a player will play. Any thread; the render thread sees only its frames.

import AudioFiles
import LinuxSystem
import Realtime
import Rendering
import Synchronization

/// A part of a file that a player will play.
final class FilePiece: Sendable {
    let file: AudioFile
    /// The first frame in the file, and the number of frames.
    let start: Int
    let frameCount: Int
    /// True if it goes on where the piece before ends.
    let continues: Bool
    /// The distance from the exact beginning to the whole frame at which the piece begins, in frames of the player's rate; at most a half.
    let offset: Double
    // SAFETY: one reading thread and the render thread use it, in the order that its atomics enforce.
    nonisolated(unsafe) let frames: UnsafeMutablePointer<FileFrames>
    private let problem = Mutex<AudioFileError?>(nil)

    init?(
        _ file: AudioFile, from start: Int, _ frameCount: Int, continues: Bool, offset: Double, length: Int, channelCount: Int,
        sampleRate: Double, bell: EventBell
    ) {
        guard let made = FileFrames(channelCount: channelCount, length: length, sampleRate: sampleRate, bell: bell) else {
            return nil
        }
        (self.file, self.start, self.frameCount, self.continues, self.offset) = (file, start, frameCount, continues, offset)
        frames = .allocate(capacity: 1)
        frames.initialize(to: made)
    }

    deinit {
        frames.deinitialize(count: 1)
        frames.deallocate()
    }

    /// The error of the file.
    var failure: AudioFileError? { problem.withLock { $0 } }

    var sampleRate: Double { file.fileFormat.sampleRate }
    var isOver: Bool { frames.pointee.isOver.load(ordering: .acquiring) }
    /// The number of frames not made yet.
    var remainingCount: Int { frames.pointee.length.load(ordering: .relaxed) - frames.pointee.written.load(ordering: .relaxed) }
    var isReady: Bool { remainingCount <= 0 }

    /// Ends the piece: the player will not play it any more.
    func end() { frames.pointee.isOver.store(true, ordering: .releasing) }

    /// Notes why the rest cannot be read.
    func fail(_ error: AudioFileError) { problem.withLock { if $0 == nil { $0 = error } } }

    /// Reads up to `count` frames from a frame of the piece into `scratch`, in the channels of `block`; returns the number read.
    ///
    /// It reads no frame outside the piece.
    func read(
        from frame: Int, _ count: Int, into block: AudioBlock, through scratch: inout FileScratch
    ) throws(AudioFileError) -> Int {
        let wanted = max(0, min(count, frameCount - frame, block.frameCount))
        guard wanted > 0 else { return 0 }
        let channelCount = file.fileFormat.channelCount
        guard channelCount != block.channelCount else { return try file.read(from: start + frame, wanted, into: block.channels) }
        let read = scratch.block(channelCount, wanted)
        let got = try file.read(from: start + frame, wanted, into: read.channels)
        for channel in 0..<block.channelCount { block[channel].update(repeating: 0, count: got) }
        for route in ChannelMap.routes(from: channelCount, file.fileFormat.layout, to: block.channelCount) {
            let (from, to) = (read[route.source], block[route.destination])
            for index in 0..<got { to[index] += from[index] * route.gain }
        }
        return got
    }
}

/// Memory for frames with the channels of a file.
struct FileScratch: ~Copyable {
    private var buffer = AudioBuffer(channelCount: 0, frameCapacity: 0)

    mutating func block(_ channelCount: Int, _ frameCount: Int) -> AudioBlock {
        if buffer.channelCount != channelCount || buffer.frameCapacity < frameCount {
            buffer = AudioBuffer(channelCount: channelCount, frameCapacity: frameCount)
        }
        return buffer.block(frameCount: frameCount)
    }
}

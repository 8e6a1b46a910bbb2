// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Adds up the sound field of all sources, and decodes it. Render thread; the control thread makes its parts.

import DSP
import Realtime
import Rendering

/// The sum of the sources' sound fields in a cycle, and the frames before it that a decoder's filters read.
struct FieldMemory {
    static let channelCount = 16
    /// The frames of the past that are kept, for filters of as many taps.
    static var pastFrameCount: Int { @_noLocks get { 512 } }

    private let samples: UnsafeMutablePointer<Float>
    let frameCapacity: Int
    /// True if a source has been added in this cycle.
    private(set) var isOpen = false
    /// The frames since the last sound.
    private var quietFrameCount = Int.max / 2

    /// `[control]` Allocates memory for cycles of up to `frameCapacity` frames; `deallocate` frees it.
    init(frameCapacity: Int) {
        self.frameCapacity = frameCapacity
        let count = Self.channelCount * (Self.pastFrameCount + frameCapacity)
        samples = .allocate(capacity: count)
        samples.initialize(repeating: 0, count: count)
    }

    func deallocate() { samples.deallocate() }

    /// The frames of the past of a channel, followed by those of this cycle.
    @_noLocks
    private func line(_ channel: Int) -> UnsafeMutablePointer<Float> {
        samples + channel &* (Self.pastFrameCount &+ frameCapacity)
    }

    /// The frames of this cycle, to which a source adds its own.
    @_noLocks
    mutating func open(_ channel: Int) -> UnsafeMutablePointer<Float> {
        (isOpen, quietFrameCount) = (true, 0)
        return line(channel) + Self.pastFrameCount
    }

    /// Takes over the past of a smaller memory.
    @_noLocks
    mutating func takeOver(_ other: FieldMemory) {
        quietFrameCount = other.quietFrameCount
        for channel in 0..<16 {
            let (from, to) = (other.line(channel), line(channel))
            for frame in 0..<Self.pastFrameCount { to[frame] = from[frame] }
        }
    }

    /// Adds the decoded field to a bus at a gain that may move.
    @_noLocks
    func decode(_ decoder: FieldDecoder.Core, to block: AudioBlock, _ gain: FieldGain) {
        for output in 0..<min(block.channelCount, decoder.outputCount) {
            for channel in 0..<16 {
                let from = line(channel) + (Self.pastFrameCount &- decoder.tapCount &+ 1)
                let (taps, to) = (decoder.filter(output, channel), block[output])
                if decoder.tapCount == 1 {
                    let tap = taps[0]
                    guard tap != 0 else { continue }
                    for frame in 0..<block.frameCount { to[frame] += from[frame] * tap * gain.at(frame) }
                } else {
                    for frame in 0..<block.frameCount {
                        to[frame] += SIMD16.product(from + frame, taps, count: decoder.tapCount) * gain.at(frame)
                    }
                }
            }
        }
    }

    /// True if nothing of the field can be heard any more.
    var isQuiet: Bool {
        @_noLocks get { quietFrameCount > Self.pastFrameCount }
    }

    /// Makes this cycle the past, and empties the next one.
    @_noLocks
    mutating func finish(_ frameCount: Int) {
        guard !isQuiet else { return }
        for channel in 0..<16 {
            let line = line(channel)
            for frame in 0..<Self.pastFrameCount { line[frame] = line[frame &+ frameCount] }
            for frame in 0..<frameCount { line[Self.pastFrameCount &+ frame] = 0 }
        }
        if !isOpen { quietFrameCount &+= frameCount }
        isOpen = false
    }
}

/// A gain that moves in a straight line up to a frame, and has the same bits however time is cut.
struct FieldGain {
    private let start: Float
    private let slope: Float
    private let elapsed: Int
    private let last: Int

    /// `elapsed` frames have passed since the line began; it ends after `last`, and is 1 from there on.
    @_noLocks
    init(start: Float = 1, slope: Float = 0, elapsed: Int = 0, last: Int = .max) {
        (self.start, self.slope, self.elapsed, self.last) = (start, slope, elapsed, last)
    }

    @inline(__always) @_noLocks
    func at(_ frame: Int) -> Float {
        let time = elapsed &+ frame
        return time < last ? start + slope * Float(time) : 1
    }
}

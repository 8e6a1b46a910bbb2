// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Keeps the newest frames of a source, and reads them at any delay. Made on the control thread, used on the render thread.

import Realtime

/// A ring of the newest frames of one channel, which a renderer of a source reads at delays that move.
///
/// Each frame lies there twice, so that a run of frames is always in one piece.
struct DelayMemory {
    private let samples: UnsafeMutablePointer<Float>
    /// The number of frames, a power of two.
    private let capacity: Int
    /// The number of the next frame.
    private(set) var end: Int64 = 0
    /// The number of the frame after the last one that is not silent.
    private var soundEnd: Int64 = .min / 2
    /// The frame before which all frames count as silent.
    private var start: Int64 = 0
    private let taps: UnsafePointer<Float>

    /// `[control]` Allocates memory for delays of up to `frameCount` frames; `deallocate` frees it.
    init(longestDelay frameCount: Int) {
        var capacity = 256
        while capacity < frameCount + 2 * DelayPoint.halfWidth + 64 { capacity *= 2 }
        self.capacity = capacity
        samples = .allocate(capacity: 2 * capacity)
        samples.initialize(repeating: 0, count: 2 * capacity)
        taps = DelayTaps.shared.memory
    }

    func deallocate() { samples.deallocate() }

    /// The longest delay in frames.
    var longestDelay: Double {
        @_noLocks get { Double(capacity &- 2 &* DelayPoint.halfWidth &- 64) }
    }

    /// Appends the next frames, 64 at most; subnormal samples become silence.
    @_noLocks
    mutating func append(_ frames: UnsafePointer<Float>, _ frameCount: Int) {
        for frame in 0..<frameCount {
            let sample = abs(frames[frame]) >= Float.leastNormalMagnitude ? frames[frame] : 0
            let place = Int(truncatingIfNeeded: end) & (capacity &- 1)
            samples[place] = sample
            samples[place &+ capacity] = sample
            end &+= 1
            if sample != 0 { soundEnd = end }
        }
    }

    /// True if a delay of `frameCount` frames would still be heard in silence.
    @_noLocks
    func isRinging(at frameCount: Double) -> Bool {
        end &- soundEnd < Int64(min(longestDelay, max(0, frameCount))) &+ Int64(DelayPoint.halfWidth) &+ 64
    }

    /// Reads the frame that lies `delay` frames before `number`; a delay from `halfWidth` on.
    ///
    /// The frames up to `number` must have been appended.
    @inline(__always) @_noLocks
    func read(_ number: Int64, delay: Double) -> Float {
        let delay = max(Double(DelayPoint.halfWidth), min(longestDelay, delay))
        let whole = Maths.floor(delay)
        let share = delay - whole
        // Cannot trap: bounded above. The place lies between this frame and the one before it.
        let frame = number &- Int64(whole) &- (share > 0 ? 1 : 0)
        let first = frame &- Int64(DelayPoint.halfWidth) &+ 1
        let place = Int(truncatingIfNeeded: first) & (capacity &- 1)
        // Cannot trap: bounded. Masked frames leave the order of the sum as it is, so forgotten silence has the bits of silence.
        let silentCount = Int(max(0, min(32, start &- first)))
        return DelayPoint.read(samples + place, Float(share > 0 ? 1 - share : 0), taps, silentCount: silentCount)
    }

    /// Forgets all frames.
    @_noLocks
    mutating func forget() {
        (start, soundEnd) = (end, .min / 2)
    }
}

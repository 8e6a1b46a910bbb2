// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Fades the input of a unit in that was started again. Render thread.

import Realtime

/// The share of its input that a unit gets.
///
/// A unit that was started again begins in the middle of the sound, with an empty memory. Its first frames would be a step, and an echo
/// would repeat that later. So its input fades in, and the unit is heard from the block after that on.
struct InputFade {
    private var share = SmoothedValue(1)
    private let frameCount: Int
    /// Whether the input of the newest request fades in.
    private(set) var isInBlock = false

    /// Seconds.
    private static var length: Double { 0.005 }

    /// Nothing fades before `start`.
    init(sampleRate: Double) { frameCount = max(1, Int(sampleRate * Self.length)) }

    /// Whether the next block's input fades in, so that it has to be the host's own copy.
    var isMoving: Bool {
        @_noLocks get { share.isMoving }
    }

    /// Begins at silence.
    @_noLocks
    mutating func start() {
        share = SmoothedValue(0)
        share.ramp(to: 1, over: frameCount)
    }

    /// The unit gets all of its input at once.
    @_noLocks
    mutating func stop() { share.jump(to: 1) }

    /// Another cycle begins.
    @_noLocks
    mutating func beginCycle() { isInBlock = false }

    /// Fades the input of the next request in, once.
    @_noLocks
    mutating func process(_ block: AudioBlock) {
        isInBlock = true
        for frame in 0..<block.frameCount {
            let share = share.next()
            for channel in 0..<block.channelCount { block[channel][frame] *= share }
        }
    }
}

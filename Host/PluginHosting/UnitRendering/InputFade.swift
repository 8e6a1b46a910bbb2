// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Fades in the input of a restarted unit. Render thread.

import Realtime

/// The share of the input that a unit gets.
///
/// A restarted unit begins in the middle of the signal, with an empty memory. Its first frames would be a step, which an echo
/// would repeat later. So its input fades in, and the unit is heard from the following block on.
struct InputFade {
    private var share = SmoothedValue(1)
    private let frameCount: Int
    /// True if the input of the newest request fades in.
    private(set) var isInBlock = false

    /// The length of the fade in seconds.
    private static var length: Double { 0.005 }

    /// Makes a fade that does not begin before `start`.
    // Cannot trap: the unit has taken the rate.
    init(sampleRate: Double) { frameCount = max(1, Int(sampleRate * Self.length)) }

    /// True if the next block's input fades in, so that it must be the host's own copy.
    var isMoving: Bool {
        @_noLocks get { share.isMoving }
    }

    /// Begins the fade at silence.
    @_noLocks
    mutating func start() {
        share = SmoothedValue(0)
        share.ramp(to: 1, over: frameCount)
    }

    /// Gives the unit all of its input at once.
    @_noLocks
    mutating func stop() { share.jump(to: 1) }

    /// Begins another cycle.
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

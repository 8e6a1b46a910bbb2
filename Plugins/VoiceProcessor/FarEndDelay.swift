// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Delays the far end, so that a late echo lies within the canceller's filter. Made on the control thread, used on the render thread.

import PluginSDK

/// A delay of whole samples, at first none, which follows the echo.
///
/// The filter covers the first 0.24 s behind the far end. An echo whose strongest part lies in the first 0.14 s needs no delay, since the
/// room rings after it.
struct FarEndDelay: ~Copyable {
    private let samples: UnsafeMutablePointer<Int16>
    private let capacity: Int
    private var position = 0
    /// The delay in samples.
    private(set) var count = 0
    /// The samples between the delay and the strongest part of the echo: the least, the most, and the usual ones.
    private let least: Int
    private let most: Int
    private let lead: Int

    init(sampleRate: Double, frameLength: Int) {
        capacity = Int(sampleRate * 1.02) + frameLength
        samples = .allocate(capacity: capacity)
        samples.initialize(repeating: 0, count: capacity)
        (least, most, lead) = (Int(sampleRate * 0.004), Int(sampleRate * 0.14), Int(sampleRate * 0.02))
    }

    deinit { samples.deallocate() }

    /// Follows an echo at a delay; true if the far end is delayed differently now, so that the filter's knowledge is out of date.
    @_noLocks
    mutating func follow(_ echo: Int) -> Bool {
        let before = count
        if echo > count &+ most || count > 0 && echo < count &+ least {
            count = echo > most ? min(echo &- lead, capacity / 51 &* 50) : 0
        }
        return count != before
    }

    /// Writes the delayed far end to `output`.
    @_noLocks
    mutating func process(_ frame: borrowing VoiceFrame, to output: borrowing VoiceFrame) {
        for index in 0..<frame.count {
            samples[position] = frame.samples[index]
            let place = position &- count
            output.samples[index] = samples[place < 0 ? place &+ capacity : place]
            position = position &+ 1 == capacity ? 0 : position &+ 1
        }
    }

    /// Forgets the sound and the delay.
    @_noLocks
    mutating func reset() {
        for index in 0..<capacity { samples[index] = 0 }
        (position, count) = (0, 0)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The slow oscillator that moves pitch, filter and pulse width of all voices. Render thread.

import DSP
import PluginSDK

/// A slow wave; its phase counts in whole numbers, so that it does not depend on the division into blocks.
struct LowFrequencyOscillator: BitwiseCopyable {
    /// The wave: 0 for a sine, 1 for a triangle, 2 for a square.
    var wave = 0
    private var (phase, increment): (UInt32, UInt32) = (0, 0)

    /// Sets the rate in cycles a frame.
    @_noLocks mutating func setRate(_ rate: Float) { increment = UInt32(max(0, min(rate, 0.5)) * 4_294_967_296) }

    @_noLocks mutating func restart() { phase = 0 }

    @_noLocks mutating func advance(by frameCount: Int) { phase &+= increment &* UInt32(truncatingIfNeeded: frameCount) }

    /// The value `frameCount` frames after the next one, −1 to 1.
    @_noLocks func value(after frameCount: Int) -> Float {
        let later = phase &+ increment &* UInt32(truncatingIfNeeded: frameCount)
        let turn = Float(later >> 8) * 0x1p-24
        switch wave {
        case 0: return Turn.sine(turn)
        case 1: return turn < 0.25 ? 4 * turn : turn < 0.75 ? 2 - 4 * turn : 4 * turn - 4
        default: return turn < 0.5 ? 1 : -1
        }
    }
}

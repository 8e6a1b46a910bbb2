// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Takes treble from a source behind an obstacle. Render thread.

import Realtime

/// A low pass of one pole, whose cutoff glides.
struct PointLowPass {
    /// The share of the new sample; 1 where the filter is off.
    private var share = SmoothedValue(1)
    private var last: Float = 0
    private var cutoffHertz = Float.infinity
    private var sampleRate = 0.0

    /// Sets the target for a cycle; at half the sample rate and above the filter is off.
    @_noLocks
    mutating func aim(at cutoff: Float, sampleRate rate: Double, over glideFrameCount: Int) {
        guard cutoff != cutoffHertz || rate != sampleRate else { return }
        (cutoffHertz, sampleRate) = (cutoff, rate)
        let isOff = !(Double(cutoff) < rate / 2)
        share.aim(at: isOff ? 1 : 1 - Maths.exp(-2 * Float.pi * cutoff / Float(rate)), over: glideFrameCount)
    }

    /// True if its tail would be heard in silence.
    var isRinging: Bool {
        @_noLocks get { last != 0 }
    }

    @_noLocks
    mutating func forget() { last = 0 }

    /// Moves the cutoff on without filtering.
    @_noLocks
    mutating func advance(by frameCount: Int) { _ = share.advance(by: frameCount) }

    /// Filters samples in place.
    @_noLocks
    mutating func filter(_ samples: UnsafeMutablePointer<Float>, _ frameCount: Int) {
        if share.isMoving || share.current != 1 {
            for frame in 0..<frameCount { samples[frame] = filtered(samples[frame]) }
        } else if frameCount > 0 {
            last = samples[frameCount &- 1]
        }
    }

    @_noLocks
    private mutating func filtered(_ sample: Float) -> Float {
        let share = share.next()
        guard share != 1 else {
            last = sample
            return sample
        }
        last += share * (sample - last)
        // At −240 dB the tail ends.
        if abs(last) < 1e-12 { last = 0 }
        return last
    }
}

extension SmoothedValue {
    /// Glides to another target, if it has changed.
    @_noLocks
    mutating func aim(at target: Float, over frameCount: Int) {
        if target != self.target { ramp(to: target, over: frameCount) }
    }
}

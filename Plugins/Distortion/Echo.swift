// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One channel of the echo before the curve. Built on the control thread, run on the render thread.

import PluginSDK

/// A delay of whole frames, with feedback.
struct Echo: ~Copyable {
    /// The longest delay in seconds.
    static var longest: Double { @_noLocks get { 0.5 } }

    private let samples: UnsafeMutablePointer<Float>
    private let mask: Int
    private var position = 0
    /// The frames written since the last `forget`, at most the ring's length minus one.
    private var age = 0

    /// `[control]` Allocates silence.
    init(sampleRate: Double) {
        var capacity = 64
        while capacity < Int(Self.longest * sampleRate) + 2 { capacity *= 2 }
        mask = capacity - 1
        samples = .allocate(capacity: capacity)
        samples.initialize(repeating: 0, count: capacity)
    }

    deinit { samples.deallocate() }

    /// Mixes the echo into the frames.
    ///
    /// A frame with an echo share of zero also forgets the past. So the sound does not depend on the size of blocks.
    @_noLocks mutating func run(
        _ sound: UnsafeMutablePointer<Float>, _ controls: borrowing ControlRows, _ frameCount: Int
    ) {
        for frame in 0..<frameCount {
            let mix = controls[.echoMix][frame]
            if mix == 0 {
                forget()
                continue
            }
            let fade = controls[.echoFade][frame]
            var past = past(controls[.echoDelay][frame])
            if fade > 0 { past += (self.past(controls[.echoDelayBefore][frame]) - past) * fade }
            let input = sound[frame]
            let kept = input + past * controls[.echoFeedback][frame]
            samples[position] = abs(kept) > 1e-20 ? kept : 0
            position = (position + 1) & mask
            age = min(age + 1, mask)
            sound[frame] = input + (past - input) * mix
        }
    }

    /// The sample from `delay` frames ago; silence before the last `forget`.
    @inline(__always) @_noLocks private func past(_ delay: Float) -> Float {
        let frames = Int(delay)
        return frames <= age ? samples[(position - frames) & mask] : 0
    }

    /// Forgets everything at once: `past` checks the age.
    @_noLocks mutating func forget() { age = 0 }
}

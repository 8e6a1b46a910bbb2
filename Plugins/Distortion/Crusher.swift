// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One channel of the lo-fi stage: few bits and few samples. Render thread.

import PluginSDK

/// Holds samples at a lower rate and rounds them to fewer levels.
///
/// It produces aliasing and noise on purpose.
struct Crusher {
    private var held: Float = 0
    private var turns: Float = 1

    /// Crushes the frames in place.
    @_noLocks mutating func run(
        _ samples: UnsafeMutablePointer<Float>, _ controls: borrowing ControlRows, _ frameCount: Int
    ) {
        for frame in 0..<frameCount {
            turns += controls[.crushStep][frame]
            if turns >= 1 {
                turns -= Maths.floor(turns)
                let levels = controls[.crushLevels][frame]
                held = Maths.floor(samples[frame] * levels + 0.5) / levels
            }
            samples[frame] += (held - samples[frame]) * controls[.crushMix][frame]
        }
    }

    @_noLocks mutating func reset() { self = Crusher() }

    @_noLocks init() {}
}

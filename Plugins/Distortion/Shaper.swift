// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The work at the shaping rate: the curve, cross-faded when it changes, and the ring modulator. Render thread.

import PluginSDK

/// The choices of the curve parameter, in its order.
enum Curve: Int {
    case soft, hard, fold, rectifier, clean, squared, cubed
}

/// The stage between upsampling and downsampling.
///
/// It keeps no samples: the past that it needs is in the buffer.
struct Shaper: ~Copyable {
    /// The controls of the next frames.
    let controls: ControlRows
    private(set) var curve = Curve.soft
    /// The next curve; it is used after the running cross-fade.
    private(set) var wanted = Curve.soft
    private var before = Curve.soft
    private var fadeFramesLeft = 0
    private let fadeFrameCount: Int

    init(fadeFrameCount: Int) {
        controls = ControlRows()
        self.fadeFrameCount = max(1, fadeFrameCount)
    }

    /// Requests a curve by its number; an unknown number means soft.
    @_noLocks mutating func select(_ index: Int) { wanted = Curve(rawValue: index) ?? .soft }

    /// Jumps to the requested curve.
    @_noLocks mutating func reset() {
        curve = wanted
        fadeFramesLeft = 0
    }

    /// Advances the cross-fade, or starts one.
    @_noLocks mutating func prepare(frameCount: Int) {
        if fadeFramesLeft == 0 && wanted != curve {
            before = curve
            curve = wanted
            fadeFramesLeft = fadeFrameCount
        }
        for frame in 0..<frameCount {
            controls[.fade][frame] = Float(fadeFramesLeft) / Float(fadeFrameCount)
            fadeFramesLeft = max(0, fadeFramesLeft - 1)
        }
    }

    @_noLocks func run(from: borrowing PolyphaseBuffer, to: borrowing PolyphaseBuffer, frameCount: Int) {
        apply(curve, from: from, to: to, frameCount: frameCount, isFadingOut: false)
        if controls[.fade][0] > 0 {
            apply(before, from: from, to: to, frameCount: frameCount, isFadingOut: true)
        }
        if controls.isOn(.ringMix, frameCount: frameCount) { ring(to, frameCount: frameCount) }
    }

    /// Multiplies by a sine.
    ///
    /// It does so at the shaping rate, so that the upper side band is filtered away if it passes half the sample rate.
    @_noLocks private func ring(_ signal: borrowing PolyphaseBuffer, frameCount: Int) {
        for frame in stride(from: 0, to: frameCount, by: 16) {
            let mix = controls.load(.ringMix, frame)
            let step = controls.load(.ringStep, frame) * (1 / Float(signal.phaseCount))
            var turns = controls.load(.ringTurns, frame)
            for phase in 0..<signal.phaseCount {
                let factor = 1 + mix * (VectorMaths.sine(turns: turns) - 1)
                signal.store(signal.load(phase: phase, frame: frame) * factor, phase: phase, frame: frame)
                turns += step
            }
        }
    }
}

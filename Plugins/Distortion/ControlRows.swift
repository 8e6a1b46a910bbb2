// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The controls of the next frames, one value a frame, shared by all channels. Render thread.

import PluginSDK

/// A control that has a value for each frame.
enum Control: Int {
    /// The square root of the drive's factor, and the offset before the curve.
    case rootDrive, bias
    /// The remaining share of the previous curve, from 1 to 0.
    case fade
    /// The ring modulator's share, the sine's turns at the frame, and its turns a frame.
    case ringMix, ringTurns, ringStep
    /// The crusher's share, its levels from 0 to 1, and its samples a frame.
    case crushMix, crushLevels, crushStep
    /// The share of the whole effect, and the output factor.
    case mix, outputGain
    /// The input factor, and the echo's share, feedback, delay in frames, and former delay during a fade.
    case preGain, echoMix, echoFeedback, echoDelay, echoDelayBefore, echoFade

    static let count = 17
}

/// One row of frames for each control.
struct ControlRows: ~Copyable {
    private let rows = PolyphaseBuffer(phaseCount: Control.count, historyCount: 0)

    subscript(control: Control) -> UnsafeMutablePointer<Float> {
        @_noLocks get { rows[control.rawValue] }
    }

    @_noLocks func load(_ control: Control, _ frame: Int) -> Vector { rows.load(phase: control.rawValue, frame: frame) }

    /// Writes `frameCount` frames of a smoothed value, and advances it.
    @_noLocks func fill(_ control: Control, _ value: inout SmoothedValue, _ frameCount: Int) {
        if !value.isMoving { return fill(control, with: value.current) }
        let row = self[control]
        for frame in 0..<frameCount { row[frame] = value.next() }
    }

    /// Writes one value into all frames of a row.
    @_noLocks func fill(_ control: Control, with value: Float) {
        for frame in stride(from: 0, to: PolyphaseBuffer.frameCapacity, by: 16) {
            rows.store(Vector(repeating: value), phase: control.rawValue, frame: frame)
        }
    }

    /// True if a share is above zero at the first or the last frame.
    @_noLocks func isOn(_ control: Control, frameCount: Int) -> Bool {
        self[control][0] > 0 || self[control][frameCount - 1] > 0
    }
}

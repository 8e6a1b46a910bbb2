// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The controls of the coming frames, one value a frame, shared by all channels. Render thread.

import PluginSDK

/// A control that has a value for each frame.
enum Control: Int {
    /// The square root of the drive's factor, and the offset before the curve.
    case rootDrive, bias
    /// How much of the curve before is still heard: 1…0.
    case fade
    /// Share, turns at the frame and turns a frame of the ring modulator's sine.
    case ringMix, ringTurns, ringStep
    /// Share, levels from 0 to 1 and samples held a frame of the crusher.
    case crushMix, crushLevels, crushStep
    /// Share of the whole effect, and the factor at its end.
    case mix, outputGain

    static let count = 11
}

/// One row of frames for each control.
struct ControlRows: ~Copyable {
    private let rows = PolyphaseBuffer(phaseCount: Control.count, historyCount: 0)

    subscript(control: Control) -> UnsafeMutablePointer<Float> {
        @_noLocks get { rows[control.rawValue] }
    }

    @_noLocks func load(_ control: Control, _ frame: Int) -> Vector { rows.load(phase: control.rawValue, frame: frame) }

    /// Goes on with a smoothed value for `frameCount` frames.
    @_noLocks func fill(_ control: Control, _ value: inout SmoothedValue, _ frameCount: Int) {
        let row = self[control]
        for frame in 0..<frameCount { row[frame] = value.next() }
    }

    /// Whether a share is above zero at either end.
    @_noLocks func isOn(_ control: Control, frameCount: Int) -> Bool {
        self[control][0] > 0 || self[control][frameCount - 1] > 0
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The echo's delay, cross-faded when it changes. Render thread.

import PluginSDK

/// The delay in whole frames, and the former one during a cross-fade.
struct EchoTime {
    private var frames: Float = 1
    private var before: Float = 1
    private var fadeFramesLeft = 0
    private let fadeFrameCount: Int
    /// The next delay; it is used after the running cross-fade.
    private(set) var wanted: Float = 1

    init(fadeFrameCount: Int) { self.fadeFrameCount = max(1, fadeFrameCount) }

    /// Requests the delay nearest to a time in frames, at least one.
    @_noLocks mutating func set(_ frames: Float) { wanted = max(1, Maths.floor(frames + 0.5)) }

    /// Jumps to the requested delay.
    @_noLocks mutating func jump() {
        frames = wanted
        fadeFramesLeft = 0
    }

    /// Writes the delays of the next frames, and the share of the former one.
    @_noLocks mutating func fill(_ rows: borrowing ControlRows, _ frameCount: Int) {
        for frame in 0..<frameCount {
            if fadeFramesLeft == 0 && wanted != frames {
                before = frames
                frames = wanted
                fadeFramesLeft = fadeFrameCount
            }
            rows[.echoDelay][frame] = frames
            rows[.echoDelayBefore][frame] = before
            rows[.echoFade][frame] = Float(fadeFramesLeft) / Float(fadeFrameCount)
            fadeFramesLeft = max(0, fadeFramesLeft - 1)
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The movement of the delay time: it glides like a tape, or fades to a second read head. Render thread.

import PluginSDK

/// A position in the past that moves in a straight line.
struct ReadHead {
    /// The frames back from the present one.
    private(set) var delay: Double
    private var target: Double
    private var step = 0.0
    private var framesRemaining = 0

    @_noLocks init(delay: Double) {
        self.delay = delay
        target = delay
    }

    var isMoving: Bool { @_noLocks get { framesRemaining > 0 } }

    @_noLocks mutating func glide(to target: Double, over frameCount: Int) {
        self.target = target
        framesRemaining = max(1, frameCount)
        step = (target - delay) / Double(framesRemaining)
    }

    @_noLocks mutating func advance() {
        guard framesRemaining > 0 else { return }
        framesRemaining -= 1
        delay = framesRemaining == 0 ? target : delay + step
    }
}

/// One read head, or two during a fade from one to the other.
///
/// A ramp of the host glides and bends the pitch, and so does a small change. A large change would chirp, so it fades.
struct DelayTime {
    private(set) var head = ReadHead(delay: 1)
    private(set) var incoming = ReadHead(delay: 1)
    private(set) var wanted = 1.0
    private var isPending = false
    private var fadeFramesRemaining = 0
    private let fadeFrameCount: Int
    private let glideFrameCount: Int

    init(sampleRate: Double) {
        fadeFrameCount = max(1, Int(sampleRate * 0.03))
        glideFrameCount = max(1, Int(sampleRate * 0.05))
    }

    var isFading: Bool { @_noLocks get { fadeFramesRemaining > 0 } }

    /// The incoming head's share, on a smooth curve from 0 to 1.
    var incomingShare: Float {
        @_noLocks get {
            let line = 1 - Float(fadeFramesRemaining) / Float(fadeFrameCount)
            return line * line * (3 - 2 * line)
        }
    }

    /// Sets the new delay, in frames.
    ///
    /// With `rampFrameCount` 0 this type chooses between a glide and a fade. A ramp of more than four frames a frame counts as
    /// a jump.
    @_noLocks mutating func set(_ delay: Double, rampFrameCount: Int) {
        wanted = delay
        let present = isFading ? incoming.delay : head.delay
        isPending = abs(delay - present) > 4 * Double(rampFrameCount)
        if isPending { return }
        if isFading {
            incoming.glide(to: delay, over: rampFrameCount)
        } else {
            head.glide(to: delay, over: rampFrameCount)
        }
    }

    @_noLocks mutating func jump() {
        head = ReadHead(delay: wanted)
        isPending = false
        fadeFramesRemaining = 0
    }

    /// Starts a glide or a fade at the next frame, if one is requested and no fade runs.
    @_noLocks mutating func prepare() {
        if isPending, !isFading { begin() }
    }

    /// Advances by one frame, after that has been rendered.
    @_noLocks mutating func advance() {
        head.advance()
        guard isFading else { return }
        incoming.advance()
        fadeFramesRemaining -= 1
        if fadeFramesRemaining == 0 { head = incoming }
    }

    /// Glides by at most a tenth of a frame each frame; a larger change fades.
    @_noLocks private mutating func begin() {
        isPending = false
        if abs(wanted - head.delay) * 10 <= Double(glideFrameCount) {
            head.glide(to: wanted, over: glideFrameCount)
        } else {
            incoming = ReadHead(delay: wanted)
            fadeFramesRemaining = fadeFrameCount
        }
    }
}

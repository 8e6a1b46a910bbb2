// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An oscillator whose waves hold nothing above half the sample rate. Render thread.

import Realtime

/// A sine, triangle, saw or pulse of any gliding pitch, with hardly any aliasing.
///
/// Aliases of a saw or a pulse lie at least 70 dB below the fundamental; see `StepTable`. The corrections reach 16 frames ahead
/// of a step, so the wave runs 16 frames ahead of the output.
@frozen
public struct BandLimitedOscillator: ~Copyable {
    /// The shape of a wave.
    @frozen public enum Wave: Sendable { case sine, triangle, saw, pulse }

    /// The most frames of one call of `render`.
    @inlinable public static var mostFrames: Int { @_noLocks get { 16 } }
    @usableFromInline static var capacity: Int { @_noLocks get { 48 } }

    @usableFromInline let table: StepTable
    /// The next frames to return, the frames that the wave has reached, and corrections for the 16 frames after them.
    @usableFromInline let frames: UnsafeMutablePointer<Float>
    @usableFromInline var shownCount = 0
    @usableFromInline var wave = Wave.saw
    @usableFromInline var phase = 0.0
    /// The frequency in cycles a frame.
    @usableFromInline var increment = 0.01
    @usableFromInline var incrementStep = 0.0
    @usableFromInline var width: Float = 0.5
    @usableFromInline var widthStep: Float = 0
    @usableFromInline var isHigh = false

    /// `[control]` Makes an oscillator; call `start` before `render`.
    public init() {
        table = .shared
        frames = .allocate(capacity: Self.capacity)
        frames.initialize(repeating: 0, count: Self.capacity)
    }

    deinit { frames.deallocate() }

    /// `[render]` Starts a wave.
    ///
    /// - Parameters:
    ///   - wave: the shape.
    ///   - phase: the position in its cycle at which the wave starts, 0 to 1.
    ///   - increment: the frequency in cycles a frame, at most 0.45.
    ///   - width: the part of a cycle for which a pulse is high.
    @inlinable @_noLocks
    public mutating func start(_ wave: Wave, phase: Double, increment: Double, width: Float) {
        self.wave = wave
        self.phase = phase - Maths.floor(phase)
        self.increment = Self.bounded(increment)
        self.width = width
        (incrementStep, widthStep) = (0, 0)
        if case .triangle = wave { isHigh = self.phase < 0.5 } else { isHigh = Float(self.phase) < width }
        for index in 0..<Self.capacity { frames[index] = 0 }
        shownCount = 0
        // The wave runs ahead of its output, and its first frames lack the corrections of earlier steps.
        for _ in 0..<2 { _ = render(Self.mostFrames) }
    }

    @inlinable @inline(__always) @_noLocks
    static func bounded(_ increment: Double) -> Double { max(1e-6, min(increment, 0.45)) }

    /// `[render]` Glides frequency and width in a straight line over `frameCount` frames, at least 1.
    ///
    /// Call it again after that number of frames, because the line does not stop by itself.
    @inlinable @_noLocks
    public mutating func glide(to increment: Double, width: Float, over frameCount: Int) {
        incrementStep = (Self.bounded(increment) - self.increment) / Double(frameCount)
        widthStep = (width - self.width) / Float(frameCount)
    }

    /// `[render]` Renders up to 16 frames, and returns them; they are valid until the next call.
    @inlinable @_noLocks
    public mutating func render(_ count: Int) -> UnsafePointer<Float> {
        for index in 0..<Self.capacity - shownCount { frames[index] = frames[index + shownCount] }
        for index in Self.capacity - shownCount..<Self.capacity { frames[index] = 0 }
        shownCount = count
        switch wave {
        case .sine: for frame in 0..<count { addSine(frame) }
        case .triangle: for frame in 0..<count { addTriangle(frame) }
        case .saw: for frame in 0..<count { addSaw(frame) }
        case .pulse: for frame in 0..<count { addPulse(frame) }
        }
        return UnsafePointer(frames)
    }

    /// Moves on by a frame; if a cycle has just begun, returns how many frames ago, otherwise −1.
    @inlinable @inline(__always) @_noLocks
    mutating func advance() -> Float {
        increment += incrementStep
        phase += increment
        guard phase >= 1 else { return -1 }
        phase -= 1
        return Float(phase / increment)
    }

    @inlinable @inline(__always) @_noLocks
    mutating func addSine(_ frame: Int) {
        _ = advance()
        frames[frame + StepTable.reach] += Turn.sine(Float(phase))
    }

    @inlinable @inline(__always) @_noLocks
    mutating func addSaw(_ frame: Int) {
        let delay = advance()
        if delay >= 0 { table.addStep(-2, delay: delay, to: frames + frame) }
        frames[frame + StepTable.reach] += 2 * Float(phase) - 1
    }

    @inlinable @inline(__always) @_noLocks
    mutating func addTriangle(_ frame: Int) {
        let delay = advance()
        if delay >= 0 {
            isHigh = true
            table.addCorner(8 * Float(increment), delay: delay, to: frames + frame)
        }
        if isHigh, phase >= 0.5 {
            isHigh = false
            table.addCorner(-8 * Float(increment), delay: Float((phase - 0.5) / increment), to: frames + frame)
        }
        frames[frame + StepTable.reach] += Float(phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase)
    }

    /// The mean is subtracted, so that a change of width does not change the offset.
    @inlinable @inline(__always) @_noLocks
    mutating func addPulse(_ frame: Int) {
        width += widthStep
        let isFalling = isHigh && Float(phase + increment + incrementStep) >= width
        if isFalling { fall(after: Float(phase + increment + incrementStep), frame) }
        let delay = advance()
        if delay >= 0 {
            if !isHigh { table.addStep(2, delay: delay, to: frames + frame) }
            isHigh = true
            if Float(phase) >= width { fall(after: Float(phase), frame) }
        }
        frames[frame + StepTable.reach] += (isHigh ? 2 : 0) - 2 * width
    }

    @inlinable @inline(__always) @_noLocks
    mutating func fall(after phase: Float, _ frame: Int) {
        isHigh = false
        table.addStep(-2, delay: (phase - width) / Float(increment), to: frames + frame)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A value that moves along a curve, exact at each frame. Render thread.

/// A value that holds, or is on its way to another one.
///
/// `[render]` throughout. The value at a frame follows from the frame alone, so blocks of any length have the same bits.
struct Ramp {
    private var from: Double
    private var to: Double
    private var start: Int64 = 0
    private var frameCount: Int64 = 0
    private var curve = FadeCurve.linear

    @_noLocks init(_ value: Double) { (from, to) = (value, value) }

    /// Leaves for another value at a frame, and arrives after so many.
    @_noLocks
    mutating func go(to goal: Double, at frame: Int64, over frameCount: Int64, _ curve: FadeCurve = .linear) {
        (from, to, start, self.frameCount, self.curve) = (value(at: frame), goal, frame, max(0, frameCount), curve)
        if self.frameCount == 0 { from = goal }
    }

    /// True if the value differs between frames from one on.
    @_noLocks
    func isMoving(from frame: Int64) -> Bool { from != to && frame < start &+ frameCount }

    @_noLocks
    func value(at frame: Int64) -> Double {
        guard from != to, frame < start &+ frameCount else { return to }
        guard frame > start else { return from }
        return from + (to - from) * curve.share(at: Double(frame &- start) / Double(frameCount))
    }
}

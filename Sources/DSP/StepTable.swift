// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The table that makes a step or a corner of a wave band-limited. Made on any thread, read on the render thread.

import Realtime

/// The difference between a band-limited step and a sharp one, at the 32 frames around it, and the same for a corner.
///
/// A wave that jumps has frequencies above half the sample rate, which fold down. The table holds corrections for the 16 frames
/// before the jump and the 16 after it, which remove those frequencies.
///
/// The pulse is a sinc function in a Kaiser window. It attenuates by 75 dB from half the sample rate on, and loses nothing
/// below 0.35 of the sample rate.
///
/// Sources: E. Brandt, "Hard Sync Without Aliasing" (2001), here with a symmetric pulse; V. Välimäki and A. Huovilainen,
/// "Antialiasing Oscillators in Subtractive Synthesis" (2007).
public struct StepTable: @unchecked Sendable {
    // SAFETY: the memory is written before the value exists, and never after; it is never freed.
    /// The frames on each side of a step that its correction covers.
    @inlinable public static var reach: Int { @_noLocks get { 16 } }
    /// The table that all oscillators share.
    public static let shared = StepTable()

    @usableFromInline static var tapCount: Int { @_noLocks get { 32 } }
    /// The number of step positions between two frames; the table is interpolated between them.
    @usableFromInline static var phaseCount: Int { @_noLocks get { 64 } }

    @usableFromInline let steps: UnsafePointer<Float>
    @usableFromInline let corners: UnsafePointer<Float>

    private init() {
        let count = Self.tapCount * (Self.phaseCount + 1)
        let (steps, corners) = (
            UnsafeMutablePointer<Float>.allocate(capacity: count), UnsafeMutablePointer<Float>.allocate(capacity: count)
        )
        let pulse = StepPulse(reach: Self.reach, resolution: Self.phaseCount)
        for phase in 0...Self.phaseCount {
            for tap in 0..<Self.tapCount {
                let index = phase * Self.tapCount + tap
                let isAfter = tap >= Self.reach
                steps[index] = pulse.step(at: tap * Self.phaseCount + phase, isAfter: isAfter)
                corners[index] = pulse.corner(at: tap * Self.phaseCount + phase)
            }
        }
        (self.steps, self.corners) = (UnsafePointer(steps), UnsafePointer(corners))
    }

    /// `[render]` Adds the correction for a step of `height`, `delay` frames ago; `frames` begins 16 frames before now.
    @inlinable @inline(__always) @_noLocks
    func addStep(_ height: Float, delay: Float, to frames: UnsafeMutablePointer<Float>) {
        Self.add(steps, height, delay, frames)
    }

    /// `[render]` Adds the correction for a corner, at which the slope grows by `slope` a frame.
    @inlinable @inline(__always) @_noLocks
    func addCorner(_ slope: Float, delay: Float, to frames: UnsafeMutablePointer<Float>) {
        Self.add(corners, slope, delay, frames)
    }

    @inlinable @inline(__always) @_noLocks
    static func add(_ table: UnsafePointer<Float>, _ factor: Float, _ delay: Float, _ frames: UnsafeMutablePointer<Float>) {
        let position = max(0, min(delay, 1)) * Float(phaseCount)
        let phase = min(Int(position), phaseCount - 1)
        let part = position - Float(phase)
        let (near, far) = (table + phase * tapCount, table + (phase + 1) * tapCount)
        for tap in 0..<tapCount { frames[tap] += factor * (near[tap] + part * (far[tap] - near[tap])) }
    }
}

/// A pulse without high frequencies, and its first two sums.
private struct StepPulse {
    private var sums: [Double] = [0]
    private var cornerSums: [Double] = [0]
    /// The frequency at which half of the amplitude remains, in cycles a frame.
    private static let cutoff = 0.427
    private static let windowShape = 7.3
    private static let substeps = 8

    init(reach: Int, resolution: Int) {
        let count = 2 * reach * resolution
        let width = 1 / Double(resolution * Self.substeps)
        for index in 0..<count {
            var sum = 0.0
            for substep in 0..<Self.substeps {
                let time = (Double(index * Self.substeps + substep) + 0.5) * width - Double(reach)
                sum += Self.pulse(time, reach: Double(reach)) * width
            }
            sums.append(sums[index] + sum)
        }
        let whole = sums[count]
        for index in sums.indices { sums[index] /= whole }
        for index in 0..<count {
            let sharp = index >= count / 2 ? 1.0 : 0
            cornerSums.append(cornerSums[index] + ((sums[index] + sums[index + 1]) / 2 - sharp) / Double(resolution))
        }
    }

    func step(at index: Int, isAfter: Bool) -> Float { Float(sums[index] - (isAfter ? 1 : 0)) }

    func corner(at index: Int) -> Float { Float(cornerSums[index]) }

    private static func pulse(_ time: Double, reach: Double) -> Double {
        let angle = 2 * Double.pi * cutoff * time
        let sinc = abs(angle) < 1e-9 ? 1 : Maths.sin(angle) / angle
        let place = time / reach
        return sinc * bessel(windowShape * Maths.sqrt(max(0, 1 - place * place))) / bessel(windowShape)
    }

    /// The modified Bessel function of order 0, by its series.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for index in 1...30 {
            term *= (x / 2 / Double(index)) * (x / 2 / Double(index))
            sum += term
        }
        return sum
    }
}

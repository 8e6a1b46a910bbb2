// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The curves, each as its mean between two neighbouring samples, which reduces aliasing. Render thread.

/// A curve without memory, in the form that first-order antiderivative anti-aliasing needs.
///
/// Between two samples the signal counts as a straight line. The output is the curve's mean over that line: (F(a) − F(b)) / (a
/// − b), where F is an antiderivative of the curve. Every curve states the quotient in a form that stays precise if a and b are
/// close.
///
/// Source: J. Parker, V. Zavalishin, E. Le Bivic, *Reducing the aliasing of nonlinear waveshaping using continuous-time
/// convolution*, DAFx-16.
protocol Waveshaper {
    /// The values that are computed once for each sample, and used in two means.
    associatedtype Point
    @_noLocks func point(_ x: Vector) -> Point
    @_noLocks func mean(_ a: Point, _ b: Point) -> Vector
    /// The factor before the curve, given the square root of the drive.
    @_noLocks func gain(root: Vector) -> Vector
}

/// The identity; the drive has no effect.
struct CleanCurve: Waveshaper {
    @_noLocks init() {}
    @inline(__always) @_noLocks func gain(root: Vector) -> Vector { Vector(repeating: 1) }
    @inline(__always) @_noLocks func point(_ x: Vector) -> Vector { x }
    @inline(__always) @_noLocks func mean(_ a: Vector, _ b: Vector) -> Vector { (a + b) * 0.5 }
}

/// tanh x, with the antiderivative log cosh x = |x| + log(1 + e^−2|x|) − log 2.
struct SoftCurve: Waveshaper {
    @_noLocks init() {}
    @inline(__always) @_noLocks func gain(root: Vector) -> Vector { root * root }
    struct Point {
        let x: Vector
        let magnitude: Vector
        let tanh: Vector
        /// log(1 + e^−2|x|), the part of log cosh x beside |x|.
        let remainder: Vector
    }

    @inline(__always) @_noLocks func point(_ x: Vector) -> Point {
        let size = VectorMaths.magnitude(x)
        let exponent = size * -2.885_390_1
        let decay = VectorMaths.exp2(exponent.replacing(with: -126, where: exponent .< -126))
        let tanh = VectorMaths.copySign((1 - decay) / (1 + decay), x)
        return Point(x: x, magnitude: size, tanh: tanh, remainder: VectorMaths.log1p(decay))
    }

    @inline(__always) @_noLocks func mean(_ a: Point, _ b: Point) -> Vector {
        let step = a.x - b.x
        let quotient = ((a.magnitude - b.magnitude) + (a.remainder - b.remainder)) / step
        return quotient.replacing(with: (a.tanh + b.tanh) * 0.5, where: VectorMaths.magnitude(step) .< 0.01)
    }
}

/// x clamped to ±1.
struct HardCurve: Waveshaper {
    @_noLocks init() {}
    @inline(__always) @_noLocks func gain(root: Vector) -> Vector { root * root }
    struct Point {
        let x: Vector
        let clipped: Vector
    }

    @inline(__always) @_noLocks func point(_ x: Vector) -> Point { Point(x: x, clipped: VectorMaths.clip(x)) }

    @inline(__always) @_noLocks func mean(_ a: Point, _ b: Point) -> Vector {
        let step = a.x - b.x
        let inside = ((a.clipped - b.clipped) / step).replacing(with: 0, where: VectorMaths.magnitude(step) .< 1e-6)
        return a.clipped + inside * (b.x - (a.clipped + b.clipped) * 0.5)
    }

    /// The share of the line that lies within ±1; 1 for a line too short to tell.
    @inline(__always) @_noLocks static func inside(_ a: Point, _ b: Point) -> Vector {
        let step = a.x - b.x
        return ((a.clipped - b.clipped) / step).replacing(with: 1, where: VectorMaths.magnitude(step) .< 1e-6)
    }
}

/// |x| clamped below 1: everything an octave up.
///
/// More than 12 dB of drive would leave little but a constant.
struct RectifierCurve: Waveshaper {
    @_noLocks init() {}
    @inline(__always) @_noLocks func gain(root: Vector) -> Vector { 1 + (root - 1) * 0.2 }
    @inline(__always) @_noLocks func point(_ x: Vector) -> Vector { x }

    @inline(__always) @_noLocks func mean(_ a: Vector, _ b: Vector) -> Vector {
        let highA = HardCurve().point(VectorMaths.magnitude(a))
        let highB = HardCurve().point(VectorMaths.magnitude(b))
        let area = integral(highA) + integral(highB)
        let across = area / (highA.x + highB.x)
        return HardCurve().mean(highA, highB).replacing(with: across, where: a * b .< 0)
    }

    /// The area below the clipped line from 0 to x.
    @inline(__always) @_noLocks private func integral(_ point: HardCurve.Point) -> Vector {
        point.clipped * (point.x - 0.5 * point.clipped)
    }
}

/// sin(πx/2): values beyond ±1 are folded back, again and again.
///
/// It uses half the decibels of the drive.
struct FoldCurve: Waveshaper {
    @_noLocks init() {}
    @inline(__always) @_noLocks func gain(root: Vector) -> Vector { root }
    @inline(__always) @_noLocks func point(_ x: Vector) -> Vector { x }

    @inline(__always) @_noLocks func mean(_ a: Vector, _ b: Vector) -> Vector {
        let middle = VectorMaths.sine(turns: (a + b) * 0.125)
        let angle = (a - b) * (.pi / 4)
        let spread = VectorMaths.sine(turns: (a - b) * 0.125) / angle
        return middle * spread.replacing(with: 1, where: VectorMaths.magnitude(angle) .< 1e-3)
    }
}

/// The square of x clamped to ±1: an octave up, softer than the rectifier, with the same drive.
struct SquaredCurve: Waveshaper {
    @_noLocks init() {}
    @inline(__always) @_noLocks func gain(root: Vector) -> Vector { 1 + (root - 1) * 0.2 }
    @inline(__always) @_noLocks func point(_ x: Vector) -> HardCurve.Point { HardCurve().point(x) }

    @inline(__always) @_noLocks func mean(_ a: HardCurve.Point, _ b: HardCurve.Point) -> Vector {
        let (p, q) = (a.clipped, b.clipped)
        return 1 - HardCurve.inside(a, b) * (1 - (p * (p + q) + q * q) * (1 / 3))
    }
}

/// The cube of x clamped to ±1: quiet sounds vanish.
///
/// It uses half the decibels of the drive.
struct CubedCurve: Waveshaper {
    @_noLocks init() {}
    @inline(__always) @_noLocks func gain(root: Vector) -> Vector { root }
    @inline(__always) @_noLocks func point(_ x: Vector) -> HardCurve.Point { HardCurve().point(x) }

    @inline(__always) @_noLocks func mean(_ a: HardCurve.Point, _ b: HardCurve.Point) -> Vector {
        let middle = (a.clipped + b.clipped) * 0.5
        let within = middle * (a.clipped * a.clipped + b.clipped * b.clipped) * 0.5
        return HardCurve().mean(a, b) + HardCurve.inside(a, b) * (within - middle)
    }
}

// Without optimization the compiler specializes a generic function only where it sees its whole body. So the function that runs
// the curves is in the same file as they are.
extension Shaper {
    /// Shapes one signal into another; `isFadingOut` mixes the old curve's share into the new curve's output.
    @_noLocks func apply(
        _ curve: Curve, from: borrowing PolyphaseBuffer, to: borrowing PolyphaseBuffer, frameCount: Int,
        isFadingOut: Bool
    ) {
        switch curve {
        case .soft: shape(SoftCurve(), from, to, frameCount, isFadingOut)
        case .hard: shape(HardCurve(), from, to, frameCount, isFadingOut)
        case .fold: shape(FoldCurve(), from, to, frameCount, isFadingOut)
        case .rectifier: shape(RectifierCurve(), from, to, frameCount, isFadingOut)
        case .clean: shape(CleanCurve(), from, to, frameCount, isFadingOut)
        case .squared: shape(SquaredCurve(), from, to, frameCount, isFadingOut)
        case .cubed: shape(CubedCurve(), from, to, frameCount, isFadingOut)
        }
    }

    /// Writes the curve's mean from sample to sample, minus its output for silence.
    ///
    /// The compiler checks its specializations for `@_noLocks` at the calls.
    private func shape<W: Waveshaper>(
        _ curve: W, _ from: borrowing PolyphaseBuffer, _ to: borrowing PolyphaseBuffer, _ frameCount: Int,
        _ isFadingOut: Bool
    ) {
        let isBiased = controls[.bias][0] != 0 || controls[.bias][frameCount - 1] != 0
        for frame in stride(from: 0, to: frameCount, by: 16) {
            let gain = curve.gain(root: controls.load(.rootDrive, frame))
            let bias = controls.load(.bias, frame)
            let rest = isBiased ? curve.mean(curve.point(bias), curve.point(bias)) : Vector(repeating: 0)
            let fade = controls.load(.fade, frame)
            var last = curve.point(from.load(phase: from.phaseCount - 1, frame: frame - 1) * gain + bias)
            for phase in 0..<from.phaseCount {
                let next = curve.point(from.load(phase: phase, frame: frame) * gain + bias)
                var mean = curve.mean(next, last) - rest
                if isFadingOut {
                    let other = to.load(phase: phase, frame: frame)
                    mean = other + (mean - other) * fade
                }
                to.store(mean, phase: phase, frame: frame)
                last = next
            }
        }
    }
}

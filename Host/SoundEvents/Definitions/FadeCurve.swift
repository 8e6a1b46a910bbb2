// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The shapes of fades, ranges and envelopes. Any thread.

import Realtime

/// The shape of a way from one value to another.
///
/// Each begins at 0 and ends at 1. An inverse curve is the other one turned around: 1 − f(1 − x); the inverse sigmoid is its inverse
/// function.
public enum FadeCurve: UInt8, Hashable, Sendable, CaseIterable {
    /// x.
    case linear
    /// x²: slow at first.
    case squared
    /// 1 − (1 − x)²: fast at first.
    case inverseSquared
    /// x³.
    case cubed
    /// 1 − (1 − x)³.
    case inverseCubed
    /// sin(πx/2): fast at first, of equal power with `inverseSine`.
    case sine
    /// 1 − cos(πx/2).
    case inverseSine
    /// 2x² up to the middle, and turned around behind it: slow at both ends.
    case sigmoid
    /// √(x/2) up to the middle, and turned around behind it: fast at both ends.
    case inverseSigmoid
    /// 0 up to the end.
    case holdStartValue
    /// 1 from the beginning on.
    case jumpToEndValue

    /// `[any]` The share of the way at a share of the time; both are clamped to 0...1, and NaN counts as 0.
    @_noLocks
    public func share(at time: Double) -> Double {
        guard time > 0 else {
            switch self {
            case .jumpToEndValue: return 1
            default: return 0
            }
        }
        guard time < 1 else { return 1 }
        let rest = 1 - time
        switch self {
        case .linear: return time
        case .squared: return time * time
        case .inverseSquared: return 1 - rest * rest
        case .cubed: return time * time * time
        case .inverseCubed: return 1 - rest * rest * rest
        case .sine: return Maths.sin(0.5 * Double.pi * time)
        case .inverseSine: return 1 - Maths.sin(0.5 * Double.pi * rest)
        case .sigmoid: return time < 0.5 ? 2 * time * time : 1 - 2 * rest * rest
        case .inverseSigmoid: return time < 0.5 ? Maths.sqrt(time / 2) : 1 - Maths.sqrt(rest / 2)
        case .holdStartValue: return 0
        case .jumpToEndValue: return 1
        }
    }
}

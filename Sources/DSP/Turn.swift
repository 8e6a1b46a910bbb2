// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sine of a fraction of a turn, without libm. Render thread.

import Realtime

/// Angles in whole turns.
public enum Turn {
    /// `[render]` The sine of a fraction of a turn, from 0 to 1; its error is below 1e-6.
    ///
    /// The method is a polynomial of degree 11 within a quarter of a turn.
    @inlinable @inline(__always) @_noLocks
    public static func sine(_ turn: Float) -> Float {
        // A sawtooth from −½ to ½, then folded at a quarter on each side.
        let centred = turn - 0.5
        let folded = centred > 0.25 ? 0.5 - centred : centred < -0.25 ? -0.5 - centred : centred
        let x = -6.283_185_3 * folded
        let square = x * x
        let inner = -1.984_127e-4 + square * (2.755_732e-6 - square * 2.505_211e-8)
        return x * (1 + square * (-0.166_666_67 + square * (8.333_333e-3 + square * inner)))
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Times that are calculated, as whole frames. Any thread.

extension Int {
    /// The number of frames nearest to a calculated one.
    ///
    /// NaN becomes 0, and everything beyond 2⁵³ frames counts as so many: both ways a sum of two still fits.
    @inlinable public init(nearestFrame frames: Double) {
        let whole = frames.rounded()
        self = whole.isNaN ? 0 : Int(Swift.min(Swift.max(whole, -0x1p53), 0x1p53))
    }
}

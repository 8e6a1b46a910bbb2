// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The rate that a program sets on a time effect, and the bypass that overrides it. Any thread.

import Rendering
import Synchronization

/// Holds the rate that a program has set, within a range.
final class PaceSetting: Sendable {
    private let range: ClosedRange<Float>
    private let state = Mutex<(rate: Float, isBypassed: Bool)>((1, false))

    init(range: ClosedRange<Float>) { self.range = range }

    var rate: Float { state.withLock { $0.rate } }
    var isBypassed: Bool { state.withLock { $0.isBypassed } }

    /// Sets the rate, clamped to the range; NaN changes nothing.
    func set(rate: Float, _ pace: TimePace) {
        guard !rate.isNaN else { return }
        state.withLock { state in
            state.rate = max(range.lowerBound, min(range.upperBound, rate))
            if !state.isBypassed { pace.setRate(state.rate) }
        }
    }

    func set(isBypassed: Bool, _ pace: TimePace) {
        state.withLock { state in
            state.isBypassed = isBypassed
            pace.setRate(isBypassed ? 1 : state.rate)
        }
    }
}

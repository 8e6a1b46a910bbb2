// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The taps of one read head, recomputed only when it moves. Render thread.

import PluginSDK

/// The weights of the frames around a position in the past.
struct HeadTaps: ~Copyable {
    let weights: UnsafeMutablePointer<Float>
    /// The delay for which the weights were computed.
    private var delay = -1.0

    init(count: Int) {
        weights = .allocate(capacity: count)
        weights.initialize(repeating: 0, count: count)
    }

    deinit { weights.deallocate() }

    /// Computes the weights for a delay in frames; returns the distance of the newest frame.
    @_noLocks mutating func place(at delay: Double, _ table: borrowing SincTable) -> Int {
        let whole = Int(delay)
        let above = delay > Double(whole) ? whole + 1 : whole
        if delay != self.delay {
            table.copyTaps(at: Double(above) - delay, to: weights)
            self.delay = delay
        }
        return above - table.halfWidth
    }
}

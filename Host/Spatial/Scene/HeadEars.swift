// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays a source to two ears of a spherical head. Render thread.

import Realtime

/// The shadows of both ears.
struct HeadEars {
    private let pole: Double
    private var left = HeadShadow()
    private var right = HeadShadow()

    init(pole: Double) { self.pole = pole }

    /// True if a tail would be heard in silence.
    var isRinging: Bool {
        @_noLocks get { left.isRinging || right.isRinging }
    }

    /// Forgets the samples before.
    @_noLocks
    mutating func forget() {
        left.forget()
        right.forget()
    }

    /// Ends tails.
    @_noLocks
    mutating func tidy() {
        left.tidy()
        right.tidy()
    }

    /// The next sample of an ear, from the delayed source.
    @inline(__always) @_noLocks
    mutating func filtered(_ side: Int, _ sample: Float, _ present: Float, _ former: Float) -> Float {
        side == 0
            ? left.filtered(sample, present: present, former: former, pole: pole)
            : right.filtered(sample, present: present, former: former, pole: pole)
    }
}

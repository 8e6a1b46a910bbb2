// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A group of sounds on the render thread: its gains and rates. Render thread.

/// The values of a group.
struct GroupCore {
    /// The places of the factors in `factors`: first those of the gain, then those of the rate.
    enum Factor: Int {
        case gain, fadeGain
        /// 0 while the group is muted, or another one plays solo.
        case audible
        case rate, fadeRate
    }

    static var gainCount: Int { @_noLocks get { 3 } }
    static var factorCount: Int { @_noLocks get { 5 } }

    let factors: UnsafeMutablePointer<Ramp>

    /// True if the gain differs between frames from one on.
    @_noLocks
    func isGainMoving(from frame: Int64) -> Bool {
        for index in 0..<Self.gainCount where factors[index].isMoving(from: frame) { return true }
        return false
    }

    @_noLocks
    func gain(at frame: Int64) -> Double {
        var gain = factors[0].value(at: frame)
        for index in 1..<Self.gainCount { gain *= factors[index].value(at: frame) }
        return gain
    }

    @_noLocks
    func isRateMoving(from frame: Int64) -> Bool {
        for index in Self.gainCount..<Self.factorCount where factors[index].isMoving(from: frame) { return true }
        return false
    }

    @_noLocks
    func rate(at frame: Int64) -> Double {
        var rate = factors[Self.gainCount].value(at: frame)
        for index in (Self.gainCount &+ 1)..<Self.factorCount { rate *= factors[index].value(at: frame) }
        return rate
    }
}

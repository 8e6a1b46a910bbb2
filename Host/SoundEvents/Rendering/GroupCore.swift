// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A group of sounds on the render thread: its gains and rates. Render thread.

/// The values of a group.
struct GroupCore {
    /// The places of the factors in `factors`: first those of the gain, then those of the rate.
    enum Factor: Int {
        case gain, fadeGain, presetGain
        /// 0 while the group is muted, or another one plays solo.
        case audible
        case rate, fadeRate, presetRate
    }

    static var gainCount: Int { @_noLocks get { 4 } }
    static var factorCount: Int { @_noLocks get { 7 } }

    let factors: UnsafeMutablePointer<Ramp>
    /// The first of the duckers whose target the group is.
    var firstDucking: UnsafeMutablePointer<DuckingLink>?

    /// True if the gain differs between frames from one on.
    @_noLocks
    func isGainMoving(from frame: Int64) -> Bool {
        for index in 0..<Self.gainCount where factors[index].isMoving(from: frame) { return true }
        var ducking = firstDucking
        while let link = ducking {
            if link.pointee.ducker.pointee.level.isMoving(from: frame) { return true }
            ducking = link.pointee.next
        }
        return false
    }

    @_noLocks
    func gain(at frame: Int64) -> Double {
        var gain = factors[0].value(at: frame)
        for index in 1..<Self.gainCount { gain *= factors[index].value(at: frame) }
        var ducking = firstDucking
        while let link = ducking {
            gain *= link.pointee.ducker.pointee.level.value(at: frame)
            ducking = link.pointee.next
        }
        return gain
    }

    /// Takes a ducker out of the list.
    @_noLocks
    mutating func unlink(_ link: UnsafeMutablePointer<DuckingLink>) {
        guard firstDucking != link else {
            firstDucking = link.pointee.next
            return
        }
        var ducking = firstDucking
        while let other = ducking {
            if other.pointee.next == link { other.pointee.next = link.pointee.next }
            ducking = other.pointee.next
        }
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

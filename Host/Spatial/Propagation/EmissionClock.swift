// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the time at which a source emitted the sound that arrives now. Made on the control thread, used on the render thread.

import Realtime

/// The times at which a listener's present sound left its source, one for each cell of 64 frames.
///
/// Sound leaves a source at the place where that was then, and travels to the place where the listener is now. So the frequency changes by
/// (c − v of the listener) / (c − v of the source). The change is bounded from a half to twice the frequency. A source faster than sound is
/// heard at the bound, late, and no sound is heard twice or at once.
struct EmissionClock {
    /// The lowest and the highest ratio of frequencies.
    static var bounds: (lowest: Double, highest: Double) { @_noLocks get { (0.5, 2) } }

    /// The former places of the source, one a cell.
    private let places: UnsafeMutablePointer<SpacePoint>
    private let capacity: Int
    private let longestDelay: Double
    /// The number of the next place.
    private var count = 0
    /// The frames of travel at the end of the last cell.
    private(set) var delay = 0.0

    /// `[control]` Allocates memory for delays of up to `frameCount` frames; `deallocate` frees it.
    init(longestDelay frameCount: Double) {
        longestDelay = frameCount
        // Cannot trap: the bound of a delay line.
        capacity = Int(frameCount) / SpatialCell.frameCount + 4
        places = .allocate(capacity: capacity)
        places.initialize(repeating: SpacePoint(0, 0, 0), count: capacity)
    }

    func deallocate() { places.deallocate() }

    /// Begins anew: the source has always been at this place.
    @_noLocks
    mutating func begin(_ source: SpacePoint, _ listener: SpacePoint, framesPerMetre: Double) {
        for index in 0..<capacity { places[index] = source }
        count = capacity
        delay = travel(source, listener, framesPerMetre)
    }

    /// Moves on by a cell, at whose end the source and the listener are at these places.
    @_noLocks
    mutating func advance(_ source: SpacePoint, _ listener: SpacePoint, framesPerMetre: Double) {
        places[count % capacity] = source
        count &+= 1
        let cell = Double(SpatialCell.frameCount)
        let wanted = arrival(listener, framesPerMetre, latest: min(delay + cell, longestDelay))
        // Over a cell the emission moves on by `ratio` times its length.
        let (slowest, fastest) = (cell * (1 - Self.bounds.lowest), cell * (1 - Self.bounds.highest))
        delay = max(0, min(longestDelay, min(delay + slowest, max(delay + fastest, wanted))))
    }

    /// The frames of travel of the sound that arrives at the listener now, at most `latest`.
    ///
    /// The time between emission and travel falls as the delay grows, so halving the interval finds the place where it is 0.
    @_noLocks
    private func arrival(_ listener: SpacePoint, _ framesPerMetre: Double, latest: Double) -> Double {
        // A root below is beyond the bound anyway.
        var (short, long) = (max(0, delay - Double(SpatialCell.frameCount)), latest)
        guard travel(place(before: long), listener, framesPerMetre) < long else { return long }
        for _ in 0..<28 {
            let middle = (short + long) / 2
            if travel(place(before: middle), listener, framesPerMetre) < middle { long = middle } else { short = middle }
        }
        return long
    }

    @_noLocks
    private func travel(_ source: SpacePoint, _ listener: SpacePoint, _ framesPerMetre: Double) -> Double {
        let way = source - listener
        return min(longestDelay, Maths.sqrt(way.dot(way)) * framesPerMetre)
    }

    /// The place of the source a number of frames before the end of the last cell.
    @_noLocks
    private func place(before frames: Double) -> SpacePoint {
        let cells = frames / Double(SpatialCell.frameCount)
        // Cannot trap: from 0 to the longest delay.
        let whole = min(capacity &- 2, Int(cells))
        let share = min(1, cells - Double(whole))
        let (near, far) = (places[(count &- 1 &- whole) % capacity], places[(count &- 2 &- whole) % capacity])
        return near + (far - near) * share
    }
}

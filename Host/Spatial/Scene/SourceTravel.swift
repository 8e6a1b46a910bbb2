// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Moves the delay of a source that travels to its listener. Render thread.

import Realtime

/// The delay of a source's sound in each cell.
///
/// A place that a program sets is reached in 20 ms. A place that sound could not reach in that time is a jump: the old and the new delay
/// are cross-faded, and nothing is heard in between.
struct SourceTravel {
    /// The cells of a cross-fade, and of a way to a place that was set.
    private let glideCellCount: Int
    /// The places at the end of the cell.
    private var source = SpacePoint(0, 0, 0)
    private var listener = SpacePoint(0, 0, 0)
    private var cellsLeft = 0
    /// True if the sound travels; otherwise its delay is 0.
    private(set) var isOn = false
    /// The delays at both ends of the cell, in frames.
    private(set) var start = 0.0
    private(set) var end = 0.0
    /// The delay that fades out, and the cells of the fade that are over.
    private(set) var former = 0.0
    private var wasOn = false
    private var fadedCellCount = 0
    private(set) var isFading = false

    @_noLocks
    init(glideCellCount: Int) { self.glideCellCount = glideCellCount }

    /// True if the sound passes without a delay in this cell.
    var isDirect: Bool {
        @_noLocks get { !isOn && !isFading }
    }
    /// True if the signal that fades out has no delay.
    var formerIsDirect: Bool {
        @_noLocks get { isFading && !wasOn }
    }

    /// Begins at the places of the first cell.
    @_noLocks
    mutating func begin(
        _ places: (source: SpacePoint, listener: SpacePoint), isOn: Bool, _ line: UnsafeMutablePointer<TravelLine.Core>?,
        framesPerMetre: Double
    ) {
        (source, listener) = places
        (self.isOn, cellsLeft, isFading) = (isOn && line != nil, 0, false)
        guard self.isOn, let line else { return stand(at: 0) }
        line.pointee.clock.begin(source, listener, framesPerMetre: framesPerMetre)
        stand(at: line.pointee.clock.delay)
    }

    @_noLocks
    private mutating func stand(at delay: Double) { (start, end) = (delay, delay) }

    /// Takes new settings: the places to reach, and whether the sound travels.
    @_noLocks
    mutating func aim(
        _ places: (source: SpacePoint, listener: SpacePoint), isOn: Bool, _ line: UnsafeMutablePointer<TravelLine.Core>?,
        framesPerMetre: Double
    ) {
        cellsLeft = glideCellCount
        let isOn = isOn && line != nil
        let reach = Double(glideCellCount &* SpatialCell.frameCount)
        let leap = abs(Self.distance(places.source, places.listener) - Self.distance(source, listener)) * framesPerMetre
        guard !isFading, isOn != self.isOn || isOn && leap > reach else { return }
        (former, wasOn) = (end, self.isOn)
        begin(places, isOn: isOn, line, framesPerMetre: framesPerMetre)
        // The new delay begins beside the one that fades out.
        (isFading, fadedCellCount) = (true, 0)
    }

    @_noLocks
    private static func distance(_ source: SpacePoint, _ listener: SpacePoint) -> Double {
        let way = source - listener
        return Maths.sqrt(way.dot(way))
    }

    /// Begins the next cell; at its end source and listener are at these places, or on their way there.
    @_noLocks
    mutating func beginCell(
        _ places: (source: SpacePoint, listener: SpacePoint), _ line: UnsafeMutablePointer<TravelLine.Core>?, framesPerMetre: Double
    ) {
        if isFading {
            fadedCellCount &+= 1
            if fadedCellCount > glideCellCount { isFading = false }
        }
        let share = 1 / Double(max(1, cellsLeft))
        source += (places.source - source) * share
        listener += (places.listener - listener) * share
        cellsLeft = max(0, cellsLeft &- 1)
        start = end
        guard isOn, let line else { return stand(at: 0) }
        line.pointee.clock.advance(source, listener, framesPerMetre: framesPerMetre)
        end = line.pointee.clock.delay
    }

    /// The delay at a frame of the cell.
    @inline(__always) @_noLocks
    func delay(_ frame: Int) -> Double { start + (end - start) * (Double(frame) * (1 / Double(SpatialCell.frameCount))) }

    /// The share of the new delay at a frame of the cell.
    @inline(__always) @_noLocks
    func share(_ frame: Int) -> Float {
        let frames = (fadedCellCount &- 1) &* SpatialCell.frameCount &+ frame
        return Float(frames) * (1 / Float(glideCellCount &* SpatialCell.frameCount))
    }
}

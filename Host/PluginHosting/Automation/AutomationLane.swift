// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A parameter's course over time: points, joined by lines or steps. The control thread creates it, the render thread reads it.

import AudioUnits

/// The course of one parameter.
///
/// Before the first point the parameter keeps its value.
package struct AutomationLane: Hashable, Sendable {
    /// A value at a time.
    package struct Point: Hashable, Sendable {
        /// The frames since rendering started.
        package var sampleTime: Int64
        /// The parameter's value, in its own unit.
        package var value: Double

        /// Makes a point with this value at this time.
        package init(sampleTime: Int64, value: Double) {
            self.sampleTime = sampleTime
            self.value = value
        }
    }

    /// The parameter's address.
    package let address: UInt64
    /// The points, sorted by time.
    package let points: [Point]
    /// True if lines join the points; otherwise the value steps.
    package let ramps: Bool

    /// `[control]` Makes a lane through `points`, in any order.
    ///
    /// Of several points at one frame the last one counts. With `ramps` the line before them leads to the first one.
    package init(address: UInt64, points: [Point], ramps: Bool) {
        self.address = address
        let sorted = points.sorted { $0.sampleTime < $1.sampleTime }
        self.points = ramps ? Self.oneForEachFrame(sorted) : sorted
        self.ramps = ramps
    }

    /// Leaves one point for each frame: the line before the points ends one frame earlier, and a line of one frame steps.
    private static func oneForEachFrame(_ points: [Point]) -> [Point] {
        var lines: [Point] = []
        var first = 0
        while first < points.count {
            let time = points[first].sampleTime
            let end = points[first...].firstIndex { $0.sampleTime != time } ?? points.count
            if end - first > 1, let before = lines.last, time &- before.sampleTime > 1 {
                let value = value(from: before, to: points[first], at: time &- 1)
                lines.append(Point(sampleTime: time &- 1, value: value))
            }
            lines.append(points[end - 1])
            first = end
        }
        return lines
    }

    /// `[control]` The value at a time in frames; nil before the first point.
    package func value(at sampleTime: Int64) -> Double? {
        guard let index = points.lastIndex(where: { $0.sampleTime <= sampleTime }) else { return nil }
        guard ramps, index + 1 < points.count else { return points[index].value }
        return Self.value(from: points[index], to: points[index + 1], at: sampleTime)
    }

    @_noLocks
    static func value(from start: Point, to end: Point, at sampleTime: Int64) -> Double {
        let share = Double(sampleTime &- start.sampleTime) / Double(max(1, end.sampleTime &- start.sampleTime))
        return start.value + (end.value - start.value) * share
    }
}

/// A lane for the render thread: points in memory of their own, and the reading position.
struct AutomationReader: ~Copyable {
    private let address: UInt64
    private let points: UnsafeMutablePointer<AutomationLane.Point>
    private let count: Int
    private let ramps: Bool
    private var next = 0
    /// True if the first point's value has been sent, before its ramp.
    private var hasBegun = false

    init(_ lane: AutomationLane) {
        address = lane.address
        ramps = lane.ramps
        count = lane.points.count
        points = .allocate(capacity: max(1, count))
        for (index, point) in lane.points.enumerated() { (points + index).initialize(to: point) }
    }

    deinit { points.deallocate() }

    /// Takes the change to the first point's value, before the ramp from there; nil after the first time.
    ///
    /// A ramp of one frame reaches the value exactly, also in a unit that smooths changes without a ramp. Without a frame before
    /// the point the value changes at once: such a unit has rendered nothing yet.
    @_noLocks
    mutating func takeBeginning(from start: Int64, to end: Int64) -> (change: ParameterChange, sampleTime: Int64)? {
        guard ramps, !hasBegun, next == 0, count > 1 else { return nil }
        let isAhead = points[0].sampleTime > start
        let time = isAhead ? points[0].sampleTime &- 1 : points[0].sampleTime
        guard time < end else { return nil }
        hasBegun = true
        return (ParameterChange(address: address, value: points[0].value, rampFrameCount: isAhead ? 1 : 0), time)
    }

    /// Takes the change at the next point before `end`, with its time; nil without one.
    @_noLocks
    mutating func takeChange(before end: Int64) -> (change: ParameterChange, sampleTime: Int64)? {
        guard next < count, points[next].sampleTime < end else { return nil }
        defer { next += 1 }
        return (change(from: next, startingAt: points[next].sampleTime), points[next].sampleTime)
    }

    /// Goes back to the beginning of a block, which is rendered again.
    @_noLocks
    mutating func rewind(to sampleTime: Int64) {
        while next > 0, points[next - 1].sampleTime >= sampleTime { next -= 1 }
        if next == 0 { hasBegun = false }
    }

    /// The present value and course at `sampleTime`, for a unit that missed the changes before.
    @_noLocks
    mutating func catchUp(to sampleTime: Int64) -> (now: ParameterChange, ahead: ParameterChange)? {
        while next < count, points[next].sampleTime < sampleTime { next += 1 }
        guard next > 0 else {
            hasBegun = false
            return nil
        }
        let start = points[next - 1]
        guard ramps, next < count else {
            let change = ParameterChange(address: address, value: start.value)
            return (change, change)
        }
        let value = AutomationLane.value(from: start, to: points[next], at: sampleTime)
        return (ParameterChange(address: address, value: value), change(from: next - 1, startingAt: sampleTime))
    }

    /// The change at a point: its value, or the ramp to the next point.
    @_noLocks
    private func change(from index: Int, startingAt sampleTime: Int64) -> ParameterChange {
        guard ramps, index + 1 < count else { return ParameterChange(address: address, value: points[index].value) }
        let frames = points[index + 1].sampleTime &- sampleTime
        return ParameterChange(
            address: address, value: points[index + 1].value, rampFrameCount: UInt32(clamping: max(0, frames)))
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A parameter's course over time: straight lines between points. Read by the render thread, made by the control thread.

import AudioUnits

/// The course of one parameter. Before its first point the parameter keeps the value that it has.
public struct AutomationLane: Hashable, Sendable {
    public struct Point: Hashable, Sendable {
        /// Frames since rendering started.
        public var sampleTime: Int64
        public var value: Double

        public init(sampleTime: Int64, value: Double) {
            self.sampleTime = sampleTime
            self.value = value
        }
    }

    public let address: UInt64
    /// Sorted by time.
    public let points: [Point]
    /// Lines between the points; steps otherwise.
    public let ramps: Bool

    public init(address: UInt64, points: [Point], ramps: Bool) {
        self.address = address
        let sorted = points.sorted { $0.sampleTime < $1.sampleTime }
        self.points = Self.steppingToTheFirst(sorted, ramps: ramps)
        self.ramps = ramps
    }

    /// A ramp starts from whatever value the parameter has. A second point, one frame after the first, makes
    /// the parameter step to the first before it follows the lines.
    private static func steppingToTheFirst(_ points: [Point], ramps: Bool) -> [Point] {
        guard ramps, points.count > 1, let first = points.first else { return points }
        return [first, Point(sampleTime: first.sampleTime + 1, value: first.value)] + points.dropFirst()
    }

    /// The value at a time, or nil before the first point.
    public func value(at sampleTime: Int64) -> Double? {
        guard let index = points.lastIndex(where: { $0.sampleTime <= sampleTime }) else { return nil }
        guard ramps, index + 1 < points.count else { return points[index].value }
        return Self.value(from: points[index], to: points[index + 1], at: sampleTime)
    }

    @_noLocks
    static func value(from start: Point, to end: Point, at sampleTime: Int64) -> Double {
        let share = Double(sampleTime - start.sampleTime) / Double(max(1, end.sampleTime - start.sampleTime))
        return start.value + (end.value - start.value) * share
    }
}

/// A lane as the render thread reads it: points in memory of their own, and how far it has got.
struct AutomationReader: ~Copyable {
    private let address: UInt64
    private let points: UnsafeMutablePointer<AutomationLane.Point>
    private let count: Int
    private let ramps: Bool
    private var next = 0

    init(_ lane: AutomationLane) {
        address = lane.address
        ramps = lane.ramps
        count = lane.points.count
        points = .allocate(capacity: max(1, count))
        for (index, point) in lane.points.enumerated() { (points + index).initialize(to: point) }
    }

    deinit { points.deallocate() }

    /// The change at the next point before `end`, and its time; nil when there is none.
    @_noLocks
    mutating func takeChange(before end: Int64) -> (change: ParameterChange, sampleTime: Int64)? {
        guard next < count, points[next].sampleTime < end else { return nil }
        defer { next += 1 }
        return (change(from: next, startingAt: points[next].sampleTime), points[next].sampleTime)
    }

    /// Goes back to where a block began, which is to be rendered once more.
    @_noLocks
    mutating func rewind(to sampleTime: Int64) {
        while next > 0, points[next - 1].sampleTime >= sampleTime { next -= 1 }
    }

    /// Where the lane stands at `sampleTime`, for a unit that missed what came before.
    @_noLocks
    mutating func catchUp(to sampleTime: Int64) -> (now: ParameterChange, ahead: ParameterChange)? {
        while next < count, points[next].sampleTime < sampleTime { next += 1 }
        guard next > 0 else { return nil }
        let start = points[next - 1]
        guard ramps, next < count else {
            let change = ParameterChange(address: address, value: start.value)
            return (change, change)
        }
        let value = AutomationLane.value(from: start, to: points[next], at: sampleTime)
        return (ParameterChange(address: address, value: value), change(from: next - 1, startingAt: sampleTime))
    }

    /// What to tell the unit at a point: its value, or the way to the next one.
    @_noLocks
    private func change(from index: Int, startingAt sampleTime: Int64) -> ParameterChange {
        guard ramps, index + 1 < count else { return ParameterChange(address: address, value: points[index].value) }
        let frames = points[index + 1].sampleTime - sampleTime
        return ParameterChange(
            address: address, value: points[index + 1].value, rampFrameCount: UInt32(clamping: max(0, frames)))
    }
}

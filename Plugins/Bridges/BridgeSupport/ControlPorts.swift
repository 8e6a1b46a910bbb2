// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The values behind a plug-in's control ports, and their ramps. Render thread.

import PluginSDK

/// The values of control ports, at fixed addresses.
///
/// Formats without events keep a control constant during a run. During a ramp, runs are short.
public struct ControlPorts: ~Copyable {
    /// The number of frames of the longest run.
    ///
    /// Hosts request more only when they render files. Some plug-ins, untested with more, write past the ends of their buffers.
    public static let longestRunFrameCount = 4096
    /// The number of frames of a run during a ramp.
    private static let rampStepFrameCount = 64

    /// One float a port, to which the plug-in is connected.
    public let values: UnsafeMutablePointer<Float>
    private let count: Int
    private let ramps: UnsafeMutablePointer<Ramp>
    private var runningCount = 0

    private struct Ramp {
        var start: Float = 0
        var target: Float = 0
        var elapsed = 0
        var length = 0
    }

    /// `[control]` Allocates ports with these values.
    public init(_ initial: [Float]) {
        count = initial.count
        values = .allocate(capacity: max(1, count))
        ramps = .allocate(capacity: max(1, count))
        for (index, value) in initial.enumerated() { (values + index).initialize(to: value) }
        ramps.initialize(repeating: Ramp(), count: count)
    }

    deinit {
        values.deallocate()
        ramps.deallocate()
    }

    /// `[render]` Moves a value to `target` over `rampFrameCount` frames; at 0 it jumps.
    @_noLocks
    public mutating func set(_ index: Int, to target: Float, rampFrameCount: UInt32 = 0) {
        if ramps[index].length > 0 { runningCount &-= 1 }
        guard rampFrameCount > 0, values[index] != target else {
            values[index] = target
            ramps[index].length = 0
            return
        }
        ramps[index] = Ramp(start: values[index], target: target, elapsed: 0, length: Int(rampFrameCount))
        runningCount &+= 1
    }

    /// `[render]` The number of the next `frameCount` frames that can be rendered with the present values.
    @_noLocks
    public func runLength(atMost frameCount: Int) -> Int {
        guard runningCount > 0 else { return Swift.min(frameCount, Self.longestRunFrameCount) }
        var length = Swift.min(frameCount, Self.rampStepFrameCount)
        // A run ends at the end of a ramp.
        for index in 0..<count where ramps[index].length > 0 {
            length = Swift.min(length, ramps[index].length &- ramps[index].elapsed)
        }
        return length
    }

    /// `[render]` Advances the ramps after a run.
    @_noLocks
    public mutating func advance(_ frameCount: Int) {
        guard runningCount > 0 else { return }
        for index in 0..<count where ramps[index].length > 0 {
            ramps[index].elapsed &+= frameCount
            let ramp = ramps[index]
            if ramp.elapsed >= ramp.length {
                values[index] = ramp.target
                ramps[index].length = 0
                runningCount &-= 1
            } else {
                values[index] = ramp.start + (ramp.target - ramp.start) * Float(ramp.elapsed) / Float(ramp.length)
            }
        }
    }

    /// `[render]` Ends all ramps at their targets.
    @_noLocks
    public mutating func jump() {
        for index in 0..<count where ramps[index].length > 0 {
            values[index] = ramps[index].target
            ramps[index].length = 0
        }
        runningCount = 0
    }
}

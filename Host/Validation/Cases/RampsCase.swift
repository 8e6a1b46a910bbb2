// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The first and the last frame of a ramp. Thread of the case.

import AudioUnits
import PluginHosting

/// A ramp of N frames from frame t on has the old value at frame t, and the new one from frame t + N on.
struct RampsCase: ValidationCase {
    static let name = "ramps"
    static let summary = "a ramp begins at its frame with the old value, and has the new one when it is over"
    private static let most = 5
    /// Long after the smoothing of a change at frame 0, and not at the edge of a block.
    private static let start = 9_007
    /// Not a multiple of the frames between two updates of a unit's coefficients.
    private static let length = 101
    private static let frameCount = 16_384
    /// A tenth of the smallest step of a ramp over the range: rounding changes less.
    private static let tolerance: Float = 1e-5

    static func run(_ trial: Trial) throws(CaseEnd) {
        let parameters = try trial.open().settableParameters.filter { $0.parameter.flags.contains(.canRamp) }
        guard !parameters.isEmpty else { throw .notApplicable("It has no parameters that ramp.") }
        var renderer = RampRenderer(trial, frameCount: frameCount)
        for (keyPath, parameter) in trial.choose(parameters, atMost: most) {
            let value = parameter.end(farthestFrom: parameter.defaultValue)
            func sound(from frame: Int, over frameCount: Int, to value: Double) throws(CaseEnd) -> Sound {
                try renderer.render(keyPath, to: value, from: frame, over: frameCount)
            }
            trial.doing("rendering a ramp of \(keyPath) to \(value)")
            let ramped = try sound(from: start, over: length, to: value)
            try trial.requireFinite(ramped)
            // A ramp to the same value also splits the block there, which may change the rounding.
            let old = try sound(from: start, over: length, to: parameter.defaultValue)
            try checkStart(keyPath, old, ramped, trial) { () throws(CaseEnd) in
                try sound(from: start, over: length, to: parameter.defaultValue)
            }
            guard renderer.latencyFrameCount == 0 else { continue }
            checkEnd(keyPath, try sound(from: 0, over: 0, to: value), ramped, trial)
        }
    }

    /// Checks that the unit has the old value at the ramp's first frame.
    private static func checkStart(
        _ keyPath: String, _ old: Sound, _ ramped: Sound, _ trial: Trial, again: () throws(CaseEnd) -> Sound
    ) throws(CaseEnd) {
        let before = 0..<start + 1
        guard old[before].largestDifference(from: ramped[before]) > tolerance else { return }
        try trial.expectEqual(old[before], ramped[before]) {
            "A ramp of \(keyPath) from frame \(start) on is heard at its first frame, which has the old value, \($0)."
        } again: { () throws(CaseEnd) in
            try again()[before]
        }
    }

    /// Checks that the unit has the new value at the first frame after the ramp.
    ///
    /// Only a unit that forgets earlier sound at once can be judged. From some frame on, its sound is that of the new value.
    private static func checkEnd(_ keyPath: String, _ new: Sound, _ ramped: Sound, _ trial: Trial) {
        let end = start + length
        func differs(_ range: Range<Int>) -> Bool { new[range].largestDifference(from: ramped[range]) > tolerance }
        guard differs(start..<end - 1), differs(end..<end + 1), !differs(end + 1..<frameCount) else { return }
        trial.warn(
            "A ramp of \(keyPath) over \(length) frames from frame \(start) on reaches its value at frame \(end + 1), not \(end).")
    }
}

/// Renders the same noise several times, each time with another change.
private struct RampRenderer {
    private let trial: Trial
    private let frameCount: Int
    private var noise: Sound?
    private(set) var latencyFrameCount = 0

    init(_ trial: Trial, frameCount: Int) {
        self.trial = trial
        self.frameCount = frameCount
    }

    mutating func render(_ keyPath: String, to value: Double, from frame: Int, over rampFrameCount: Int) throws(CaseEnd) -> Sound {
        var (noise, latency) = (noise, 0)
        let (trial, frameCount) = (trial, frameCount)
        let sound = try trial.renderFresh { (bench) throws(CaseEnd) in
            let input = noise ?? Sound.noise(bench.channelCount, frameCount: frameCount, using: &trial.random)
            noise = input
            try trial.attempt { () throws(HostingError) in
                try bench.unit.schedule(keyPath, to: value, at: Int64(frame), rampFrameCount: UInt32(rampFrameCount))
            }
            let sound = try bench.render(input)
            latency = bench.member.latencyFrameCount
            return sound
        }
        (self.noise, latencyFrameCount) = (noise, latency)
        return sound
    }
}

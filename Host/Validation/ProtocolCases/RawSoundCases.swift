// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The rules of the protocol that only sound shows: BYPASS and ramps. Thread of the case.

import AudioUnits
import CWireLayout
import ControlMessages
import PluginHosting
import RawHosting
import Wire

/// With BYPASS the input passes through, delayed by the latency.
struct BypassCase: ValidationCase {
    static let name = "protocol-bypass"
    static let summary = "with BYPASS the input passes through, delayed by the latency"
    static var patience: Double { 3 }
    /// The frames before the compared ones, so that any fade is over.
    private static let settling = 12_288
    private static let compared = 2048
    private static let tolerance: Float = 1e-3
    /// The number of settings that are tried until one changes the sound.
    private static let attempts = 4

    static func run(_ trial: Trial) throws(CaseEnd) {
        // Other settings of a classic plug-in may include its own bypass.
        for attempt in 0..<attempts where attempt == 0 || trial.component.format == .native {
            guard let pair = try Pair(trial, attempt) else { continue }
            let noise = Sound.noise(pair.channelCount, frameCount: pair.frameCount, level: 0.25, using: &trial.random)
            trial.doing("rendering without BYPASS")
            let wet = try pair.plain.render(noise)
            guard difference(wet, noise, pair) > tolerance else { continue }
            trial.doing("rendering with BYPASS")
            let bypassed = try pair.bypassed.render(noise, flags: CWireLayout_requestBypass)
            return try judge(wet, bypassed, noise, pair)
        }
        throw .notApplicable("No setting that was tried changes its input.")
    }

    private static func judge(_ wet: Sound, _ bypassed: Sound, _ dry: Sound, _ pair: Pair) throws(CaseEnd) {
        let left = difference(bypassed, dry, pair)
        // A classic plug-in's own bypass may let a tail sound on.
        if pair.isClassic { guard wet.firstDifference(from: bypassed) == nil else { return } }
        guard left > tolerance else { return }
        throw .failed(
            "With BYPASS its output differs from its input, \(pair.latency) frames earlier, by up to \(Wording.decibels(left)); §7 has input bus 0 passed through, delayed by the latency: mix the delayed input in instead of your own sound."
        )
    }

    /// The largest difference at the end between output and delayed input.
    private static func difference(_ output: Sound, _ input: Sound, _ pair: Pair) -> Float {
        let end = output.frameCount - compared
        let late = input[end - pair.latency..<end - pair.latency + compared]
        return output[end..<output.frameCount].largestDifference(from: late)
    }

    /// Two units with equal settings.
    private struct Pair {
        let plain, bypassed: RawBench
        let latency, channelCount: Int
        var isClassic: Bool { plain.trial.component.format != .native }
        /// The number of frames, in whole blocks.
        var frameCount: Int {
            (latency + settling + compared + RawBench.frameCount - 1) / RawBench.frameCount * RawBench.frameCount
        }

        /// Makes the units; nil if the unit refuses the settings.
        init?(_ trial: Trial, _ attempt: Int) throws(CaseEnd) {
            let seed = trial.random
            plain = try Self.bench(trial, attempt)
            guard let output = plain.unit.shape.outputs.first, let input = plain.unit.shape.inputs.first,
                input.channelCount > 0, output.channelCount > 0
            else { throw .notApplicable("It has nothing to pass through.") }
            // Both units get the same random values.
            trial.random = seed
            bypassed = try Self.bench(trial, attempt)
            try plain.render()
            try bypassed.render { $0.flags |= UInt32(CWireLayout_requestBypass) }
            latency = Int(plain.reply.latencyFrameCount)
            channelCount = input.channelCount
            guard latency <= 1 << 17 else { throw .notApplicable("Its latency is too long to try it.") }
        }

        /// Makes a unit: the first attempt has the defaults, the second the far ends of all ranges, and the others random
        /// values.
        private static func bench(_ trial: Trial, _ attempt: Int) throws(CaseEnd) -> RawBench {
            try RawBench(trial) { unit, welcome in
                let settings = welcome.eventParameters.map { _, parameter in
                    let value =
                        attempt == 1 ? parameter.end(farthestFrom: parameter.defaultValue) : trial.randomValue(of: parameter)
                    return ParameterSetting(address: parameter.address, value: value)
                }
                // A unit may refuse some values; the comparison then shows that.
                if attempt > 0 { _ = try unit.ask(.setParameters(settings)) }
            }
        }
    }
}

/// A ramp does not sound like a step.
struct RawRampsCase: ValidationCase {
    static let name = "protocol-ramps"
    static let summary = "a ramp sounds otherwise than a change at once"
    static var patience: Double { 3 }
    /// The number of parameters that are tried until one is heard.
    private static let most = 8
    /// Long enough for a unit that reads its values only once in a few blocks.
    private static let length = 16_384
    private static let before = 1024

    static func run(_ trial: Trial) throws(CaseEnd) {
        let first = try RawBench(trial)
        guard let output = first.unit.shape.outputs.first, output.channelCount > 0 else {
            throw .notApplicable("It puts out no sound.")
        }
        let parameters = first.welcome.eventParameters.filter { $0.parameter.flags.contains(.canRamp) }
        guard !parameters.isEmpty else { throw .notApplicable("It has no parameters that ramp.") }
        let channelCount = first.unit.shape.inputs.first?.channelCount ?? 0
        let noise = Sound.noise(max(1, channelCount), frameCount: before + length + 4096, using: &trial.random)
        for (keyPath, parameter) in parameters.prefix(most) {
            trial.doing("rendering a ramp of \(keyPath)")
            let far = parameter.end(farthestFrom: parameter.defaultValue)
            func sound(_ ramp: UInt32?) throws(CaseEnd) -> Sound { try render(trial, noise, parameter, to: far, ramp) }
            let step = try sound(0)
            guard step.firstDifference(from: try sound(nil)) != nil else { continue }
            guard step.firstDifference(from: try sound(UInt32(length))) == nil else { return }
            // A unit may treat a steep ramp as a jump.
            if try isGentleRampHeard(trial, noise, parameter) { return }
            throw .failed(
                "A ramp of \(keyPath) over \(length) frames sounds exactly as a change at its first frame; §11 has the value v + (w − v) · k / N at frame t + k: move it on frame by frame."
            )
        }
        throw .notApplicable("No change of a parameter that ramps is heard.")
    }

    /// True if a ramp over a fiftieth of the range sounds different from an immediate change.
    private static func isGentleRampHeard(_ trial: Trial, _ noise: Sound, _ parameter: Parameter) throws(CaseEnd) -> Bool {
        guard !parameter.flags.contains(.integer) else { return false }
        for end in [parameter.range.lowerBound, parameter.range.upperBound] {
            let near = parameter.defaultValue + (end - parameter.defaultValue) / 50
            let step = try render(trial, noise, parameter, to: near, 0)
            if step.firstDifference(from: try render(trial, noise, parameter, to: near, UInt32(length))) != nil { return true }
        }
        return false
    }

    /// Renders noise with a change of a parameter, or without a change.
    private static func render(
        _ trial: Trial, _ noise: Sound, _ parameter: Parameter, to value: Double, _ rampFrameCount: UInt32?
    ) throws(CaseEnd) -> Sound {
        let bench = try RawBench(trial)
        var eventCount = 0
        if bench.welcome.description.flags.contains(.midiInput) {
            let note = WireEvent(midiLow: 0x64_3C90, high: 0, byteCount: 3, cable: 0, continues: false, sampleTime: 0)
            try bench.write(note)
            eventCount += 1
        }
        if let rampFrameCount {
            let event = WireEvent(
                parameter: parameter.address, value: value, sampleTime: bench.sampleTime + Int64(RawBench.frameCount + before),
                rampFrameCount: rampFrameCount)
            try bench.write(event)
            eventCount += 1
        }
        try bench.render(events: eventCount)
        return try bench.render(noise)
    }
}

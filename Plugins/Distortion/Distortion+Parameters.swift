// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The distortion's description and parameters. Control thread.

import PluginSDK

extension Distortion {
    static var view: (any View.Type)? { DistortionView.self }

    static let description = UnitDescription(
        ComponentDescription(.effect, "dist", "blkh"), name: "Distortion", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), tags: ["Distortion"], flags: .consentsToInProcess)

    /// The parameter tree.
    ///
    /// `preGain` raises the signal before the echo, but not the dry signal. The echo comes before the input band, so it is
    /// distorted together with the sound. Its delay is a whole number of frames, and each echo is `feedback` times the last
    /// one.
    ///
    /// `drive` raises the signal before the curve. Fold and cubed use half its decibels, and the clean curve none. The factor
    /// of rectifier and squared is 1 + (√drive − 1) / 5. `bias` is an offset before the curve, in units of the clipping level.
    /// The crusher aliases on purpose. Echo, ring modulator and crusher are off by default.
    static let parameters = ParameterTree([
        .parameter(value("preGain", "Pre-Gain", .preGain, -80...20, 0, .decibels)),
        .parameter(value("drive", "Drive", .drive, 0...48, 12, .decibels)),
        .parameter(
            Parameter(
                "curve", name: "Curve", address: Address.curve.rawValue,
                choices: ["Soft", "Hard", "Fold", "Rectifier", "Clean", "Squared", "Cubed"])),
        .parameter(value("bias", "Bias", .bias, -1...1, 0, .generic)),
        .group(
            ParameterGroup(
                "echo", name: "Echo",
                [
                    .parameter(
                        Parameter(
                            "time", name: "Time", address: Address.echoTime.rawValue, range: 0.1...Echo.longest * 1000,
                            default: 125, unit: .milliseconds, flags: .logarithmic)),
                    .parameter(value("feedback", "Feedback", .echoFeedback, 0...95, 30, .percent)),
                    share("mix", "Mix", .echoMix, 0),
                ])),
        .group(
            ParameterGroup(
                "input", name: "Input Band",
                [
                    cut("lowCut", "Low Cut", .inputLowCut, 10...2000, 10),
                    cut("highCut", "High Cut", .inputHighCut, 500...22_000, 22_000),
                ])),
        .group(
            ParameterGroup(
                "ring", name: "Ring Modulator",
                [cut("frequency", "Frequency", .ringFrequency, 1...8000, 440), share("mix", "Mix", .ringMix, 0)])),
        .group(
            ParameterGroup(
                "crush", name: "Crusher",
                [
                    .parameter(value("bits", "Bits", .crushBits, 1...16, 8, .generic)),
                    cut("rate", "Rate", .crushRate, 250...48_000, 12_000), share("mix", "Mix", .crushMix, 0),
                ])),
        .group(
            ParameterGroup(
                "tone", name: "Tone",
                [
                    cut("lowCut", "Low Cut", .toneLowCut, 10...2000, 10),
                    cut("highCut", "High Cut", .toneHighCut, 500...22_000, 22_000),
                ])),
        share("mix", "Mix", .mix, 100),
        .parameter(value("output", "Output", .output, -48...24, 0, .decibels)),
    ])

    private static func value(
        _ identifier: String, _ name: String, _ address: Address, _ range: ClosedRange<Double>, _ value: Double,
        _ unit: ParameterUnit
    ) -> Parameter {
        Parameter(identifier, name: name, address: address.rawValue, range: range, default: value, unit: unit)
    }

    private static func cut(
        _ identifier: String, _ name: String, _ address: Address, _ range: ClosedRange<Double>, _ value: Double
    ) -> ParameterNode {
        .parameter(
            Parameter(
                identifier, name: name, address: address.rawValue, range: range, default: value, unit: .hertz,
                flags: [.canRamp, .logarithmic]))
    }

    private static func share(_ identifier: String, _ name: String, _ address: Address, _ value: Double)
        -> ParameterNode
    {
        .parameter(
            Parameter(identifier, name: name, address: address.rawValue, range: 0...100, default: value, unit: .percent)
        )
    }
}

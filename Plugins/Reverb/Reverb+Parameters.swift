// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The reverb's description and parameters. Control thread.

import PluginSDK

extension Reverb {
    static var view: (any View.Type)? { ReverbView.self }

    static let description = UnitDescription(
        ComponentDescription(.effect, "rvrb", "blkh"), name: "Reverb", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), tags: ["Reverb"], flags: .consentsToInProcess,
        inputs: [Bus("Input", supportedChannelCounts: [1, 2])],
        outputs: [Bus("Output", supportedChannelCounts: [1, 2])])

    /// The parameter tree.
    ///
    /// `decay` is the time in which a sound of 1 kHz falls by 60 dB. Low and high decay are factors of it, below 250 Hz and
    /// above 4 kHz. `size` is the length of the room. Size and pre-delay are cross-faded, so they do not ramp.
    static let parameters = ParameterTree(
        gliding("decay", "Decay", .decay, 0.1...20, 1.5, .seconds, .logarithmic),
        gliding("lowDecay", "Low Decay", .lowDecay, 0.25...2, 1, .ratio, .logarithmic),
        gliding("highDecay", "High Decay", .highDecay, 0.1...1, 0.5, .ratio, .logarithmic),
        Parameter(
            "size", name: "Size", address: Address.size.rawValue, range: 2...50, default: 12, unit: .meters,
            flags: .logarithmic),
        Parameter(
            "preDelay", name: "Pre-Delay", address: Address.preDelay.rawValue, range: 0...250, default: 0,
            unit: .milliseconds, flags: []),
        gliding("diffusion", "Diffusion", .diffusion, 0...100, 100, .percent),
        gliding("modulationDepth", "Modulation Depth", .modulationDepth, 0...100, 50, .percent),
        gliding("modulationRate", "Modulation Rate", .modulationRate, 0.05...3, 0.5, .hertz, .logarithmic),
        gliding("early", "Early Reflections", .early, 0...100, 50, .percent),
        gliding("lowCut", "Low Cut", .lowCut, 10...1000, 20, .hertz, .logarithmic),
        gliding("highCut", "High Cut", .highCut, 1000...22_000, 22_000, .hertz, .logarithmic),
        gliding("width", "Width", .width, 0...100, 100, .percent),
        gliding("mix", "Mix", .mix, 0...100, 30, .percent))

    private static func gliding(
        _ identifier: String, _ name: String, _ address: Address, _ range: ClosedRange<Double>, _ value: Double,
        _ unit: ParameterUnit, _ flags: ParameterFlags = []
    ) -> Parameter {
        Parameter(
            identifier, name: name, address: address.rawValue, range: range, default: value, unit: unit,
            flags: flags.union(.canRamp))
    }
}

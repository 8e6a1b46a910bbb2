// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Connects the unit of a bench in its engine, and starts it. Thread of the case.

import AudioGraph
import PluginHosting

extension AudioEngine {
    /// Connects the driver's input, if the unit has inputs, the unit and the driver's output, and starts.
    func play(through effect: AudioUnitEffect, _ settings: BenchSettings, _ channelCount: Int) throws(AudioEngineError) {
        // The case judges the output unchanged, at any level.
        var policy = UnitPolicy()
        policy.ceiling = nil
        // Blocks follow each other without a pause, so no thread of the unit can sleep for its share of the time.
        policy.workShare = nil
        setPolicy(policy)
        refuseUnitsThatDie()
        _ = try attach(effect).get()
        let format = AudioFormat(sampleRate: settings.sampleRate, channelCount: channelCount)
        if effect.numberOfOutputs > 0 { try connect(effect, to: outputNode, format: format) }
        if effect.numberOfInputs > 0 {
            var listeners = [AudioConnectionPoint(node: effect, bus: 0)]
            if settings.hasSideChain { listeners.append(try sideChain(of: effect, format)) }
            try connect(inputNode, to: listeners, fromBus: 0, format: format)
        }
        try start()
    }

    /// The source of the unit's second input: the input itself, or a mixer with a channel count that the unit supports.
    private func sideChain(of effect: AudioUnitEffect, _ format: AudioFormat) throws(AudioEngineError) -> AudioConnectionPoint {
        let bus = effect.unit.unitDescription.inputs[1]
        guard !bus.supports(BusFormat(channelCount: format.channelCount)) else { return AudioConnectionPoint(node: effect, bus: 1) }
        let mixer = AudioMixerNode()
        _ = try attach(mixer).get()
        let narrow = AudioFormat(sampleRate: format.sampleRate, channelCount: bus.defaultFormat.channelCount)
        try connect(mixer, to: effect, fromBus: 0, toBus: 1, format: narrow)
        return AudioConnectionPoint(node: mixer)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An engine with instruments that show what they heard. Test thread.

import AudioGraph
import HostingTestSupport
import PluginHosting
import TestSupport

/// An engine that is rendered offline, a sequencer, and instruments.
struct SequencerBench {
    let engine: AudioEngine
    let sequencer: AudioSequencer
    let instruments: [AudioUnitEffect]
    var instrument: AudioUnitEffect { instruments[0] }

    /// Starts an engine with so many instruments, added up at the output.
    init(instruments count: Int = 1, inProcess: Bool = false) async throws {
        engine = try AudioEngine.offline(channelCount: 4)
        var instruments: [AudioUnitEffect] = []
        for _ in 0..<count {
            let options: ComponentInstantiationOptions = inProcess ? .loadInProcess : []
            let unit = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Scribe"), options: options))
            engine.attach(unit)
            try engine.connect(unit, to: engine.mainMixerNode, format: Sounds.format(4))
            instruments.append(unit)
        }
        self.instruments = instruments
        sequencer = AudioSequencer(audioEngine: engine)
        try engine.start()
    }

    /// Renders so many frames.
    func render(_ frameCount: Int, block: Int = 512) throws -> HeardNotes {
        HeardNotes(try engine.render(frameCount, block: block))
    }
}

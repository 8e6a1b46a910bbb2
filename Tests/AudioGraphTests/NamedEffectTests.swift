// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The effects that have names of their own: defaults, ranges, presets, sound, and what happens without the plug-in. Test thread.

import Glibc
import HostingTestSupport
import PluginHosting
import TestSupport
import Testing

@testable import AudioGraph

@Suite(.serialized, .timeLimit(.minutes(15))) struct NamedEffectTests {
    private static func isNear(_ first: Float, _ second: Float) -> Bool { abs(first - second) <= 1e-3 * max(1, abs(second)) }

    @Test func theDelayHasItsDefaultsAndRanges() throws {
        let delay = AudioUnitDelay()
        #expect(delay.delayTime == 1 && delay.feedback == 50 && Self.isNear(delay.lowPassCutoff, 15_000) && delay.wetDryMix == 100)
        (delay.delayTime, delay.feedback, delay.lowPassCutoff, delay.wetDryMix) = (3, -200, 1, .infinity)
        #expect(delay.delayTime == 2 && delay.feedback == -100 && Self.isNear(delay.lowPassCutoff, 10) && delay.wetDryMix == 100)
        delay.feedback = .nan
        #expect(delay.feedback == -100)
    }

    @Test func theDistortionKeepsMixAndGainWithEachPreset() throws {
        let distortion = AudioUnitDistortion()
        #expect(distortion.preGain == -6 && distortion.wetDryMix == 50)
        (distortion.preGain, distortion.wetDryMix) = (3, 70)
        var sounds = Set<[Double]>()
        for preset in AudioUnitDistortionPreset.allCases {
            distortion.loadFactoryPreset(preset)
            #expect(distortion.preGain == 3 && distortion.wetDryMix == 70)
            let unit: PluginUnit = try #require(distortion.plugin)
            sounds.insert(unit.parameterTree.parameters.map { unit.parameterValues[$0.parameter.address] ?? 0 })
        }
        #expect(sounds.count == AudioUnitDistortionPreset.allCases.count)
    }

    /// The presets are found by their places: each place has the name of its case.
    @Test func thePresetsOfTheNodesAreThoseOfThePlugIns() throws {
        func plain(_ name: String) -> String { name.filter { $0.isLetter || $0.isNumber }.lowercased() }
        let reverb = (AudioUnitReverb().plugin?.factoryPresets ?? []).map { plain($0.name) }
        #expect(AudioUnitReverbPreset.allCases.map { plain("\($0)") } == Array(reverb.prefix(13)))
        let distortion = (AudioUnitDistortion().plugin?.factoryPresets ?? []).map { plain($0.name) }
        #expect(AudioUnitDistortionPreset.allCases.map { plain("\($0)") } == Array(distortion.prefix(22)))
    }

    @Test func theEqualizerHasTheBandsThatItIsAskedFor() throws {
        let equalizer = AudioUnitEQ(numberOfBands: 3)
        #expect(equalizer.bands.count == 3 && equalizer.globalGain == 0)
        #expect(equalizer.bands.allSatisfy { $0.bypass && $0.gain == 0 && $0.bandwidth == 0.5 && $0.filterType == .parametric })
        let band = equalizer.bands[2]
        for type in AudioUnitEQFilterType.allCases {
            band.filterType = type
            #expect(band.filterType == type)
        }
        (band.frequency, band.bandwidth, band.gain, equalizer.globalGain) = (5, 50, -200, 30)
        #expect(Self.isNear(band.frequency, 20) && band.bandwidth == 5 && band.gain == -96 && equalizer.globalGain == 24)
        #expect(AudioUnitEQ(numberOfBands: 0).bands.isEmpty && AudioUnitEQ(numberOfBands: 99).bands.count == 16)
    }

    /// A sine of 1 kHz goes through a low-pass of 200 Hz, and through a delay.
    @Test func theyAreHeard() throws {
        func heard(_ node: AudioUnit) throws -> [Float] {
            let engine = try AudioEngine.offline()
            let player = AudioPlayerNode()
            engine.attach(player)
            engine.attach(node)
            try engine.connect(player, to: node)
            try engine.connect(node, to: engine.mainMixerNode)
            player.scheduleBuffer(try Sounds.buffer(9600) { _, frame in 0.5 * sin(Float(frame) * 2 * .pi / 48) })
            try engine.start()
            player.play()
            return try engine.render(14_400)[0]
        }
        let equalizer = AudioUnitEQ(numberOfBands: 1)
        (equalizer.bands[0].filterType, equalizer.bands[0].frequency, equalizer.bands[0].bypass) = (.lowPass, 200, false)
        #expect(try heard(equalizer)[4800..<9600].allSatisfy { abs($0) < 0.03 })
        let delay = AudioUnitDelay()
        (delay.delayTime, delay.feedback) = (0.1, 0)
        let echo = try heard(delay)
        #expect(echo[0..<4700].allSatisfy { $0 == 0 } && echo[5000..<9600].contains { abs($0) > 0.4 })
        #expect(try heard(AudioUnitReverb())[10_000...].contains { abs($0) > 0.001 })
        #expect(try heard(AudioUnitDistortion()).contains { abs($0) > 0.1 })
    }

    /// A chain gives each unit one frame for each that it takes.
    @Test func aRateIsRefusedWhereNothingStretchesTime() throws {
        let engine = try AudioEngine.offline()
        let effect = AudioUnitEffect(PluginUnit(try Build.unit("Varispeed")))
        engine.attach(effect)
        try engine.connect(effect, to: engine.mainMixerNode)
        try effect.unit.setValue(2, of: "rate")
        #expect(throws: AudioEngineError.self) { try engine.start() }
        try effect.unit.setValue(1, of: "rate")
        try engine.start()
    }

    /// An installation without plug-ins: nothing traps, and the engine says what is missing.
    @Test func withoutThePlugInTheEngineSaysWhatIsMissing() throws {
        let node = AudioUnit(starting: "aufx:none:blkh", name: "Nothing")
        #expect(node.value("mix") == 0 && !node.bypass)
        node.set("mix", 5, within: 0...100)
        node.bypass = true
        let engine = try AudioEngine.offline()
        engine.attach(node)
        try engine.connect(node, to: engine.mainMixerNode)
        let error = #expect(throws: AudioEngineError.self) { try engine.start() }
        guard case .unit(node: "Nothing", .unknownComponent)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        engine.detach(node)
        try engine.start()
    }
}

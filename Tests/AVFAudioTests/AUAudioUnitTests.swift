// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The unit behind a node: parameters, presets, state, and MIDI. Test thread.

import AVFoundation
import Synchronization
import TestSupport
import Testing

@Suite struct AUAudioUnitTests {
    private let stereo = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)!

    private func description(_ subtype: OSType) -> AudioComponentDescription {
        AudioComponentDescription(
            componentType: kAudioUnitType_Effect, componentSubType: subtype,
            componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    }

    @Test func parametersAreReadAndSetByAddressAndKeyPath() throws {
        let delay = AVAudioUnitDelay()
        let unit = delay.auAudioUnit
        #expect(unit === delay.auAudioUnit && unit.audioUnitName == "Delay")
        let tree = try #require(unit.parameterTree)
        let time = try #require(tree.value(forKeyPath: "time") as? AUParameter)
        #expect(tree.parameter(withAddress: time.address) === time && tree.allParameters.contains { $0 === time })
        #expect(time.unit == .seconds && time.flags.contains(.flag_IsWritable) && time.minValue == 0 && time.value == 1)
        time.value = 0.25
        #expect(delay.delayTime == 0.25)
        delay.delayTime = 0.5
        #expect(time.value == 0.5)
        time.value = 1000
        #expect(time.value == time.maxValue)
        time.value = .nan
        #expect(time.value == time.maxValue)
        #expect(tree.parameter(withAddress: 1 << 40) == nil && tree.value(forKeyPath: "time.time") == nil)
        #expect(tree.parameter(withID: AudioUnitParameterID(time.address), scope: kAudioUnitScope_Global, element: 0) === time)
        #expect(tree.parameter(withID: AudioUnitParameterID(time.address), scope: kAudioUnitScope_Output, element: 0) == nil)
    }

    @Test func parametersInGroupsHaveKeyPaths() throws {
        let equalizer = AVAudioUnitEQ(numberOfBands: 2)
        let tree = try #require(equalizer.auAudioUnit.parameterTree)
        let band = try #require(tree.value(forKey: "band2") as? AUParameterGroup)
        let gain = try #require(band.value(forKey: "gain") as? AUParameter)
        #expect(gain.keyPath == "band2.gain" && tree.value(forKeyPath: "band2.gain") as? AUParameter === gain)
        gain.value = -6
        #expect(equalizer.bands[1].gain == -6 && equalizer.bands[0].gain == 0)
        #expect(gain.string(fromValue: nil).contains("dB"))
    }

    @Test func observersHearOfChangesButNotOfTheirOwn() throws {
        let delay = AVAudioUnitDelay()
        let tree = try #require(delay.auAudioUnit.parameterTree)
        let mix = try #require(tree.value(forKey: "mix") as? AUParameter)
        let feedback = try #require(tree.value(forKey: "feedback") as? AUParameter)
        let heard = Heard()
        let (mixToken, treeToken) = (
            mix.token(byAddingParameterObserver: { _, value in heard.add("mix \(value)") }),
            tree.token(byAddingParameterObserver: { address, value in heard.add("\(address) \(value)") })
        )
        mix.setValue(10, originator: treeToken)
        feedback.value = 20
        delay.wetDryMix = 30
        #expect(Set(heard.all) == ["mix 10.0", "\(feedback.address) 20.0", "mix 30.0", "\(mix.address) 30.0"])
        #expect(heard.all.count == 4)
        tree.removeParameterObserver(mixToken)
        tree.removeParameterObserver(treeToken)
        mix.value = 40
        #expect(heard.all.count == 4)
    }

    @Test func presetsAndStateGoFromUnitToUnit() throws {
        let unit = try AUAudioUnit(componentDescription: description(kAudioUnitSubType_Delay))
        #expect(unit.currentPreset == nil && (unit.factoryPresets?.count ?? 0) > 3)
        let preset = try #require(unit.factoryPresets?.first { $0.name == "Comb" })
        unit.currentPreset = preset
        #expect(unit.currentPreset?.number == preset.number && unit.currentPreset?.name == "Comb")
        let feedback = try #require(unit.parameterTree?.value(forKey: "feedback") as? AUParameter)
        #expect(feedback.value == -85)
        unit.currentPreset = {
            $0.number = 4711
            return $0
        }(AUAudioUnitPreset())
        #expect(unit.currentPreset?.name == "Comb")

        let state = try #require(unit.fullState)
        #expect(state[kAUPresetSubtypeKey] as? Int == Int(unit.componentDescription.componentSubType))
        let bytes = try PropertyListSerialization.data(fromPropertyList: state, format: .binary, options: 0)
        let read = try #require(try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any])
        let other = AVAudioUnitDelay()
        other.auAudioUnit.fullState = read
        #expect(other.feedback == -85 && other.wetDryMix == 50)
        other.auAudioUnit.fullState = ["type": "nonsense"]
        other.auAudioUnit.fullState = nil
        #expect(other.feedback == -85)
        let reverb = AVAudioUnitReverb()
        reverb.wetDryMix = 12
        reverb.auAudioUnit.fullState = read
        #expect(reverb.wetDryMix == 12)
    }

    @Test func aUnitByItselfTakesResourcesAndGivesThemBack() throws {
        let unit = try AUAudioUnit(componentDescription: description(kAudioUnitSubType_Delay), options: [])
        unit.maximumFramesToRender = 256
        #expect(unit.maximumFramesToRender == 256 && !unit.renderResourcesAllocated)
        try unit.outputBusses[0].setFormat(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1)!)
        #expect(unit.inputBusses.count == 1 && unit.inputBusses[0].format.sampleRate == 44_100)
        try unit.allocateRenderResources()
        #expect(unit.renderResourcesAllocated)
        #expect(throws: (any Error).self) { try unit.allocateRenderResources() }
        unit.reset()
        unit.deallocateRenderResources()
        #expect(!unit.renderResourcesAllocated)
        #expect(throws: (any Error).self) { try AUAudioUnit(componentDescription: description(kAudioUnitSubType_PeakLimiter)) }
    }

    @Test func aNodeWithoutAPlugInHasAnEmptyUnit() {
        for node in [AVAudioMixerNode(), AVAudioPlayerNode(), AVAudioUnitEffect(audioComponentDescription: description(1))] {
            let unit = node.auAudioUnit
            #expect(unit.parameterTree == nil && unit.fullState == nil && unit.factoryPresets == nil)
            #expect(unit.scheduleMIDIEventBlock == nil && unit.userPresets.isEmpty && unit.audioUnitName == nil)
            unit.currentPreset = AUAudioUnitPreset()
            unit.shouldBypassEffect = true
            unit.maximumFramesToRender = 64
            unit.scheduleParameterBlock(AUEventSampleTimeImmediate, 0, 0, 1)
            #expect(unit.currentPreset == nil && unit.maximumFramesToRender == 8192)
            #expect(unit.inputBusses[-1].format.channelCount == 0 && unit.inputBusses[-1].name == nil)
            #expect(throws: AUAudioUnitError.noPlugin) { try unit.allocateRenderResources() }
            unit.deallocateRenderResources()
            unit.reset()
        }
    }

    @Test func theEndsOfAnEngineKnowItsLongestCycle() throws {
        let engine = AVAudioEngine()
        try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 480)
        #expect(engine.outputNode.auAudioUnit.maximumFramesToRender == 480)
        #expect(engine.inputNode.auAudioUnit.outputBusses[0].format == engine.inputNode.outputFormat(forBus: 0))
        engine.disableManualRenderingMode()
        #expect(engine.outputNode.auAudioUnit.maximumFramesToRender == 8192)
    }

    @Test func bypassIsThatOfTheNode() {
        let delay = AVAudioUnitDelay()
        delay.auAudioUnit.shouldBypassEffect = true
        #expect(delay.bypass)
        let pitch = AVAudioUnitTimePitch()
        pitch.bypass = true
        #expect(pitch.auAudioUnit.shouldBypassEffect)
        pitch.overlap = 100
        #expect(pitch.overlap == 32)
        pitch.overlap = .nan
        #expect(pitch.overlap == 32 && AVAudioUnitTimePitch().overlap == 8)
    }

    @Test func changesAreScheduledByAddress() throws {
        let engine = AVAudioEngine()
        try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 4096)
        let (player, delay) = (AVAudioPlayerNode(), AVAudioUnitDelay())
        engine.attach(player)
        engine.attach(delay)
        engine.connect(player, to: delay, format: stereo)
        engine.connect(delay, to: engine.mainMixerNode, format: stereo)
        let (unit, output) = (delay.auAudioUnit, AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 4096)!)
        let mix = try #require(unit.parameterTree?.value(forKey: "mix") as? AUParameter)
        unit.scheduleParameterBlock(0, 0, mix.address, 90)
        #expect(mix.value == 90)
        try engine.start()
        #expect(try engine.renderOffline(4096, to: output) == .success)
        unit.scheduleParameterBlock(AUEventSampleTimeImmediate, 0, mix.address, 80)
        #expect(mix.value == 80)
        unit.scheduleParameterBlock(8192, 0, mix.address, 20)
        unit.scheduleParameterBlock(8192, 0, mix.address, .nan)
        #expect(mix.value == 80)
        for _ in 0..<3 { #expect(try engine.renderOffline(4096, to: output) == .success) }
        // What is set later comes after what was due.
        delay.feedback = 10
        #expect(mix.value == 20)
        #expect(throws: (any Error).self) { try unit.allocateRenderResources() }
        unit.deallocateRenderResources()
        #expect(unit.renderResourcesAllocated)
    }

    @Test(arguments: [true, false])
    func midiIsHeard(isSentBeforeTheStart: Bool) throws {
        let engine = AVAudioEngine()
        try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 4096)
        let sampler = AVAudioUnitSampler()
        engine.attach(sampler)
        engine.connect(sampler, to: engine.mainMixerNode, format: stereo)
        let block = try #require(sampler.auAudioUnit.scheduleMIDIEventBlock)
        let notes: [UInt8] = [0x90, 60, 100, 0x90, 64, 100]
        if isSentBeforeTheStart { block(AUEventSampleTimeImmediate, 0, notes.count, notes) }
        try engine.start()
        let output = AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 4096)!
        #expect(try engine.renderOffline(4096, to: output) == .success)
        if !isSentBeforeTheStart {
            #expect((0..<4096).allSatisfy { output.floatChannelData![0][$0] == 0 })
            block(8192, 0, notes.count, notes)
            block(AUEventSampleTimeImmediate, 0, 2, [0x90, 60])
            #expect(try engine.renderOffline(4096, to: output) == .success)
            #expect((0..<4096).allSatisfy { output.floatChannelData![0][$0] == 0 })
        }
        #expect(try engine.renderOffline(4096, to: output) == .success)
        #expect((0..<4096).contains { abs(output.floatChannelData![0][$0]) > 0.001 })
    }
}

/// What observers have heard.
private final class Heard: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

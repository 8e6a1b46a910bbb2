// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Each symbol of units, typed as on Apple's systems. Compiled, never run: a wrong type is an error.

import AVFoundation

func useAVAudioUnit(_ description: AudioComponentDescription) async throws {
    let done: @Sendable (AVAudioUnit?, (any Error)?) -> Void = { _, _ in }
    AVAudioUnit.instantiate(with: description, options: [], completionHandler: done)
    let unit: AVAudioUnit = try await AVAudioUnit.instantiate(with: description, options: .loadOutOfProcess)
    let name: String = unit.name
    _ = name
}

func useAVAudioUnitComponent(_ component: AVAudioUnitComponent) {
    let description: AudioComponentDescription = component.audioComponentDescription
    let name: String = component.name
    _ = (description, name)
}

func useAVAudioUnitComponentManager(_ description: AudioComponentDescription) {
    let manager: AVAudioUnitComponentManager = AVAudioUnitComponentManager.shared()
    let components: [AVAudioUnitComponent] = manager.components(matching: description)
    let other: AVAudioUnitComponentManager = AVAudioUnitComponentManager()
    _ = (components, other)
}

func useAVAudioUnitDelay() {
    let delay: AVAudioUnitDelay = AVAudioUnitDelay()
    let time: TimeInterval = delay.delayTime
    delay.delayTime = time
    let feedback: Float = delay.feedback
    delay.feedback = feedback
    let cutoff: Float = delay.lowPassCutoff
    delay.lowPassCutoff = cutoff
    let mix: Float = delay.wetDryMix
    delay.wetDryMix = mix
}

func useAVAudioUnitDistortion() {
    let distortion: AVAudioUnitDistortion = AVAudioUnitDistortion()
    distortion.loadFactoryPreset(AVAudioUnitDistortionPreset.multiEcho1)
    let gain: Float = distortion.preGain
    distortion.preGain = gain
    let mix: Float = distortion.wetDryMix
    distortion.wetDryMix = mix
}

func useAVAudioUnitDistortionPreset() {
    let preset: AVAudioUnitDistortionPreset = .drumsBitBrush
    let raw: Int = preset.rawValue
    _ = raw
}

func useAVAudioUnitEQ() {
    let equalizer: AVAudioUnitEQ = AVAudioUnitEQ(numberOfBands: 4 as Int)
    let bands: [AVAudioUnitEQFilterParameters] = equalizer.bands
    let gain: Float = equalizer.globalGain
    equalizer.globalGain = gain
    _ = bands
}

func useAVAudioUnitEQFilterParameters(_ band: AVAudioUnitEQFilterParameters) {
    let bandwidth: Float = band.bandwidth
    band.bandwidth = bandwidth
    let bypass: Bool = band.bypass
    band.bypass = bypass
    let type: AVAudioUnitEQFilterType = band.filterType
    band.filterType = type
    let frequency: Float = band.frequency
    band.frequency = frequency
    let gain: Float = band.gain
    band.gain = gain
}

func useAVAudioUnitEQFilterType() {
    let all: [AVAudioUnitEQFilterType] = [.parametric, .lowPass, .highPass, .bandPass, .lowShelf, .highShelf]
    let raw: Int = all[0].rawValue
    _ = raw
}

func useAVAudioUnitEffect(_ description: AudioComponentDescription) {
    let effect: AVAudioUnitEffect = AVAudioUnitEffect(audioComponentDescription: description)
    let bypass: Bool = effect.bypass
    effect.bypass = bypass
}

func useAVAudioUnitTimeEffect(_ effect: AVAudioUnitTimeEffect) {
    let bypass: Bool = effect.bypass
    effect.bypass = bypass
}

func useAVAudioUnitTimePitch(_ description: AudioComponentDescription) {
    var effect: AVAudioUnitTimePitch = AVAudioUnitTimePitch()
    effect = AVAudioUnitTimePitch(audioComponentDescription: description)
    let overlap: Float = effect.overlap
    effect.overlap = overlap
    let pitch: Float = effect.pitch
    effect.pitch = pitch
    let rate: Float = effect.rate
    effect.rate = rate
}

func useAVAudioUnitVarispeed() {
    let effect: AVAudioUnitVarispeed = AVAudioUnitVarispeed()
    let rate: Float = effect.rate
    effect.rate = rate
}

func useAVAudioUnitMIDIInstrument(_ description: AudioComponentDescription) {
    let instrument: AVAudioUnitMIDIInstrument = AVAudioUnitMIDIInstrument(audioComponentDescription: description)
    instrument.startNote(60 as UInt8, withVelocity: 100 as UInt8, onChannel: 0 as UInt8)
    instrument.stopNote(60 as UInt8, onChannel: 0 as UInt8)
    instrument.sendController(7 as UInt8, withValue: 100 as UInt8, onChannel: 0 as UInt8)
}

func useAVAudioUnitSampler(_ url: URL) throws {
    let sampler: AVAudioUnitSampler = AVAudioUnitSampler()
    try sampler.loadSoundBankInstrument(at: url, program: 0 as UInt8, bankMSB: UInt8(kAUSampler_DefaultMelodicBankMSB), bankLSB: 0)
    try sampler.loadInstrument(at: url)
    try sampler.loadAudioFiles(at: [url] as [URL])
    let tuning: Float = sampler.globalTuning
    sampler.globalTuning = tuning
    let gain: Float = sampler.overallGain
    sampler.overallGain = gain
}

func useAVAudioUnitReverb() {
    let reverb: AVAudioUnitReverb = AVAudioUnitReverb()
    reverb.loadFactoryPreset(AVAudioUnitReverbPreset.plate)
    let mix: Float = reverb.wetDryMix
    reverb.wetDryMix = mix
}

func useAVAudioUnitReverbPreset() {
    let rooms: [AVAudioUnitReverbPreset] = [.smallRoom, .mediumRoom, .largeRoom, .largeRoom2]
    let halls: [AVAudioUnitReverbPreset] = [.mediumHall, .mediumHall2, .mediumHall3, .largeHall, .largeHall2]
    let others: [AVAudioUnitReverbPreset] = [.plate, .mediumChamber, .largeChamber, .cathedral]
    let raw: Int = rooms[0].rawValue
    _ = (halls, others, raw)
}

func useAUAudioUnit(_ description: AudioComponentDescription, _ bytes: UnsafePointer<UInt8>) throws {
    let unit: AUAudioUnit = try AUAudioUnit(componentDescription: description, options: [])
    let preset: AUAudioUnitPreset? = unit.currentPreset
    unit.currentPreset = preset
    let presets: [AUAudioUnitPreset]? = unit.factoryPresets
    let state: [String: Any]? = unit.fullState
    unit.fullState = state
    let inputs: AUAudioUnitBusArray = unit.inputBusses
    let outputs: AUAudioUnitBusArray = unit.outputBusses
    let format: AVAudioFormat = outputs[0].format
    let most: AUAudioFrameCount = unit.maximumFramesToRender
    unit.maximumFramesToRender = most
    let block: AUScheduleMIDIEventBlock? = unit.scheduleMIDIEventBlock
    block?(AUEventSampleTimeImmediate, 0 as UInt8, 3 as Int, bytes)
    let bypass: Bool = unit.shouldBypassEffect
    unit.shouldBypassEffect = bypass
    try unit.allocateRenderResources()
    unit.deallocateRenderResources()
    unit.reset()
    let tree: AUParameterTree? = unit.parameterTree
    _ = (presets, inputs, format, tree)
}

func useAUParameter(_ tree: AUParameterTree) {
    let parameter: AUParameter? = tree.parameter(withAddress: 1 as AUParameterAddress)
    let all: [AUParameter] = tree.allParameters
    let value: AUValue = all[0].value
    all[0].value = value
    let (low, high): (AUValue, AUValue) = (all[0].minValue, all[0].maxValue)
    let token: AUParameterObserverToken = tree.token(byAddingParameterObserver: { (address: AUParameterAddress, value: AUValue) in }
    )
    all[0].setValue(1 as AUValue, originator: token as AUParameterObserverToken?)
    tree.removeParameterObserver(token)
    _ = (parameter, low, high)
}

func useAudioComponentDescription() {
    var description: AudioComponentDescription = AudioComponentDescription()
    description = AudioComponentDescription(
        componentType: kAudioUnitType_Effect, componentSubType: kAudioUnitSubType_Delay,
        componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0 as UInt32, componentFlagsMask: 0 as UInt32)
    let type: OSType = description.componentType
    _ = type
}

func useAudioComponentInstantiationOptions() {
    let options: AudioComponentInstantiationOptions = [.loadInProcess, .loadOutOfProcess]
    _ = options
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Each symbol of the engine and its nodes, typed as on Apple's systems. Compiled, never run: a wrong type is an error.

import AVFoundation

func useAVAudioEngine(_ a: AVAudioNode, _ b: AVAudioNode, _ format: AVAudioFormat, _ buffer: AVAudioPCMBuffer) throws {
    let engine: AVAudioEngine = AVAudioEngine()
    engine.attach(a)
    let attached: Set<AVAudioNode> = engine.attachedNodes
    engine.connect(a, to: b, format: format as AVAudioFormat?)
    engine.connect(a, to: [AVAudioConnectionPoint(node: b, bus: 0)], fromBus: 0 as AVAudioNodeBus, format: nil)
    engine.connect(a, to: b, fromBus: 0 as AVAudioNodeBus, toBus: 0 as AVAudioNodeBus, format: nil)
    let point: AVAudioConnectionPoint? = engine.inputConnectionPoint(for: b, inputBus: 0 as AVAudioNodeBus)
    let points: [AVAudioConnectionPoint] = engine.outputConnectionPoints(for: a, outputBus: 0 as AVAudioNodeBus)
    engine.disconnectNodeInput(b)
    engine.disconnectNodeInput(b, bus: 0 as AVAudioNodeBus)
    engine.disconnectNodeOutput(a)
    engine.disconnectNodeOutput(a, bus: 0 as AVAudioNodeBus)
    engine.detach(a)
    let input: AVAudioInputNode = engine.inputNode
    let output: AVAudioOutputNode = engine.outputNode
    let mixer: AVAudioMixerNode = engine.mainMixerNode
    let shutsDown: Bool = engine.isAutoShutdownEnabled
    engine.isAutoShutdownEnabled = shutsDown
    let isRunning: Bool = engine.isRunning
    engine.prepare()
    try engine.start()
    engine.pause()
    engine.reset()
    engine.stop()
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512 as AVAudioFrameCount)
    let isManual: Bool = engine.isInManualRenderingMode
    let block: AVAudioEngineManualRenderingBlock = engine.manualRenderingBlock
    let manualFormat: AVAudioFormat = engine.manualRenderingFormat
    let most: AVAudioFrameCount = engine.manualRenderingMaximumFrameCount
    let time: AVAudioFramePosition = engine.manualRenderingSampleTime
    let status: AVAudioEngineManualRenderingStatus = try engine.renderOffline(most, to: buffer)
    engine.disableManualRenderingMode()
    _ = (attached, point, points, input, output, mixer, isRunning, isManual, block, manualFormat, time, status)
}

func useAVAudioEngineManualRenderingBlock(_ engine: AVAudioEngine, _ list: UnsafeMutablePointer<AudioBufferList>) {
    var error: OSStatus = noErr
    let made: AVAudioEngineManualRenderingBlock = engine.manualRenderingBlock
    let status: AVAudioEngineManualRenderingStatus = made(1 as AVAudioFrameCount, list, &error)
    _ = status
}

func useAVAudioEngineManualRenderingMode() {
    let all: [AVAudioEngineManualRenderingMode] = [.offline, .realtime]
    let raw: Int = all[0].rawValue
    _ = raw
}

func useAVAudioEngineManualRenderingStatus() {
    let all: [AVAudioEngineManualRenderingStatus] = [.success, .insufficientDataFromInputNode, .cannotDoInCurrentContext, .error]
    let raw: Int = all[0].rawValue
    _ = raw
}

func useAVAudioConnectionPoint(_ node: AVAudioNode) {
    let point: AVAudioConnectionPoint = AVAudioConnectionPoint(node: node, bus: 0 as AVAudioNodeBus)
    let owner: AVAudioNode? = point.node
    let bus: AVAudioNodeBus = point.bus
    _ = (owner, bus)
}

func useAVAudioNode(_ node: AVAudioNode, _ format: AVAudioFormat) {
    let unit: AUAudioUnit = node.auAudioUnit
    let engine: AVAudioEngine? = node.engine
    let input: AVAudioFormat = node.inputFormat(forBus: 0 as AVAudioNodeBus)
    let output: AVAudioFormat = node.outputFormat(forBus: 0 as AVAudioNodeBus)
    let block: AVAudioNodeTapBlock = { (buffer: AVAudioPCMBuffer, when: AVAudioTime) in }
    node.installTap(onBus: 0, bufferSize: 1024 as AVAudioFrameCount, format: format as AVAudioFormat?, block: block)
    node.removeTap(onBus: 0 as AVAudioNodeBus)
    let time: AVAudioTime? = node.lastRenderTime
    let count: Int = node.numberOfOutputs
    node.reset()
    _ = (unit, engine, input, output, time, count)
}

func useAVAudioIONode(_ node: AVAudioIONode) throws {
    let isEnabled: Bool = node.isVoiceProcessingEnabled
    try node.setVoiceProcessingEnabled(!isEnabled)
}

func useAVAudioInputNode(_ node: AVAudioInputNode, _ format: AVAudioFormat) {
    let isMuted: Bool = node.isVoiceProcessingInputMuted
    node.isVoiceProcessingInputMuted = isMuted
    let block: AVAudioIONodeInputBlock = { (count: AVAudioFrameCount) in nil as UnsafePointer<AudioBufferList>? }
    let isTaken: Bool = node.setManualRenderingInputPCMFormat(format, inputBlock: block)
    let ducking: AVAudioVoiceProcessingOtherAudioDuckingConfiguration = node.voiceProcessingOtherAudioDuckingConfiguration
    node.voiceProcessingOtherAudioDuckingConfiguration = ducking
    let listener: (AVAudioVoiceProcessingSpeechActivityEvent) -> Void = { event in _ = event == .started || event == .ended }
    let isHeard: Bool = node.setMutedSpeechActivityEventListener(listener)
    _ = (isTaken, isHeard)
}

func useAVAudioVoiceProcessingOtherAudioDuckingConfiguration() {
    let level: AVAudioVoiceProcessingOtherAudioDuckingConfiguration.Level = .min
    var ducking = AVAudioVoiceProcessingOtherAudioDuckingConfiguration(enableAdvancedDucking: true, duckingLevel: level)
    ducking = AVAudioVoiceProcessingOtherAudioDuckingConfiguration(enableAdvancedDucking: ObjCBool(false), duckingLevel: .max)
    let isAdvanced: ObjCBool = ducking.enableAdvancedDucking
    ducking.enableAdvancedDucking = true
    let given: AVAudioVoiceProcessingOtherAudioDuckingConfiguration.Level = ducking.duckingLevel
    _ = (isAdvanced, given)
}

func useAVAudioOutputNode(_ engine: AVAudioEngine) {
    let node: AVAudioOutputNode = engine.outputNode
    _ = node
}

func useAVAudioMixerNode() {
    let mixer: AVAudioMixerNode = AVAudioMixerNode()
    let bus: AVAudioNodeBus = mixer.nextAvailableInputBus
    let volume: Float = mixer.outputVolume
    mixer.outputVolume = volume
    _ = bus
}

func useAVAudioMixing(_ player: AVAudioPlayerNode, _ mixer: AVAudioMixerNode) {
    let source: any AVAudioMixing = player
    let volume: Float = source.volume
    source.volume = volume
    let destination: AVAudioMixingDestination? = source.destination(forMixer: mixer, bus: 0 as AVAudioNodeBus)
    _ = destination
}

func useAVAudioStereoMixing(_ source: any AVAudioStereoMixing) {
    let pan: Float = source.pan
    source.pan = pan
}

func useAVAudioSourceNode(_ format: AVAudioFormat) {
    let block: AVAudioSourceNodeRenderBlock = { _, _, _, _ in noErr }
    var node: AVAudioSourceNode = AVAudioSourceNode(renderBlock: block)
    node = AVAudioSourceNode(format: format, renderBlock: block)
    _ = node
}

func useAVAudioSourceNodeRenderBlock() {
    let block: AVAudioSourceNodeRenderBlock = {
        (
            isSilence: UnsafeMutablePointer<ObjCBool>, stamp: UnsafePointer<AudioTimeStamp>, count: AVAudioFrameCount,
            list: UnsafeMutablePointer<AudioBufferList>
        ) -> OSStatus in
        isSilence.pointee = true
        return noErr
    }
    _ = block
}

func useAVAudioSinkNode() {
    let block: AVAudioSinkNodeReceiverBlock = {
        (stamp: UnsafePointer<AudioTimeStamp>, count: AVAudioFrameCount, list: UnsafePointer<AudioBufferList>) in noErr
    }
    let node: AVAudioSinkNode = AVAudioSinkNode(receiverBlock: block)
    _ = node
}

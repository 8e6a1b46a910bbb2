// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Each symbol of sound in space, typed as on Apple's systems. Compiled, never run: a wrong type is an error.

import AVFoundation

func useAVAudio3DPoint() {
    let point: AVAudio3DPoint = AVAudio3DPoint(x: 1 as Float, y: 1 as Float, z: 1 as Float)
    _ = point
}

func useAVAudio3DVector() {
    let vector: AVAudio3DVector = AVAudio3DVector(x: 1 as Float, y: 1 as Float, z: 1 as Float)
    _ = vector
}

func useAVAudio3DAngularOrientation() {
    let orientation: AVAudio3DAngularOrientation = AVAudio3DAngularOrientation(yaw: 1 as Float, pitch: 1 as Float, roll: 1 as Float)
    _ = orientation
}

func useAVAudio3DVectorOrientation(_ vector: AVAudio3DVector) {
    let orientation: AVAudio3DVectorOrientation = AVAudio3DVectorOrientation(forward: vector, up: vector)
    let forward: AVAudio3DVector = orientation.forward
    let up: AVAudio3DVector = orientation.up
    _ = (forward, up)
}

func useAVAudio3DMixing(_ player: AVAudioPlayerNode, _ mixer: AVAudioMixerNode, _ destination: AVAudioMixingDestination) {
    let sources: [AVAudio3DMixing] = [player, mixer, destination]
    let source: AVAudio3DMixing = sources[0]
    let position: AVAudio3DPoint = source.position
    source.position = position
    let mode: AVAudio3DMixingSourceMode = source.sourceMode
    source.sourceMode = mode
    let algorithm: AVAudio3DMixingRenderingAlgorithm = source.renderingAlgorithm
    source.renderingAlgorithm = algorithm
    let inHead: AVAudio3DMixingPointSourceInHeadMode = source.pointSourceInHeadMode
    source.pointSourceInHeadMode = inHead
    let obstruction: Float = source.obstruction
    source.obstruction = obstruction
    let occlusion: Float = source.occlusion
    source.occlusion = occlusion
    let blend: Float = source.reverbBlend
    source.reverbBlend = blend
    let rate: Float = source.rate
    source.rate = rate
    player.renderingAlgorithm = .equalPowerPanning
    player.sourceMode = .bypass
    destination.pointSourceInHeadMode = .mono
}

func useAVAudio3DMixingRenderingAlgorithm() {
    let all: [AVAudio3DMixingRenderingAlgorithm] = [
        .equalPowerPanning, .sphericalHead, .HRTF, .HRTFHQ, .soundField, .stereoPassThrough, .auto,
    ]
    let raw: Int = all[0].rawValue
    let made: AVAudio3DMixingRenderingAlgorithm? = AVAudio3DMixingRenderingAlgorithm(rawValue: raw)
    _ = made
}

func useAVAudio3DMixingSourceMode() {
    let all: [AVAudio3DMixingSourceMode] = [.spatializeIfMono, .bypass, .pointSource, .ambienceBed]
    let raw: Int = all[0].rawValue
    _ = raw
}

func useAVAudioEnvironmentNode(_ engine: AVAudioEngine) {
    let environment: AVAudioEnvironmentNode = AVAudioEnvironmentNode()
    engine.attach(environment)
    environment.listenerPosition = AVAudioMake3DPoint(0, 0, 0)
    let position: AVAudio3DPoint = environment.listenerPosition
    let vectors: AVAudio3DVectorOrientation = environment.listenerVectorOrientation
    environment.listenerVectorOrientation = AVAudioMake3DVectorOrientation(vectors.forward, vectors.up)
    let angles: AVAudio3DAngularOrientation = environment.listenerAngularOrientation
    environment.listenerAngularOrientation = AVAudioMake3DAngularOrientation(angles.yaw, angles.pitch, angles.roll)
    let parameters: AVAudioEnvironmentDistanceAttenuationParameters = environment.distanceAttenuationParameters
    let type: AVAudioEnvironmentOutputType = environment.outputType
    environment.outputType = type
    let volume: Float = environment.outputVolume
    environment.outputVolume = volume
    let bus: AVAudioNodeBus = environment.nextAvailableInputBus
    let algorithms: [NSNumber] = environment.applicableRenderingAlgorithms
    let source: any AVAudioMixing = environment
    let room: AVAudioEnvironmentReverbParameters = environment.reverbParameters
    _ = (position, parameters, bus, algorithms, source, room)
}

func useAVAudioEnvironmentDistanceAttenuationParameters(_ environment: AVAudioEnvironmentNode) {
    let parameters: AVAudioEnvironmentDistanceAttenuationParameters = environment.distanceAttenuationParameters
    let model: AVAudioEnvironmentDistanceAttenuationModel = parameters.distanceAttenuationModel
    parameters.distanceAttenuationModel = model
    let reference: Float = parameters.referenceDistance
    parameters.referenceDistance = reference
    let most: Float = parameters.maximumDistance
    parameters.maximumDistance = most
    let factor: Float = parameters.rolloffFactor
    parameters.rolloffFactor = factor
}

func useAVAudioEnvironmentDistanceAttenuationModel() {
    let all: [AVAudioEnvironmentDistanceAttenuationModel] = [.exponential, .inverse, .linear]
    let raw: Int = all[0].rawValue
    _ = raw
}

func useAVAudioEnvironmentOutputType() {
    let all: [AVAudioEnvironmentOutputType] = [.auto, .headphones, .builtInSpeakers, .externalSpeakers]
    let raw: Int = all[0].rawValue
    _ = raw
}

func useAVAudioEnvironmentReverbParameters(_ environment: AVAudioEnvironmentNode) {
    let room: AVAudioEnvironmentReverbParameters = environment.reverbParameters
    room.enable = true
    let level: Float = room.level
    room.level = level
    room.loadFactoryReverbPreset(.largeHall)
    let filter: AVAudioUnitEQFilterParameters = room.filterParameters
    filter.bypass = false
}

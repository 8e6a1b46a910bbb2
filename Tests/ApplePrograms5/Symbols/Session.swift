// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Each symbol of the audio session, typed as on Apple's systems. Compiled, never run: a wrong type is an error.

import AVFoundation

func useAVAudioApplication() {
    let isMuted: Bool = AVAudioApplication.shared.isInputMuted
    _ = isMuted
}

func useAVAudioSession(_ port: AVAudioSessionPortDescription, _ source: AVAudioSessionDataSourceDescription) throws {
    let session: AVAudioSession = AVAudioSession.sharedInstance()
    let keys: [String] = [
        AVAudioSessionInterruptionOptionKey, AVAudioSessionInterruptionTypeKey, AVAudioSessionRouteChangePreviousRouteKey,
        AVAudioSessionRouteChangeReasonKey,
    ]
    let inputs: [AVAudioSessionPortDescription]? = session.availableInputs
    let category: AVAudioSession.Category = session.category
    let route: AVAudioSessionRouteDescription = session.currentRoute
    let names: [NSNotification.Name] = [
        AVAudioSession.interruptionNotification, AVAudioSession.mediaServicesWereResetNotification,
        AVAudioSession.routeChangeNotification,
    ]
    let times: [TimeInterval] = [session.ioBufferDuration, session.outputLatency]
    let isOther: Bool = session.isOtherAudioPlaying
    let mode: AVAudioSession.Mode = session.mode
    try session.overrideOutputAudioPort(.speaker)
    let preferred: AVAudioSessionPortDescription? = session.preferredInput
    let count: Int = session.preferredOutputNumberOfChannels
    let rates: [Double] = [session.preferredSampleRate, session.sampleRate]
    let permission: AVAudioSession.RecordPermission = session.recordPermission
    session.requestRecordPermission { (isGranted: Bool) in _ = isGranted }
    // The call as it is without a trailing closure.
    let response: (Bool) -> Void = { _ in }
    session.requestRecordPermission(response)
    try session.setActive(true, options: .notifyOthersOnDeactivation)
    try session.setAllowHapticsAndSystemSoundsDuringRecording(true)
    try session.setCategory(.playback)
    try session.setCategory(.playAndRecord, mode: .default, options: [.mixWithOthers])
    try session.setCategory(.playback, options: .duckOthers)
    try session.setInputDataSource(source)
    try session.setPreferredIOBufferDuration(0.005)
    try session.setPreferredInput(port)
    try session.setPreferredOutputNumberOfChannels(2)
    try session.setPreferredSampleRate(48_000)
    _ = (keys, inputs, category, route, names, times, isOther, mode, preferred, count, rates, permission)
}

func useAVAudioSessionCategory() {
    let categories: [AVAudioSession.Category] = [.playAndRecord, .playback]
    _ = categories
}

func useAVAudioSessionCategoryOptions() {
    let options: AVAudioSession.CategoryOptions = [
        .allowAirPlay, .allowBluetooth, .allowBluetoothA2DP, .allowBluetoothHFP, .defaultToSpeaker, .duckOthers,
        .interruptSpokenAudioAndMixWithOthers, .mixWithOthers, .overrideMutedMicrophoneInterruption,
    ]
    _ = options
}

func useAVAudioSessionInterruptionOptions(_ value: UInt) {
    let options = AVAudioSession.InterruptionOptions(rawValue: value)
    let shouldResume: Bool = options.contains(.shouldResume)
    _ = shouldResume
}

func useAVAudioSessionInterruptionType(_ type: AVAudioSession.InterruptionType) {
    let isOver: Bool = type == .ended
    _ = isOver
}

func useAVAudioSessionMode() {
    let modes: [AVAudioSession.Mode] = [.default, .measurement, .videoChat, .voiceChat]
    _ = modes
}

func useAVAudioSessionPort() {
    let ports: [AVAudioSession.Port] = [
        .bluetoothA2DP, .bluetoothHFP, .bluetoothLE, .builtInReceiver, .builtInSpeaker, .headphones,
    ]
    let names: [String] = ports.map { $0.rawValue }
    _ = names
}

func useAVAudioSessionSetActiveOptions() {
    let options: AVAudioSession.SetActiveOptions = .notifyOthersOnDeactivation
    _ = options
}

func useAVAudioSessionDataSourceDescription(_ source: AVAudioSessionDataSourceDescription) {
    let name: String = source.dataSourceName
    _ = name
}

func useAVAudioSessionPortDescription(_ port: AVAudioSessionPortDescription) {
    let sources: [AVAudioSessionDataSourceDescription]? = port.dataSources
    let name: String = port.portName
    let type: AVAudioSession.Port = port.portType
    _ = (sources, name, type)
}

func useAVAudioSessionRouteDescription(_ route: AVAudioSessionRouteDescription) {
    let inputs: [AVAudioSessionPortDescription] = route.inputs
    let outputs: [AVAudioSessionPortDescription] = route.outputs
    _ = (inputs, outputs)
}

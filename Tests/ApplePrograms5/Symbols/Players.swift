// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Each symbol of players and recorders, typed as on Apple's systems. Compiled, never run: a wrong type is an error.

import AVFoundation

func useAVAudioPlayerNode(_ buffer: AVAudioPCMBuffer, _ file: AVAudioFile, _ time: AVAudioTime) async {
    let player: AVAudioPlayerNode = AVAudioPlayerNode()
    let done: AVAudioNodeCompletionHandler? = nil
    let over: (@Sendable (AVAudioPlayerNodeCompletionCallbackType) -> Void)? = nil
    let type: AVAudioPlayerNodeCompletionCallbackType = .dataPlayedBack
    player.scheduleBuffer(buffer, completionHandler: done)
    player.scheduleBuffer(buffer, at: nil, options: .loops, completionHandler: done)
    player.scheduleBuffer(buffer, completionCallbackType: type, completionHandler: over)
    player.scheduleBuffer(buffer, at: nil, options: [], completionCallbackType: type, completionHandler: over)
    await player.scheduleBuffer(buffer, at: nil, options: .interrupts)
    player.scheduleFile(file, at: nil, completionHandler: done)
    player.scheduleFile(file, at: nil, completionCallbackType: type, completionHandler: over)
    await player.scheduleFile(file, at: time as AVAudioTime?)
    player.scheduleSegment(file, startingFrame: 0, frameCount: 1 as AVAudioFrameCount, at: nil, completionHandler: done)
    player.play()
    player.play(at: time as AVAudioTime?)
    player.pause()
    player.stop()
    let isPlaying: Bool = player.isPlaying
    let playerTime: AVAudioTime? = player.playerTime(forNodeTime: time)
    _ = (isPlaying, playerTime)
}

func useAVAudioPlayerNodeBufferOptions() {
    let options: AVAudioPlayerNodeBufferOptions = [.loops, .interrupts, .interruptsAtLoop]
    let raw: UInt = options.rawValue
    _ = raw
}

func useAVAudioPlayerNodeCompletionCallbackType() {
    let all: [AVAudioPlayerNodeCompletionCallbackType] = [.dataConsumed, .dataRendered, .dataPlayedBack]
    let raw: Int = all[0].rawValue
    _ = raw
}

func useAVAudioPlayer(_ url: URL) throws {
    let player: AVAudioPlayer = try AVAudioPlayer(contentsOf: url)
    let time: TimeInterval = player.currentTime
    player.currentTime = time
    let delegate: (any AVAudioPlayerDelegate)? = player.delegate
    player.delegate = delegate
    let duration: TimeInterval = player.duration
    player.enableRate = true as Bool
    let rate: Float = player.rate
    player.rate = rate
    let isPlaying: Bool = player.isPlaying
    let channels: Int = player.numberOfChannels
    let isReady: Bool = player.prepareToPlay()
    let isStarted: Bool = player.play()
    player.pause()
    player.stop()
    _ = (duration, isPlaying, channels, isReady, isStarted)
}

func useAVAudioPlayerDelegate(_ delegate: any AVAudioPlayerDelegate, _ player: AVAudioPlayer) {
    delegate.audioPlayerDidFinishPlaying(player, successfully: true)
}

func useAVAudioRecorder(_ url: URL, _ settings: [String: Any]) throws {
    let recorder: AVAudioRecorder = try AVAudioRecorder(url: url, settings: settings)
    let time: TimeInterval = recorder.currentTime
    let isReady: Bool = recorder.prepareToRecord()
    let isStarted: Bool = recorder.record()
    recorder.stop()
    _ = (time, isReady, isStarted)
}

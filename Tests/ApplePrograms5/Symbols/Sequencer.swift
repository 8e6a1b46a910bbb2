// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Each symbol of the sequencer and its tracks, typed as on Apple's systems. Compiled, never run: a wrong type is an error.

import AVFoundation

func useAVAudioSequencer(_ engine: AVAudioEngine, _ url: URL, _ data: Data) throws {
    var sequencer: AVAudioSequencer = AVAudioSequencer()
    sequencer = AVAudioSequencer(audioEngine: engine)
    try sequencer.load(from: url, options: [] as AVMusicSequenceLoadOptions)
    try sequencer.load(from: data, options: .smfChannelsToTracks)
    let beats: TimeInterval = sequencer.currentPositionInBeats
    sequencer.currentPositionInBeats = beats
    let seconds: TimeInterval = sequencer.currentPositionInSeconds
    sequencer.currentPositionInSeconds = seconds
    let isPlaying: Bool = sequencer.isPlaying
    sequencer.prepareToPlay()
    let rate: Float = sequencer.rate
    sequencer.rate = rate
    let time: TimeInterval = sequencer.seconds(forBeats: 4 as AVMusicTimeStamp)
    try sequencer.start()
    sequencer.stop()
    let tracks: [AVMusicTrack] = sequencer.tracks
    let tempoTrack: AVMusicTrack = sequencer.tempoTrack
    try sequencer.write(to: url, smpteResolution: 480 as Int, replaceExisting: true)
    var error: NSError?
    let bytes: Data = sequencer.data(withSMPTEResolution: 0 as Int, error: &error)
    _ = (isPlaying, time, tracks, tempoTrack, bytes)
}

func useAVMusicSequenceLoadOptions() {
    let options: AVMusicSequenceLoadOptions = [.smfChannelsToTracks]
    let raw: UInt = options.rawValue
    _ = raw
}

func useAVMusicTrack(_ track: AVMusicTrack) {
    let unit: AVAudioUnit? = track.destinationAudioUnit
    track.destinationAudioUnit = unit
    let isLooping: Bool = track.isLoopingEnabled
    track.isLoopingEnabled = isLooping
    let isSoloed: Bool = track.isSoloed
    track.isSoloed = isSoloed
    let beats: AVMusicTimeStamp = track.lengthInBeats
    track.lengthInBeats = beats
    let seconds: TimeInterval = track.lengthInSeconds
    track.lengthInSeconds = seconds
    let range: AVBeatRange = track.loopRange
    track.loopRange = range
    let loops: Int = track.numberOfLoops
    track.numberOfLoops = AVMusicTrackLoopCount.forever.rawValue
    let offset: AVMusicTimeStamp = track.offsetTime
    track.offsetTime = offset
    _ = loops
}

func useAVMusicTrackLoopCount() {
    let count: AVMusicTrackLoopCount = .forever
    let raw: Int = count.rawValue
    _ = raw
}

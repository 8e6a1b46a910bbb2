// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sequencers and voice processing by the names of Apple's systems. Test thread.

import AVFoundation
import TestSupport
import Testing

@Suite struct SequencerNameTests {
    private let stereo = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)!

    /// A file with 96 ticks a quarter note: two quarter notes of middle C at 60 beats a minute, on the first and the second
    /// channel.
    private var file: Data {
        let track: [UInt8] = [
            0, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40, 0, 0x90, 60, 100, 96, 0x80, 60, 64, 0, 0x91, 60, 100, 96, 0x81, 60, 64, 0, 0xFF,
            0x2F,
            0,
        ]
        let head: [UInt8] = [0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 0, 0, 1, 0, 96, 0x4D, 0x54, 0x72, 0x6B, 0, 0, 0]
        return Data(head + [UInt8(track.count)] + track)
    }

    @Test func aFileIsLoadedFromMemoryAndPlayed() throws {
        let engine = AVAudioEngine()
        try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 4096)
        let sampler = AVAudioUnitSampler()
        engine.attach(sampler)
        engine.connect(sampler, to: engine.mainMixerNode, format: stereo)
        let sequencer = AVAudioSequencer(audioEngine: engine)
        try sequencer.load(from: file)
        #expect(sequencer.tracks.count == 1 && sequencer.tracks[0].lengthInBeats == 2 && sequencer.tracks[0].lengthInSeconds == 2)
        #expect(sequencer.tracks[0].timeResolution == 96 && sequencer.seconds(forBeats: 1.5) == 1.5)
        sequencer.tracks[0].destinationAudioUnit = sampler
        sequencer.rate = 2
        #expect(sequencer.rate == 2)
        sequencer.rate = 1
        sequencer.currentPositionInBeats = 1
        sequencer.prepareToPlay()
        try engine.start()
        try sequencer.start()
        #expect(sequencer.isPlaying)
        let output = AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 4096)!
        var peak: Float = 0
        for _ in 0..<8 {
            #expect(try engine.renderOffline(4096, to: output) == .success)
            peak = (0..<4096).reduce(peak) { max($0, abs(output.floatChannelData![0][$1])) }
        }
        #expect(peak > 0.001 && sequencer.currentPositionInBeats > 1.5)
        sequencer.stop()
        #expect(!sequencer.isPlaying)
    }

    @Test func channelsBecomeTracksAndFilesAreWritten() throws {
        let folder = ScratchFolder()
        let sequencer = AVAudioSequencer()
        try sequencer.load(from: file, options: .smfChannelsToTracks)
        #expect(sequencer.tracks.count == 2 && sequencer.tracks[1].lengthInBeats == 2)
        #expect(throws: AVAudioSequencerError.noEngine) { try sequencer.start() }
        let url = URL(fileURLWithPath: folder.file("song.mid"))
        try sequencer.write(to: url, smpteResolution: 240, replaceExisting: false)
        #expect(throws: AVAudioSequencerError.self) { try sequencer.write(to: url, smpteResolution: 240, replaceExisting: false) }
        let copy = AVAudioSequencer()
        try copy.load(from: url, options: [])
        #expect(copy.tracks.suffix(2).map(\.lengthInBeats) == [2, 2] && copy.tracks[0].timeResolution == 240)
        #expect(copy.seconds(forBeats: 2) == 2)
        var error: NSError?
        let bytes = sequencer.data(withSMPTEResolution: 0, error: &error)
        #expect(!bytes.isEmpty && error == nil)
        #expect(sequencer.data(withSMPTEResolution: 40_000, error: &error).isEmpty)
        #expect(error?.localizedDescription.contains("40000") == true)
        let damaged = #expect(throws: AVAudioSequencerError.self) { try sequencer.load(from: Data([1, 2, 3])) }
        #expect(damaged?.localizedDescription.hasPrefix("Couldn't read the MIDI file") == true)
    }

    @Test func loopsHaveApplesNumbers() {
        let track = AVAudioSequencer().createAndAppendTrack()
        track.loopRange = AVMakeBeatRange(1, 2)
        #expect(track.loopRange == AVBeatRange(start: 1, length: 2))
        #expect(track.numberOfLoops == AVMusicTrackLoopCount.forever.rawValue)
    }

    @Test func voiceProcessingHasApplesNames() throws {
        let engine = AVAudioEngine()
        try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 4096)
        let input = engine.inputNode
        #expect(input.voiceProcessingOtherAudioDuckingConfiguration == AVAudioVoiceProcessingOtherAudioDuckingConfiguration())
        #expect(!input.setMutedSpeechActivityEventListener { _ in })
        try input.setVoiceProcessingEnabled(true)
        #expect(engine.outputNode.isVoiceProcessingEnabled && input.setMutedSpeechActivityEventListener { _ in })
        #expect(input.setMutedSpeechActivityEventListener(nil))
        input.voiceProcessingOtherAudioDuckingConfiguration.duckingLevel = .max
        input.voiceProcessingOtherAudioDuckingConfiguration.enableAdvancedDucking = true
        let ducking = input.voiceProcessingOtherAudioDuckingConfiguration
        #expect(ducking.enableAdvancedDucking.boolValue && ducking.duckingLevel == .max)
        input.isVoiceProcessingInputMuted = true
        #expect(input.isVoiceProcessingInputMuted)
    }

    @Test func nodesAreMembersOfSets() {
        let (engine, player) = (AVAudioEngine(), AVAudioPlayerNode())
        engine.attach(player)
        #expect(engine.attachedNodes.contains(player) && !engine.attachedNodes.contains(AVAudioPlayerNode()))
    }
}

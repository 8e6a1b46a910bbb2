// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT

import AudioFiles
import Testing

@testable import Demonstration

@Suite struct RecordingTests {
    /// Noise after `silence` silent frames, without the frames of `gaps`, the same every time.
    private func audio(silence: Int = 0, frameCount: Int = 20_000, without gaps: [Range<Int>] = []) throws -> LoadedAudio {
        var generator: UInt32 = 1
        let noise = (0..<frameCount).map { _ in
            generator = generator &* 1_664_525 &+ 1_013_904_223
            return 0.1 + Float(generator >> 8) / Float(1 << 25)
        }
        let kept = noise.indices.filter { frame in !gaps.contains { $0.contains(frame) } }.map { noise[$0] }
        let audio = try #require(LoadedAudio(channelCount: 2, frameCount: silence + kept.count, sampleRate: 48_000))
        for channel in 0..<2 { for (frame, sample) in kept.enumerated() { audio[channel][silence + frame] = sample } }
        return audio
    }

    private func compare(_ heard: LoadedAudio, _ played: LoadedAudio) throws -> Recording {
        try #require(played.withBlock { Recording(heard, of: $0) })
    }

    @Test func aRecordingIsFoundBehindItsSilence() throws {
        let recording = try compare(audio(silence: 777), audio())
        #expect(recording.offset == 777 && recording.comparedFrameCount == 20_000)
        #expect(recording.differingFrameCount == 0 && recording.missingFrameCount == 0)
    }

    @Test func gapsAreCountedAndWhatFollowsThemIsCompared() throws {
        let recording = try compare(audio(silence: 5, without: [5000..<5256, 9000..<10_024]), audio())
        #expect(recording.missingFrameCount == 1280 && recording.differingFrameCount == 0)
        #expect(recording.comparedFrameCount == 20_000 - 1280)
    }

    @Test func framesThatNobodyPlayedAreCountedAndWhatFollowsThemIsCompared() throws {
        let recording = try compare(audio(silence: 5), audio(without: [5000..<5256]))
        #expect(recording.insertedFrameCount == 256 && recording.missingFrameCount == 0)
        #expect(recording.differingFrameCount == 0 && recording.comparedFrameCount == 20_000 - 256)
    }

    @Test func framesThatSoundOtherAreNoGap() throws {
        let heard = try audio()
        for frame in 700..<800 { heard[1][frame] = -0.5 }
        let recording = try compare(heard, audio())
        #expect(recording.differingFrameCount == 100 && recording.missingFrameCount == 0)
        #expect(recording.insertedFrameCount == 0)
        #expect(recording.comparedFrameCount == 20_000)
    }

    @Test func cyclesThatCameLateAreCountedAndWhatFollowsThemIsCompared() throws {
        let heard = try audio(silence: 5)
        for channel in 0..<2 {
            for frame in [700..<956, 3000..<3512, 3768..<4024].joined() { heard[channel][5 + frame] = 0 }
        }
        let recording = try compare(heard, audio())
        #expect(recording.silencedFrameCount == 1024 && recording.differingFrameCount == 0)
        #expect(recording.insertedFrameCount == 0 && recording.missingFrameCount == 0)
        #expect(recording.comparedFrameCount == 20_000 - 1024)
        #expect(recording.sentence == "18976 frames, 0 of them different; 1024 more were silent, in cycles that came late")
    }

    @Test func silenceThatWasInsertedIsNoneOfThePlayedFrames() throws {
        let heard = try audio()
        let played = try audio(without: [6000..<6256])
        for channel in 0..<2 { for frame in 6000..<6256 { heard[channel][frame] = 0 } }
        let recording = try compare(heard, played)
        #expect(recording.insertedFrameCount == 256 && recording.silencedFrameCount == 0)
        #expect(recording.differingFrameCount == 0 && recording.missingFrameCount == 0)
    }

    @Test func aGapBehindOtherSoundIsFound() throws {
        let heard = try audio(without: [5000..<5256])
        for frame in 4960..<5000 { heard[0][frame] = -0.5 }
        let recording = try compare(heard, audio())
        #expect(recording.missingFrameCount == 256 && recording.differingFrameCount <= 2 * 64)
    }

    @Test func silenceIsNoRecording() throws {
        let silence = try #require(LoadedAudio(channelCount: 2, frameCount: 100, sampleRate: 48_000))
        #expect(try audio().withBlock { Recording(silence, of: $0) } == nil)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// MIDI files played to instruments: every note on its frame, and none hangs. Rendered offline. Test thread.

import AudioGraph
import HostingTestSupport
import MIDIFiles
import PluginHosting
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(15))) struct SequencerTests {
    /// Forty notes of different lengths, which touch and overlap.
    private static let notes = (0..<40).map {
        Songs.Note(tick: $0 * 67, length: 67 + $0 % 5 * 20, key: 40 + $0 % 13, velocity: 1 + $0)
    }

    @Test(arguments: [1, 64, 480, 4096], [false, true])
    func everyNoteIsOnItsFrame(block: Int, inProcess: Bool) async throws {
        let bench = try await SequencerBench(inProcess: inProcess)
        try bench.sequencer.load(data: Songs.file(Self.notes, tempos: Songs.tempos))
        bench.sequencer.start()
        let heard = try bench.render(block == 1 ? 12_000 : 140_000, block: block)
        let frames = Self.notes.map { Songs.frame(ofTick: $0.tick, Songs.tempos) }.filter { $0 < heard.sounding.count }
        #expect(heard.beginnings == frames)
        for (note, frame) in zip(Self.notes, frames) {
            #expect(heard.begun[frame] == Float(note.velocity + 128 * note.key))
            let end = Songs.frame(ofTick: note.tick + note.length, Songs.tempos)
            #expect(end >= heard.sounding.count || heard.ended[end] != nil)
        }
        if block > 1 { #expect(heard.sounding.last == 0 && heard.ended.values.reduce(0, +) == Float(Self.notes.count)) }
    }

    @Test func theSamplesAreTheSameForEveryCut() async throws {
        var first: HeardNotes?
        for cuts in [[4096], [480], [64], [1, 2, 3, 700, 5], [4095, 1, 17]] {
            let bench = try await SequencerBench()
            let controllers = (0..<50).map { MIDIFileEvent(tick: $0 * 31, .controlChange, channel: 0, 1, $0) }
            try bench.sequencer.load(data: Songs.file(Self.notes, controllers, tempos: Songs.tempos))
            bench.sequencer.tracks[0].loopRange = AudioBeatRange(start: 0.3, length: 0.77)
            bench.sequencer.tracks[0].isLoopingEnabled = true
            bench.sequencer.tracks[0].numberOfLoops = 3
            bench.sequencer.start()
            var (channels, index) = ([[Float]](repeating: [], count: 4), 0)
            while channels[0].count < 60_000 {
                let count = min(cuts[index % cuts.count], 60_000 - channels[0].count)
                for (channel, samples) in try bench.engine.render(count, block: count).enumerated() { channels[channel] += samples }
                index += 1
            }
            let heard = HeardNotes(channels)
            #expect(heard.begun.count > 10)
            #expect(first == nil || heard == first, "\(cuts)")
            first = heard
        }
    }

    @Test func theFirstNoteIsAsLongAsTheOthers() async throws {
        let bench = try await SequencerBench()
        try bench.sequencer.load(data: Songs.file((0..<4).map { Songs.Note(tick: $0 * 480, length: 240) }))
        _ = try bench.render(777)
        bench.sequencer.start()
        let heard = try bench.render(100_000)
        #expect(heard.beginnings == [0, 24_000, 48_000, 72_000] && heard.ends == [12_000, 36_000, 60_000, 84_000])
        // A second time, from a place that no frame is at.
        bench.sequencer.stop()
        bench.sequencer.currentPositionInBeats = 0
        _ = try bench.render(100)
        bench.sequencer.start()
        #expect(try bench.render(50_000).beginnings == [0, 24_000, 48_000])
    }

    @Test func notesThatTouchEndBeforeTheyBeginAgain() async throws {
        let bench = try await SequencerBench()
        let notes = (0..<200).map { Songs.Note(tick: $0 * 7, length: 7, key: 60) }
        try bench.sequencer.load(data: Songs.file(notes, tempos: Songs.tempos))
        bench.sequencer.start()
        let heard = try bench.render(70_000)
        let end = Songs.frame(ofTick: 1400, Songs.tempos)
        #expect(heard.begun.count == 200 && heard.sounding.prefix(end).allSatisfy { $0 == 1 })
        #expect(heard.sounding.dropFirst(end).allSatisfy { $0 == 0 })
    }

    @Test func aStopEndsWhatSounds() async throws {
        let bench = try await SequencerBench()
        let pedal = MIDIFileEvent(tick: 0, .controlChange, channel: 0, 64, 127)
        try bench.sequencer.load(
            data: Songs.file([Songs.Note(tick: 0, length: 4800), Songs.Note(tick: 100, length: 4800, key: 61)], [pedal]))
        bench.sequencer.start()
        #expect(bench.sequencer.isPlaying)
        let before = try bench.render(20_000)
        #expect(before.sounding.last == 2 && before.state.last == 0.5)
        bench.sequencer.stop()
        let heard = try bench.render(20_000)
        #expect(heard.ended == [0: 2] && heard.begun.isEmpty && heard.sounding.allSatisfy { $0 == 0 })
        #expect(heard.state.allSatisfy { $0 == 0 } && !bench.sequencer.isPlaying)
        // The notes do not come back, and the pedal does.
        bench.sequencer.start()
        let after = try bench.render(20_000)
        #expect(after.begun.isEmpty && after.ended.isEmpty && after.state.allSatisfy { $0 == 0.5 })
    }

    /// The pedal goes up with the very last event of the file.
    @Test func whatComesAtTheEndOfTheFileIsHeard() async throws {
        let bench = try await SequencerBench()
        let pedal = [127, 0].enumerated().map { MIDIFileEvent(tick: $0 * 480, .controlChange, channel: 0, 64, $1) }
        try bench.sequencer.load(data: Songs.file([], pedal))
        bench.sequencer.start()
        let heard = try bench.render(25_000)
        #expect(heard.state.prefix(24_000).allSatisfy { $0 == 0.5 } && heard.state.dropFirst(24_000).allSatisfy { $0 == 0 })
        #expect(!bench.sequencer.isPlaying && bench.engine.transport.isPlaying)
    }

    @Test func aMoveEndsNotesAndSetsWhatHoldsThere() async throws {
        let bench = try await SequencerBench()
        let events = [
            MIDIFileEvent(tick: 0, .programChange, channel: 0, 5), MIDIFileEvent(tick: 960, .programChange, channel: 0, 9),
            MIDIFileEvent(tick: 960, .controlChange, channel: 0, 1, 77), MIDIFileEvent(tick: 1920, .pitchBend, channel: 0, 0, 70),
        ]
        try bench.sequencer.load(data: Songs.file([Songs.Note(tick: 0, length: 9600)], events))
        bench.sequencer.start()
        #expect(try bench.render(1000).state.allSatisfy { $0 == 5 })
        bench.sequencer.currentPositionInBeats = 5
        let ahead = try bench.render(1000)
        #expect(ahead.ended == [0: 1] && ahead.begun.isEmpty && ahead.sounding.allSatisfy { $0 == 0 })
        #expect(ahead.state.allSatisfy { $0 == Float(9 + 128 * 77 + 16_384 * 6) })
        bench.sequencer.currentPositionInSeconds = 1.25
        #expect(try bench.render(1000).state.allSatisfy { $0 == Float(9 + 128 * 77) })
        bench.sequencer.currentPositionInBeats = 0
        let again = try bench.render(1000)
        #expect(again.begun.keys.sorted() == [0] && again.state.allSatisfy { $0 == 5 })
    }

    @Test func theLoopOfTheSongEndsNotesOnItsFrame() async throws {
        let bench = try await SequencerBench()
        let bend = MIDIFileEvent(tick: 480, .pitchBend, channel: 0, 0, 80)
        try bench.sequencer.load(data: Songs.file([Songs.Note(tick: 240, length: 4800)], [bend]))
        bench.engine.transport.loopRange = 0..<1.5
        bench.sequencer.start()
        let heard = try bench.render(120_000, block: 1000)
        #expect(heard.beginnings == [12_000, 48_000, 84_000] && heard.ends == [36_000, 72_000, 108_000])
        for frame in [0, 23_999, 36_000, 59_999] { #expect(heard.state[frame] == 0) }
        for frame in [24_000, 35_999, 60_000] { #expect(heard.state[frame] == 16 * 16_384) }
    }

    @Test func tracksRepeatTheirLoopAsOftenAsTheySay() async throws {
        let bench = try await SequencerBench()
        let notes = [
            Songs.Note(tick: 0, length: 100), Songs.Note(tick: 480, length: 900, key: 61), Songs.Note(tick: 960, length: 480),
        ]
        try bench.sequencer.load(data: Songs.file(notes, endTick: 1440))
        let track = bench.sequencer.tracks[0]
        (track.loopRange, track.isLoopingEnabled, track.numberOfLoops) = (AudioBeatRange(start: 1, length: 1), true, 3)
        bench.sequencer.start()
        let heard = try bench.render(200_000, block: 1000)
        // One beat, three times a beat, and the rest.
        #expect(heard.beginnings == [0, 24_000, 48_000, 72_000, 96_000])
        // The end of a pass ends the note; in the last one it goes on.
        #expect(heard.ends == [5000, 48_000, 72_000, 117_000, 120_000])
        #expect(bench.sequencer.lengthInBeats == 5 && !bench.sequencer.isPlaying)
        track.numberOfLoops = AudioMusicTrack.loopCountForever
        #expect(bench.sequencer.lengthInBeats == .infinity && bench.sequencer.isPlaying)
        bench.sequencer.currentPositionInBeats = 101
        let endless = try bench.render(100_000)
        #expect(endless.beginnings == [0, 24_000, 48_000, 72_000, 96_000] && endless.ends == [24_000, 48_000, 72_000, 96_000])
    }

    @Test func mutedTracksAreSilentAndSoloWinsOverOthers() async throws {
        let bench = try await SequencerBench()
        let tracks = (0..<3).map { index in
            Songs.track((0..<200).map { Songs.Note(tick: $0 * 48, length: 24, key: 60 + index, velocity: 1) })
        }
        try bench.sequencer.load(data: MIDIFile(tracks: tracks).encoded())
        bench.sequencer.start()
        func keys(_ frameCount: Int = 24_000) throws -> Set<Float> { Set(try bench.render(frameCount).begun.values) }
        let one = (0..<3).map { Float(1 + 128 * (60 + $0)) }
        #expect(try keys() == [one[0] + one[1] + one[2]])
        bench.sequencer.tracks[1].isMuted = true
        #expect(try keys() == [one[0] + one[2]])
        bench.sequencer.tracks[2].isSoloed = true
        #expect(try keys() == [one[2]])
        bench.sequencer.tracks[2].isSoloed = false
        bench.sequencer.tracks[1].isMuted = false
        #expect(try keys() == [one[0] + one[1] + one[2]])
        // In the middle of a note it ends at once.
        _ = try bench.render(600)
        for track in bench.sequencer.tracks { track.isMuted = true }
        #expect(try bench.render(24_000).ended == [0: 3])
    }

    @Test func offsetAndRateMoveNotesExactly() async throws {
        let bench = try await SequencerBench()
        try bench.sequencer.load(data: Songs.file((0..<6).map { Songs.Note(tick: $0 * 480, length: 240) }))
        bench.sequencer.tracks[0].offsetTime = 0.5
        bench.sequencer.rate = 2
        bench.sequencer.start()
        #expect(try bench.render(40_000).beginnings == [6000, 18_000, 30_000])
        bench.sequencer.stop()
        bench.sequencer.rate = 0.5
        bench.sequencer.tracks[0].offsetTime = -1
        bench.sequencer.currentPositionInBeats = 0
        bench.sequencer.start()
        #expect(try bench.render(100_000).beginnings == [0, 48_000, 96_000])
        #expect(abs(bench.sequencer.currentPositionInSeconds - 100_000 / 96_000.0) < 0.01)
        bench.sequencer.rate = .nan
        #expect(bench.sequencer.rate == 0.5)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tracks of a sequencer: formats of files, units, edits, and what is too much. Rendered offline. Test thread.

import AudioGraph
import Glibc
import HostingTestSupport
import LinuxSystem
import MIDIFiles
import PluginHosting
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(15))) struct SequencerTrackTests {
    @Test func aFileOfFormatZeroCanBeSplitByChannel() async throws {
        let bench = try await SequencerBench(instruments: 2)
        let notes = [Songs.Note(tick: 0, length: 480, key: 1, channel: 3), Songs.Note(tick: 240, length: 480, key: 2, channel: 9)]
        let data = Songs.file(notes)
        try bench.sequencer.load(data: data)
        #expect(bench.sequencer.tracks.count == 1)
        try bench.sequencer.load(data: data, options: .smfChannelsToTracks)
        let tracks = bench.sequencer.tracks
        #expect(tracks.map(\.name) == ["4", "10"] && tracks.map(\.lengthInBeats) == [1.5, 1.5])
        #expect(tracks.allSatisfy { $0.destinationAudioUnit === bench.instruments[0] && $0.timeResolution == 480 })
        #expect(tracks.allSatisfy { $0.lengthInSeconds == 0.75 })
    }

    @Test func twoTracksPlayTwoInstruments() async throws {
        let bench = try await SequencerBench(instruments: 2)
        let tracks = [
            Songs.track([Songs.Note(tick: 0, length: 480, key: 1)]), Songs.track([Songs.Note(tick: 48, length: 480, key: 2)]),
        ]
        try bench.sequencer.load(data: MIDIFile(tracks: tracks).encoded())
        bench.sequencer.tracks[1].destinationAudioUnit = bench.instruments[1]
        bench.sequencer.start()
        // Only one of them is listened to.
        bench.engine.disconnectNodeOutput(bench.instruments[0])
        _ = try bench.render(4800)
        bench.sequencer.currentPositionInBeats = 0
        let heard = try bench.render(30_000)
        #expect(heard.begun == [2400: Float(100 + 128 * 2)] && heard.ends == [0, 26_400])
        // In the middle of a note another instrument plays: the first one ends it.
        bench.sequencer.currentPositionInBeats = 0
        _ = try bench.render(5000)
        bench.sequencer.tracks[1].destinationAudioUnit = bench.instruments[0]
        #expect(try bench.render(30_000).ended == [0: 1])
    }

    @Test func theSameBitsComeOutOfARowAndABranch() async throws {
        let bench = try await SequencerBench()
        let gain = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Gain")))
        bench.engine.attach(gain)
        try bench.engine.connect(bench.instrument, to: gain, format: Sounds.format(4))
        try bench.engine.connect(gain, to: bench.engine.mainMixerNode, format: Sounds.format(4))
        try bench.sequencer.load(data: Songs.file((0..<9).map { Songs.Note(tick: $0 * 100, length: 50) }, tempos: Songs.tempos))
        _ = try bench.render(4800)
        bench.sequencer.start()
        #expect(try bench.render(60_000).beginnings == (0..<9).map { Songs.frame(ofTick: $0 * 100, Songs.tempos) })
    }

    @Test func aRemovedTrackEndsItsNotes() async throws {
        let bench = try await SequencerBench()
        let tracks = (0..<2).map { Songs.track([Songs.Note(tick: 0, length: 4800, key: $0)]) }
        try bench.sequencer.load(data: MIDIFile(tracks: tracks).encoded())
        bench.sequencer.start()
        _ = try bench.render(1000)
        #expect(bench.sequencer.removeTrack(bench.sequencer.tracks[0]))
        let heard = try bench.render(1000)
        #expect(heard.ended == [0: 1] && heard.sounding.allSatisfy { $0 == 1 })
        #expect(!bench.sequencer.removeTrack(AudioSequencer(audioEngine: bench.engine).createAndAppendTrack()))
        // Another file, in the place of all tracks.
        try bench.sequencer.load(data: Songs.file([Songs.Note(tick: 0, length: 480)]))
        #expect(try bench.render(1000).ended == [0: 1])
    }

    @Test func aSequencerThatGoesEndsItsNotes() async throws {
        let bench = try await SequencerBench()
        do {
            let other = AudioSequencer(audioEngine: bench.engine)
            try other.load(data: Songs.file([Songs.Note(tick: 0, length: 48_000)]))
            other.start()
            #expect(try bench.render(1000).sounding.last == 1)
        }
        #expect(try bench.render(1000).sounding.allSatisfy { $0 == 0 })
    }

    @Test func tenThousandNotesAreAllHeard() async throws {
        let bench = try await SequencerBench()
        let notes = (0..<10_000).map { Songs.Note(tick: $0 * 5, length: 4, key: $0 % 128, velocity: 1 + $0 % 127) }
        try bench.sequencer.load(data: Songs.file(notes))
        bench.sequencer.rate = 8
        bench.sequencer.start()
        let heard = try bench.render(330_000, block: 4096)
        #expect(heard.begun.count == 10_000 && heard.sounding.last == 0)
        #expect(bench.sequencer.lateEventCount == 0)
    }

    @Test func whatIsTooMuchAtOnceIsHeardLateAndCounted() async throws {
        let bench = try await SequencerBench()
        let notes = (0..<6000).map { Songs.Note(tick: 0, length: 48_000, key: $0 % 128, velocity: 1, channel: $0 / 128 % 16) }
        try bench.sequencer.load(data: Songs.file(notes))
        bench.sequencer.start()
        let heard = try bench.render(48_000, block: 512)
        #expect(heard.sounding.last == 6000)
        #expect(bench.sequencer.lateEventCount > 0)
        bench.sequencer.stop()
        #expect(try bench.render(48_000, block: 512).sounding.last == 0)
    }

    @Test func editsAreHeardFromTheNextCycleOn() async throws {
        let bench = try await SequencerBench()
        let track = bench.sequencer.createAndAppendTrack()
        bench.sequencer.start()
        _ = try bench.render(1000)
        #expect(track.addEvent(.note(channel: 0, key: 10, velocity: 5, duration: 1), at: 0.5))
        #expect(!track.addEvent(.programChange(channel: 0, program: 1), at: .nan))
        #expect(!track.addEvent(.programChange(channel: 0, program: 1), at: -1))
        #expect(try bench.render(20_000).begun == [11_000: Float(5 + 1280)])
        track.moveEvents(in: AudioBeatRange(start: 0, length: 1), by: 1)
        let moved = try bench.render(30_000)
        #expect(moved.ended[0] == 1 && moved.beginnings == [15_000])
        #expect(track.events(in: AudioBeatRange(start: 1, length: 1)).map(\.beat) == [1.5] && track.lengthInBeats == 2.5)
        track.copyAndMergeEvents(in: AudioBeatRange(start: 1, length: 1), from: track, mergeAt: 4)
        track.enumerateEvents(in: AudioBeatRange(start: 4, length: 1)) { event, beat, _ in
            (event, beat) = (.note(channel: 0, key: 11, velocity: 6, duration: 1), 3)
        }
        #expect(try bench.render(30_000).begun == [21_000: Float(6 + 128 * 11)])
        track.clearEvents(in: AudioBeatRange(start: 0, length: 100))
        #expect(try bench.render(30_000).sounding.allSatisfy { $0 == 0 } && track.lengthInBeats == 0)
        track.addEvents([(.controlChange(channel: 0, controller: 1, value: 9), 0), (.programChange(channel: 99, program: 400), 1)])
        track.copyEvents(in: AudioBeatRange(start: 0, length: 1), from: track, insertAt: 0)
        track.cutEvents(in: AudioBeatRange(start: 1, length: 0.5))
        #expect(track.events(in: AudioBeatRange(start: 0, length: 9)).map(\.beat) == [0, 1.5])
        track.lengthInBeats = 1
        #expect(track.lengthInBeats == 1 && track.lengthInSeconds == 0.5)
        (track.lengthInBeats, track.offsetTime) = (-1, .infinity)
        #expect(track.lengthInBeats == 1 && track.offsetTime == 0)
    }

    @Test func whatChangesDuringAnEnumerationStays() async throws {
        let track = try await SequencerBench(instruments: 0).sequencer.createAndAppendTrack()
        let all = AudioBeatRange(start: 0, length: 9)
        track.addEvents((0..<4).map { (.programChange(channel: 0, program: $0), Double($0)) })
        track.enumerateEvents(in: all) { event, beat, isRemoved in
            switch beat {
            case 0:
                track.addEvent(.programChange(channel: 0, program: 10), at: 0)
                track.clearEvents(in: AudioBeatRange(start: 3, length: 1))
                event = .programChange(channel: 0, program: 20)
            case 1: beat = 2
            case 2: isRemoved = true
            default: event = .programChange(channel: 0, program: 30)
            }
        }
        let events = track.events(in: all)
        #expect(events.map(\.beat) == [0, 0, 2])
        #expect(events.map(\.event) == [20, 10, 1].map { .programChange(channel: 0, program: $0) })
    }

    @Test func notesOfOneKeyEndInTheOrderInWhichTheyBegan() async throws {
        let bench = try await SequencerBench(instruments: 0)
        let kinds: [(tick: Int, kind: MIDIFileEvent.Kind)] = [
            (0, .noteOn), (480, .noteOn), (960, .noteOff), (1440, .noteOn), (1920, .noteOff), (2400, .noteOff), (2880, .noteOff),
        ]
        let events = kinds.map { MIDIFileEvent(tick: $0.tick, $0.kind, channel: 0, 60, 64) }
        try bench.sequencer.load(data: MIDIFile(tracks: [MIDITrack(events: events, endTick: 2880)]).encoded())
        let notes = bench.sequencer.tracks[0].events(in: AudioBeatRange(start: 0, length: 9)).map(\.event)
        #expect(notes == [2, 3, 2].map { .note(channel: 0, key: 60, velocity: 64, duration: $0) })
    }

    @Test func editsOfAnotherThreadLeaveNoNoteHanging() async throws {
        let bench = try await SequencerBench()
        try bench.sequencer.load(data: Songs.file((0..<400).map { Songs.Note(tick: $0 * 20, length: 19, key: $0 % 100) }))
        let sequencer = bench.sequencer
        sequencer.start()
        let thread = try Thread(name: "editor") {
            for edit in 0..<400 {
                let track = edit % 3 == 0 ? sequencer.createAndAppendTrack() : sequencer.tracks[edit % sequencer.tracks.count]
                track.addEvent(.note(channel: 1, key: edit % 128, velocity: 1, duration: 2), at: Double(edit) / 20)
                track.isMuted = edit % 5 == 0
                if sequencer.tracks.count > 9 { sequencer.removeTrack(sequencer.tracks[5]) }
                if edit % 50 == 0 { sequencer.currentPositionInBeats = 0 }
            }
        }
        var begun = 0
        for _ in 0..<100 { begun += try bench.render(1000, block: 100).begun.count }
        thread.join()
        sequencer.stop()
        #expect(begun > 0)
        #expect(try bench.render(100).sounding.allSatisfy { $0 == 0 })
    }

    @Test func whatIsWrittenIsReadAgain() async throws {
        let bench = try await SequencerBench()
        let sequencer = bench.sequencer
        try sequencer.load(data: Songs.file([Songs.Note(tick: 7, length: 77)], tempos: Songs.tempos))
        let song = try MIDIFile(bytes: try sequencer.data(ticksPerQuarter: 480))
        #expect(song == (try MIDIFile(bytes: Songs.file([Songs.Note(tick: 7, length: 77)], tempos: Songs.tempos))))
        #expect(throws: AudioSequencerError.resolution(0)) { try sequencer.data(ticksPerQuarter: 0) }
        let folder = ScratchFolder()
        let path = folder.file("song.mid")
        try sequencer.write(to: path)
        try sequencer.load(contentsOf: path)
        #expect(sequencer.tracks.count == 1)
        #expect(throws: AudioSequencerError.self) { try sequencer.write(to: path) }
        try sequencer.write(to: path, replaceExisting: true)
    }

    @Test func badFilesAreRefusedAndNothingChanges() async throws {
        let bench = try await SequencerBench()
        let sequencer = bench.sequencer
        try sequencer.load(data: Songs.file([Songs.Note(tick: 0, length: 480)]))
        #expect(throws: AudioSequencerError.malformed(path: nil, .notMIDI)) { try sequencer.load(data: [1, 2, 3]) }
        #expect(throws: AudioSequencerError.file(path: "/nowhere/x.mid", act: "read", reason: "it is not there")) {
            try sequencer.load(contentsOf: "/nowhere/x.mid")
        }
        // As fast as a file can ask for: all notes at one frame.
        let tempos = (0..<2000).map { MIDITempoChange(tick: $0, microsecondsPerQuarter: 1) }
        #expect(sequencer.tracks.count == 1)
        try sequencer.load(data: Songs.file((0..<500).map { Songs.Note(tick: $0 * 4, length: 3) }, tempos: tempos))
        sequencer.start()
        let heard = try bench.render(10_000)
        #expect(heard.ended.values.reduce(0, +) == 500)
        #expect(heard.sounding.last == 0)
    }

    @Test func ticksOfATimeCodeFollowTheClock() async throws {
        let bench = try await SequencerBench()
        let song = MIDIFile(
            division: .timecode(framesPerSecond: 25, ticksPerFrame: 40),
            tracks: [Songs.track([Songs.Note(tick: 0, length: 10), Songs.Note(tick: 1000, length: 10)])],
            tempoChanges: Songs.tempos)
        try bench.sequencer.load(data: song.encoded())
        bench.sequencer.start()
        #expect(try bench.render(50_000).beginnings == [0, 48_000] && bench.engine.transport.tempo == 120)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sequencers and units that die, run at other rates, or come later; and songs of two sequencers. Test thread.

import AudioUnits
import Glibc
import HostingTestSupport
import MIDIFiles
import PluginHosting
import Rendering
import TestSupport
import Testing

@testable import AudioGraph

@Suite(.serialized, .timeLimit(.minutes(15))) struct SequencerUnitTests {
    private static let program = MIDIFileEvent(tick: 0, .programChange, channel: 0, 5)

    @Test func aUnitThatStartsAgainIsToldWhatHolds() async throws {
        let bench = try await SequencerBench()
        let notes = [Songs.Note(tick: 0, length: 960), Songs.Note(tick: 1200, length: 240)]
        try bench.sequencer.load(data: Songs.file(notes, [Self.program]))
        bench.sequencer.start()
        let before = try bench.render(4800)
        #expect(before.state.last == 5 && before.sounding.last == 1)
        kill(try #require(bench.instrument.unit.processIdentifier), SIGKILL)
        let heard = try bench.render(91_200)
        #expect(heard.state.dropFirst(512).allSatisfy { $0 == 5 })
        #expect(heard.beginnings == [55_200] && heard.ends.last == 67_200 && heard.sounding.last == 0)
    }

    @Test func aUnitThatIsResetIsToldWhatHolds() async throws {
        let bench = try await SequencerBench()
        try bench.sequencer.load(data: Songs.file([Songs.Note(tick: 480, length: 480)], [Self.program]))
        bench.sequencer.start()
        _ = try bench.render(4800)
        try bench.instrument.unit.send(MIDIMessage(0xC0, 9, 0, byteCount: 2))
        #expect(try bench.render(1000).state.last == 9)
        try bench.instrument.unit.reset()
        let heard = try bench.render(60_000)
        #expect(heard.state.allSatisfy { $0 == 5 } && heard.beginnings == [18_200] && heard.ends == [42_200])
    }

    @Test func aUnitOfAnotherEngineIsSentNothing() async throws {
        let (bench, other) = (try await SequencerBench(), try await SequencerBench())
        let track = bench.sequencer.createAndAppendTrack()
        let unit = other.instrument
        track.destinationAudioUnit = unit
        #expect(track.content.withLock { $0.part(track.track, isMuted: false, default: nil).port == nil })
        other.engine.detach(unit)
        #expect(track.content.withLock { $0.part(track.track, isMuted: false, default: nil).port != nil })
    }

    @Test func aSequencerCanStartBeforeTheEngine() async throws {
        let engine = try AudioEngine.offline(channelCount: 4)
        let unit = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Scribe")))
        let sequencer = AudioSequencer(audioEngine: engine)
        try sequencer.load(data: Songs.file([Songs.Note(tick: 0, length: 240)], [Self.program]))
        sequencer.prepareToPlay()
        sequencer.tracks[0].destinationAudioUnit = unit
        sequencer.start()
        engine.attach(unit)
        try engine.connect(unit, to: engine.mainMixerNode, format: Sounds.format(4))
        try engine.start()
        let heard = HeardNotes(try engine.render(20_000))
        #expect(heard.beginnings == [0] && heard.ends == [12_000] && heard.state.allSatisfy { $0 == 5 })
        // A new life of the unit, in the middle of the song.
        engine.stop()
        try engine.start()
        #expect(HeardNotes(try engine.render(1000)).state.allSatisfy { $0 == 5 })
    }

    @Test func aUnitThatComesLaterIsToldWhatHolds() async throws {
        let bench = try await SequencerBench()
        let unit = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Scribe")))
        let notes = (0..<2000).map { Songs.Note(tick: $0 * 10, length: 5) }
        try bench.sequencer.load(data: Songs.file(notes, [Self.program]))
        bench.sequencer.tracks[0].destinationAudioUnit = unit
        bench.sequencer.start()
        #expect(try bench.render(400_000, block: 4096).begun.isEmpty)
        bench.engine.attach(unit)
        try bench.engine.connect(unit, to: bench.engine.mainMixerNode, format: Sounds.format(4))
        _ = try bench.render(4096)
        let heard = try bench.render(48_000)
        #expect(heard.state.allSatisfy { $0 == 5 } && heard.sounding.allSatisfy { $0 <= 1 })
        #expect(heard.begun.count == 96)
    }

    /// The instrument counts half as many frames; what is heard of it has been converted.
    @Test func anInstrumentAtAnotherRateHearsItsNotesInTime() async throws {
        let bench = try await SequencerBench(instruments: 0)
        let unit = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Scribe")))
        bench.engine.attach(unit)
        let format = AudioFormat(sampleRate: 24_000, channelCount: 4)
        try bench.engine.connect(unit, to: bench.engine.mainMixerNode, format: format)
        try bench.sequencer.load(data: Songs.file((0..<4).map { Songs.Note(tick: $0 * 480 + 240, length: 240) }))
        _ = try bench.render(1234)
        bench.sequencer.start()
        let heard = try bench.render(110_000)
        let latency = bench.engine.latencyFrameCount
        for note in 0..<4 {
            let begin = note * 24_000 + 12_000
            let rise = try #require(heard.sounding.indices.first { $0 > begin - 6000 && heard.sounding[$0] > 0.5 })
            let fall = try #require(heard.sounding.indices.first { $0 > begin + 6000 && heard.sounding[$0] < 0.5 })
            #expect(abs(rise - begin) <= 2 + latency && abs(fall - rise - 12_000) <= 2, "\(rise) \(fall)")
        }
    }

    /// Probe puts out a sample of 1 for each message; in a pipeline it renders a block later than the driver.
    @Test(arguments: [false, true]) func aUnitInTheMiddleOfARowHearsItsNotesInTime(isPipelined: Bool) async throws {
        let engine = try AudioEngine.offline(maximumFrameCount: 512)
        if isPipelined { engine.setPolicy(UnitPolicy(), isPipelined: true) }
        let player = AudioPlayerNode()
        let units = [
            AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Gain"))),
            AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Probe"))),
            AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Gain"))),
        ]
        for node in [player] + units as [AudioNode] { engine.attach(node) }
        for (node, next) in zip([player] + units as [AudioNode], units + [engine.mainMixerNode] as [AudioNode]) {
            try engine.connect(node, to: next, format: Sounds.format())
        }
        let sequencer = AudioSequencer(audioEngine: engine)
        let notes = (0..<10).map { Songs.Note(tick: $0 * 333, length: 111) }
        try sequencer.load(data: Songs.file(notes, tempos: Songs.tempos))
        sequencer.tracks[0].destinationAudioUnit = units[1]
        sequencer.start()
        try engine.start()
        let heard = try engine.render(120_000)[0]
        let latency = engine.latencyFrameCount
        #expect(latency == (isPipelined ? 1024 : 0))
        let ticks = notes.flatMap { [$0.tick, $0.tick + $0.length] }
        #expect(heard.indices.filter { heard[$0] > 0.5 } == ticks.map { Songs.frame(ofTick: $0, Songs.tempos) + latency })
    }

    /// Two instruments that render at the same time, with a deadline; and one of them in the host's process, offline.
    @Test func theSamplesAreTheSameLiveAndInBranches() async throws {
        let driver = SteppedDriver(channelCount: 4, maximumFrameCount: 4096, sampleRate: Sounds.rate)
        let live = AudioEngine(driver: driver)
        // A deadline that a busy machine keeps, too.
        var policy = UnitPolicy()
        policy.deadlineShare = 1000
        live.setPolicy(policy)
        let offline = try AudioEngine.offline(channelCount: 4)
        let tracks = (0..<2).map { track in
            Songs.track((0..<60).map { Songs.Note(tick: $0 * 41 + track, length: 37, key: 50 + track) })
        }
        let data = MIDIFile(tracks: tracks, tempoChanges: Songs.tempos).encoded()
        var sequencers: [AudioSequencer] = []
        for engine in [live, offline] {
            let sequencer = AudioSequencer(audioEngine: engine)
            try sequencer.load(data: data)
            for (index, track) in sequencer.tracks.enumerated() {
                let options: ComponentInstantiationOptions = engine === offline && index == 1 ? .loadInProcess : []
                let unit = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Scribe"), options: options))
                engine.attach(unit)
                try engine.connect(unit, to: engine.mainMixerNode, format: Sounds.format(4))
                track.destinationAudioUnit = unit
            }
            sequencer.start()
            try engine.start()
            sequencers.append(sequencer)
        }
        var (heard, random) = ([[Float]](repeating: [], count: 4), Seed())
        while heard[0].count < 60_000 {
            let count = min(60_000 - heard[0].count, Int.random(in: 1...900, using: &random))
            let block = driver.render(frameCount: count, isOffline: false)
            for channel in 0..<4 { heard[channel] += UnsafeBufferPointer(start: block[channel], count: count) }
        }
        live.stop()
        let (notes, others) = (HeardNotes(heard), HeardNotes(try offline.render(60_000, block: 480)))
        #expect(notes.begun.count > 50)
        #expect(notes == others)
        withExtendedLifetime(sequencers) {}
    }

    /// Whatever is done to tracks in whatever order, no note hangs.
    @Test(arguments: 0..<(Sample.isWhole ? 8 : 4)) func noEditLeavesANoteHanging(turn: Int) async throws {
        let bench = try await SequencerBench(instruments: 2, inProcess: turn % 2 == 0)
        var random = Seed()
        for _ in 0..<(turn * 10_000) { _ = random.next() }
        let tracks = (0..<4).map { track in
            Songs.track(
                (0..<300).map { Songs.Note(tick: $0 * 61, length: 30 + $0 % 9 * 40, key: 40 + track + $0 % 5, channel: track) })
        }
        let data = MIDIFile(tracks: tracks, tempoChanges: Songs.tempos).encoded()
        try bench.sequencer.load(data: data)
        bench.sequencer.start()
        var begun = 0
        for _ in 0..<150 {
            let track = try #require(bench.sequencer.tracks.randomElement(using: &random))
            let beat = Double.random(in: 0...20, using: &random)
            switch Int.random(in: 0..<14, using: &random) {
            case 0: track.isMuted.toggle()
            case 1: track.isSoloed.toggle()
            case 2: track.destinationAudioUnit = bench.instruments.randomElement(using: &random)
            case 3: bench.sequencer.currentPositionInBeats = beat
            case 4: bench.sequencer.stop()
            case 5: bench.sequencer.rate = Double.random(in: 0.5...3, using: &random)
            case 6: bench.engine.transport.loopRange = Bool.random(using: &random) ? nil : beat..<(beat + 1)
            case 7: track.isLoopingEnabled.toggle()
            case 8: track.loopRange = AudioBeatRange(start: beat, length: Double.random(in: 0.1...2, using: &random))
            case 9: track.offsetTime = Double.random(in: -2...2, using: &random)
            case 10: track.moveEvents(in: AudioBeatRange(start: beat, length: 1), by: Double.random(in: -3...3, using: &random))
            case 11: if bench.sequencer.tracks.count > 2 { bench.sequencer.removeTrack(track) }
            case 12: track.addEvent(.note(channel: 1, key: 99, velocity: 9, duration: 3), at: beat)
            default: try bench.sequencer.load(data: data)
            }
            if Int.random(in: 0..<3, using: &random) > 0 { bench.sequencer.start() }
            let heard = try bench.render(Int.random(in: 1...4000, using: &random), block: Int.random(in: 1...2000, using: &random))
            begun += heard.begun.count
        }
        #expect(begun > 100)
        bench.sequencer.stop()
        #expect(try bench.render(100).sounding.allSatisfy { $0 == 0 })
    }

    @Test func twoSequencersShareTheSong() async throws {
        let bench = try await SequencerBench()
        let other = AudioSequencer(audioEngine: bench.engine)
        let tempo = [MIDITempoChange(tick: 0, microsecondsPerQuarter: 1_000_000)]
        try bench.sequencer.load(data: Songs.file([Songs.Note(tick: 480, length: 480, key: 1)]))
        try other.load(data: Songs.file([Songs.Note(tick: 480, length: 480, key: 2)], tempos: tempo))
        bench.sequencer.start()
        other.start()
        #expect(bench.sequencer.isPlaying && other.isPlaying && bench.engine.transport.tempo == 60)
        #expect(try bench.render(50_000).begun == [48_000: Float(200 + 3 * 128)])
        other.stop()
        #expect(!bench.sequencer.isPlaying && bench.sequencer.currentPositionInBeats == other.currentPositionInBeats)
        #expect(try bench.render(1000).ended == [0: 2])
    }

    /// A tempo that no float holds, changed ten thousand times: sums of rounded times would drift.
    @Test func lateTemposAreAsExactAsEarlyOnes() {
        let changes = (0..<10_000).map { MIDITempoChange(tick: $0 * 7, microsecondsPerQuarter: 333_333 + $0 % 2) }
        let map = TempoMap(MIDIFile(division: .ticksPerQuarter(960), tempoChanges: changes))
        let elapsed = 5000 * 7 * (333_333 + 333_334)
        #expect(abs(map.seconds(atBeat: 70_000.0 / 960) - Double(elapsed) / 960e6) < 1e-14)
        #expect(abs(map.beat(atSeconds: Double(elapsed) / 960e6) - 70_000.0 / 960) < 1e-11)
    }

    @Test func tempoMapsKnowTheTimeOfEachBeat() {
        let map = TempoMap(
            MIDIFile(
                tempoChanges: [
                    MIDITempoChange(tick: 2880, microsecondsPerQuarter: 250_000),
                    MIDITempoChange(tick: 1920, microsecondsPerQuarter: 1_000_000),
                ], timeSignatures: [MIDITimeSignature(tick: 480, numerator: 7, denominator: 8)]))
        for (beat, seconds) in [(0.0, 0.0), (1, 0.5), (4, 2), (4.5, 2.5), (6, 4), (7, 4.25), (106, 29), (-2, -1)] {
            #expect(map.seconds(atBeat: beat) == seconds && map.beat(atSeconds: seconds) == beat)
        }
        #expect(map.beatsPerMinute(atBeat: 3.9) == 120 && map.beatsPerMinute(atBeat: 4) == 60)
        #expect(map.signatures == [.init(beat: 1, numerator: 7, denominator: 8)])
        #expect(map.scaled(by: 2).seconds(atBeat: 4) == 1)
    }
}

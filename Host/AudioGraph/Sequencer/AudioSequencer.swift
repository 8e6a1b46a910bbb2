// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays tracks of MIDI events along an engine's song. Any thread but the render thread.

import LinuxSystem
import Rendering
import Synchronization

/// Plays tracks of MIDI events to the units of an engine, exactly to the frame.
///
/// The sequencer plays along the engine's own song: starting it plays `engine.transport` with the tempos of the file, so every unit
/// hears tempo, place and time signature. Two sequencers of an engine share the song: starting, stopping or moving one does the same
/// to the other, and the one that was loaded last gives the tempos.
///
/// An event is heard at the first frame at which the song has reached its beat, however the time is cut into cycles. Where the song
/// stops, jumps or repeats its loop, every note ends at that frame; where it goes on, units get the programs, controllers and pitch
/// bends that hold there. A unit that starts again in a new process gets them, too. At one frame the ends of notes come first and
/// the beginnings last.
open class AudioSequencer: @unchecked Sendable {
    // SAFETY: what changes is behind a mutex; a subclass answers for what it adds.
    struct State {
        var tracks: [AudioMusicTrack] = []
        var isActive = false
        var rate = 1.0
    }

    let engine: AudioEngine
    let state = Mutex(State())
    /// Held while the render thread is told: the newest state is told last.
    private let telling = Mutex(())
    /// The track of tempos and time signatures, which no unit plays.
    public let tempoTrack = AudioMusicTrack(name: "Tempo")

    /// Whether the engine is a program's, and not one that nobody can run.
    package let hasEngine: Bool

    /// A sequencer without tracks.
    public init(audioEngine: AudioEngine) {
        (engine, hasEngine) = (audioEngine, true)
        tempoTrack.content.withLock { $0.sequencer = self }
    }

    /// A sequencer without tracks, perhaps of an engine that no program sees.
    package init(audioEngine: AudioEngine, hasEngine: Bool) {
        (engine, self.hasEngine) = (audioEngine, hasEngine)
        tempoTrack.content.withLock { $0.sequencer = self }
    }

    deinit { fallSilent() }

    // MARK: Tracks

    /// The tracks that units play, in the order of the file.
    public var tracks: [AudioMusicTrack] { state.withLock { $0.tracks } }

    /// Makes an empty track behind the others.
    public func createAndAppendTrack() -> AudioMusicTrack {
        let track = AudioMusicTrack()
        track.content.withLock { $0.sequencer = self }
        state.withLock { $0.tracks.append(track) }
        tell()
        return track
    }

    /// Removes a track, whose notes end; false if it is none of this sequencer's.
    @discardableResult
    public func removeTrack(_ track: AudioMusicTrack) -> Bool {
        let isFound = state.withLock { state in
            let count = state.tracks.count
            state.tracks.removeAll { $0 === track }
            return state.tracks.count < count
        }
        guard isFound else { return false }
        track.content.withLock { $0.sequencer = nil }
        tell()
        return true
    }

    /// Puts other tracks and tempos in the place of those that are there.
    func replace(with tracks: [AudioMusicTrack], tempos: [AudioMusicTrack.Placed]) {
        for track in tracks { track.content.withLock { $0.sequencer = self } }
        let former = state.withLock { state in
            defer { state.tracks = tracks }
            return state.tracks
        }
        for track in former { track.content.withLock { $0.sequencer = nil } }
        tempoTrack.content.withLock { ($0.events, $0.map) = (tempos, nil) }
        giveTempos()
        tell()
    }

    func trackHasChanged(_ track: AudioMusicTrack) { if track === tempoTrack { giveTempos() } else { tell() } }

    /// The first instrument that is attached to the engine.
    var firstInstrument: AudioNode? { engine.allNodes.first { $0.body.isInstrument } }

    // MARK: Playing

    /// Gets everything ready, so that `start` takes no time.
    public func prepareToPlay() {
        for track in tracks { track.content.withLock { _ = $0.part(track.track, isMuted: false, default: nil) } }
    }

    /// Plays from the present place on: the song goes on, and the tracks with it.
    ///
    /// Where the engine does not run yet, it plays from the engine's first cycle on.
    @_disfavoredOverload
    public func start() { begin() }

    /// The same, for modules in which another function has the name.
    package func begin() {
        state.withLock { $0.isActive = true }
        tell()
        engine.transport.play()
    }

    /// Stops the song where it is; all notes end.
    public func stop() {
        engine.transport.stop()
        state.withLock { $0.isActive = false }
        tell()
    }

    /// Plays no more, while the song goes on.
    package func fallSilent() { engine.transport.line.sequencer.play([], for: ObjectIdentifier(self)) }

    /// Whether the sequencer has been started, the song goes on, and it has not come to the end of the longest track.
    ///
    /// That is another meaning than Apple's, where it stays true after the end. The song itself goes on until `stop`, so that echoes
    /// that follow the tempo do, too.
    public var isPlaying: Bool {
        state.withLock { $0.isActive } && engine.transport.isPlaying && currentPositionInBeats < lengthInBeats
    }

    /// The end of the longest track in beats, loops and offsets included; infinity for an endless loop, 0 without tracks.
    public var lengthInBeats: AudioMusicTimeStamp {
        tracks.reduce(0) { max($0, $1.content.withLock { $0.endInSong }) }
    }

    /// The song's place in beats, at the first frame of the last cycle; setting it moves the song.
    public var currentPositionInBeats: AudioMusicTimeStamp {
        get { engine.transport.beatPosition }
        set { engine.transport.beatPosition = newValue }
    }

    /// The song's place in seconds at a rate of 1; setting it moves the song.
    public var currentPositionInSeconds: Double {
        get { seconds(forBeats: currentPositionInBeats) }
        set { currentPositionInBeats = beats(forSeconds: newValue) }
    }

    /// How many times as fast as its tempos the song goes; at first 1.
    ///
    /// A rate that is not between 1/64 and 64 changes nothing.
    @_disfavoredOverload
    public var rate: Double {
        get { songRate }
        set { songRate = newValue }
    }

    /// The same, for modules in which another property has the name.
    package var songRate: Double {
        get { state.withLock { $0.rate } }
        set {
            guard (1.0 / 64...64).contains(newValue) else { return }
            state.withLock { $0.rate = newValue }
            giveTempos()
        }
    }

    /// The tempos and time signatures at a rate of 1.
    public var tempoMap: TempoMap {
        tempoTrack.content.withLock { content in
            let map = content.map ?? TempoMap(of: content.events)
            content.map = map
            return map
        }
    }

    /// The time of a beat in seconds, at a rate of 1.
    public func seconds(forBeats beats: AudioMusicTimeStamp) -> Double { tempoMap.seconds(atBeat: beats) }

    /// The beat at a time in seconds, at a rate of 1.
    public func beats(forSeconds seconds: Double) -> AudioMusicTimeStamp { tempoMap.beat(atSeconds: seconds) }

    /// The events that were heard late, of all sequencers of the engine: more came at once than a unit takes in one block.
    public var lateEventCount: Int {
        let ports = Dictionary(
            engine.allNodes.compactMap { $0.body.messagePort }.map { (ObjectIdentifier($0), $0) }
        ) { first, _ in first }
        return Int(clamping: ports.values.reduce(engine.transport.line.sequencer.lateCount) { $0 + $1.lateCount })
    }

    // MARK: Telling the render thread

    private func giveTempos() {
        telling.withLock { _ in
            let (map, rate) = (tempoMap, songRate)
            engine.transport.tempoMap = rate == 1 ? map : map.scaled(by: rate)
        }
    }

    /// Has the render thread play what there is now.
    private func tell() {
        telling.withLock { _ in
            let (tracks, isActive) = state.withLock { ($0.tracks, $0.isActive) }
            let isSolo = tracks.contains { $0.isSoloed }
            let instrument = firstInstrument
            let parts: [SequencedPart] = (isActive ? tracks : []).map { track in
                track.content.withLock { content in
                    let isMuted = content.isMuted || isSolo && !content.isSoloed
                    return content.part(track.track, isMuted: isMuted, default: instrument)
                }
            }
            engine.transport.line.sequencer.play(parts, for: ObjectIdentifier(self))
        }
    }
}

extension TempoMap {
    /// The tempos and time signatures among events; others do not count.
    init(of events: [AudioMusicTrack.Placed]) {
        var (tempos, signatures) = ([Tempo](), [Signature]())
        for placed in events {
            switch placed.event {
            case .tempo(let tempo): tempos.append(Tempo(beat: placed.beat, beatsPerMinute: tempo))
            case .timeSignature(let numerator, let denominator):
                signatures.append(
                    Signature(
                        beat: placed.beat, numerator: UInt16(clamping: numerator), denominator: UInt16(clamping: denominator)))
            default: break
            }
        }
        self.init(unlimited: tempos, signatures: signatures)
    }
}

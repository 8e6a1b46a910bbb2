// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays tracks of MIDI events along an engine's song. Any thread but the render thread.

import LinuxSystem
import MIDIFiles
import Rendering
import Synchronization

/// Plays tracks of MIDI events to the units of an engine, exactly to the frame.
///
/// The sequencer plays along the engine's own song: its start plays `engine.transport` with the tempos of the file. So every unit hears
/// tempo, position and time signature. Two sequencers of an engine share the song: starting, stopping or moving one does the same to the
/// other. The one that was loaded last sets the tempos.
///
/// An event is heard at the first frame at which the song has reached its beat, independently of cycles. If the song stops, jumps or
/// repeats its loop, every note ends at that frame. Where it goes on, units get the programs, controllers and pitch bends that hold there.
/// A unit that starts again in a new process gets them, too. At one frame the ends of notes come first and the beginnings last.
open class AudioSequencer: @unchecked Sendable {
    // SAFETY: mutable state is behind a mutex; a subclass answers for its own.
    struct State {
        var tracks: [AudioMusicTrack] = []
        var isActive = false
        var rate = 1.0
        var damage: MIDIFileDamage?
    }

    let engine: AudioEngine
    let state = Mutex(State())
    /// Held during a hand-over to the render thread, so that the newest state goes last.
    private let telling = Mutex(())
    /// The track of tempos and time signatures, which no unit plays.
    public let tempoTrack = AudioMusicTrack(name: "Tempo")

    /// True if the engine is a program's; false for one that no program can run.
    package let hasEngine: Bool

    /// Makes a sequencer without tracks.
    public init(audioEngine: AudioEngine) {
        (engine, hasEngine) = (audioEngine, true)
        tempoTrack.content.withLock { $0.sequencer = self }
    }

    /// Makes a sequencer without tracks, for an engine that may be invisible to programs.
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

    /// Removes a track, and ends its notes; false if it is not a track of this sequencer.
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

    /// Replaces all tracks and tempos.
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

    /// Prepares everything, so that `start` takes no time.
    public func prepareToPlay() {
        for track in tracks { track.content.withLock { _ = $0.part(track.track, isMuted: false, default: nil) } }
    }

    /// Plays from the present position on: the song goes on, and the tracks with it.
    ///
    /// If the engine does not run yet, it plays from the engine's first cycle on.
    @_disfavoredOverload
    public func start() { begin() }

    /// The same, for modules in which another function has this name.
    package func begin() {
        state.withLock { $0.isActive = true }
        tell()
        engine.transport.play()
    }

    /// Stops the song at its position; all notes end.
    public func stop() {
        engine.transport.stop()
        state.withLock { $0.isActive = false }
        tell()
    }

    /// Stops playing, while the song goes on.
    package func fallSilent() { engine.transport.line.sequencer.play([], for: ObjectIdentifier(self)) }

    /// True if the sequencer has been started, the song goes on, and the longest track has not ended.
    ///
    /// Apple's property has another meaning: it stays true after the end. The song itself goes on until `stop`, and so do echoes that
    /// follow the tempo.
    public var isPlaying: Bool {
        state.withLock { $0.isActive } && engine.transport.isPlaying && currentPositionInBeats < lengthInBeats
    }

    /// The end of the longest track in beats, loops and offsets included; infinity for an endless loop, 0 without tracks.
    public var lengthInBeats: AudioMusicTimeStamp {
        tracks.reduce(0) { max($0, $1.content.withLock { $0.endInSong }) }
    }

    /// The song's position in beats, at the first frame of the last cycle; a new value moves the song.
    public var currentPositionInBeats: AudioMusicTimeStamp {
        get { engine.transport.beatPosition }
        set { engine.transport.beatPosition = newValue }
    }

    /// The song's position in seconds at a rate of 1; a new value moves the song.
    public var currentPositionInSeconds: Double {
        get { seconds(forBeats: currentPositionInBeats) }
        set { currentPositionInBeats = beats(forSeconds: newValue) }
    }

    /// The speed of the song as a factor of its tempos; at first 1.
    ///
    /// A rate that is not between 1/64 and 64 changes nothing.
    @_disfavoredOverload
    public var rate: Double {
        get { songRate }
        set { songRate = newValue }
    }

    /// The same, for modules in which another property has this name.
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

    /// Returns the time of a beat in seconds, at a rate of 1.
    public func seconds(forBeats beats: AudioMusicTimeStamp) -> Double { tempoMap.seconds(atBeat: beats) }

    /// Returns the beat at a time in seconds, at a rate of 1.
    public func beats(forSeconds seconds: Double) -> AudioMusicTimeStamp { tempoMap.beat(atSeconds: seconds) }

    /// The number of events heard late, of all sequencers of the engine: too many came at once for a unit's block.
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

    /// Hands the present tracks to the render thread.
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
    /// Makes a map of the tempos and time signatures among events; ignores other events.
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

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A track of a sequencer: events, the unit that plays them, loop, mute. Any thread but the render thread.

import Rendering
import Synchronization

/// A track of a sequencer.
///
/// All may change while it plays, from the next cycle on. Whatever changes, no note hangs: a change to the track ends its notes at the
/// beginning of the cycle.
public final class AudioMusicTrack: Sendable {
    /// The events in the order in which they are played.
    struct Placed {
        var beat: Double
        var event: AudioMusicEvent
        /// A number that no other event has, of any track; a change to the event leaves it.
        let serial = Placed.serialCount.wrappingAdd(1, ordering: .relaxed).newValue
        private static let serialCount = Atomic<UInt64>(0)
        var end: Double { beat + event.duration }
    }

    struct Content {
        weak var sequencer: AudioSequencer?
        var name = ""
        var events: [Placed] = []
        /// The events as the render thread reads them, and the tempos among them; nil after an edit.
        var list: MessageList?
        var map: TempoMap?
        /// The length that the program has given, beyond which nothing is played; nil: up to the end of the last event.
        var length: Double?
        /// The end of the file's track, which may come later than that of the last event.
        var fileLength = 0.0
        var destination: AudioUnit?
        var loop: AudioBeatRange?
        var isLooping = false
        var numberOfLoops = -1
        var offset = 0.0
        var isMuted = false
        var isSoloed = false
        var timeResolution = 480
    }

    /// As `numberOfLoops`: without end.
    public static let loopCountForever = -1

    /// As many beats as a file can have, and more.
    static let mostBeats = 1e10

    let track = SequencedTrack()
    let content: Mutex<Content>

    init(name: String = "", events: [Placed] = [], fileLength: Double = 0, timeResolution: Int = 480) {
        var content = Content()
        (content.name, content.events, content.fileLength) = (name, events, fileLength)
        content.timeResolution = timeResolution
        self.content = Mutex(content)
    }

    /// Changes the track, and has the sequencer play it so.
    func change(_ change: (inout Content) -> Void) {
        let sequencer = content.withLock { content in
            change(&content)
            return content.sequencer
        }
        sequencer?.trackHasChanged(self)
    }

    /// The name that a person reads; empty where there is none.
    public var name: String {
        get { content.withLock { $0.name } }
        set { content.withLock { $0.name = newValue } }
    }

    /// The unit that plays the track.
    ///
    /// Until it is set, the first instrument that is attached to the engine plays the track, and nothing where there is none; the
    /// sequencer looks for it when it starts, and at each change. A unit that is set need not be attached yet. While it is attached to
    /// another engine than the sequencer's, it hears nothing; once it has come to this one, starting the sequencer lets it play.
    public var destinationAudioUnit: AudioUnit? {
        get { content.withLock { $0.destination } ?? content.withLock { $0.sequencer }?.firstInstrument as? AudioUnit }
        set { change { $0.destination = newValue } }
    }

    /// The beats of the track that are repeated while `isLoopingEnabled`; at first all of it.
    ///
    /// A range of less than a hundredth of a beat is not repeated.
    public var loopRange: AudioBeatRange {
        get { content.withLock { $0.loop ?? AudioBeatRange(start: 0, length: $0.lengthInBeats) } }
        set { change { $0.loop = newValue } }
    }

    /// Whether the range is repeated; at first not.
    public var isLoopingEnabled: Bool {
        get { content.withLock { $0.isLooping } }
        set { change { $0.isLooping = newValue } }
    }

    /// How often the range is played in all before the track goes on; -1, as at first: without end.
    ///
    /// Numbers below 1 count as -1.
    public var numberOfLoops: Int {
        get { content.withLock { $0.numberOfLoops } }
        set { change { $0.numberOfLoops = newValue < 1 ? Self.loopCountForever : newValue } }
    }

    /// The beats by which the track begins after the song; below 0, the track's beginning is left out.
    public var offsetTime: AudioMusicTimeStamp {
        get { content.withLock { $0.offset } }
        set { if newValue.magnitude <= Self.mostBeats { change { $0.offset = newValue } } }
    }

    /// Whether the track begins no notes; controllers and programs go on.
    public var isMuted: Bool {
        get { content.withLock { $0.isMuted } }
        set { change { $0.isMuted = newValue } }
    }

    /// Whether only this track and others like it begin notes; a muted track stays muted.
    public var isSoloed: Bool {
        get { content.withLock { $0.isSoloed } }
        set { change { $0.isSoloed = newValue } }
    }

    /// The length in beats, without loops and offset; at first up to the end of the file's track, or of the last event.
    ///
    /// Setting it leaves out what begins later, and cuts notes that last longer. A length below 0 changes nothing.
    public var lengthInBeats: AudioMusicTimeStamp {
        get { content.withLock { $0.lengthInBeats } }
        set { if (0...Self.mostBeats).contains(newValue) { change { ($0.length, $0.list) = (newValue, nil) } } }
    }

    /// The length in seconds from the track's beginning in the song on, at the tempos of the sequencer and a rate of 1.
    public var lengthInSeconds: Double {
        get {
            let (length, offset) = content.withLock { ($0.lengthInBeats, $0.offset) }
            let map = content.withLock { $0.sequencer }?.tempoMap ?? TempoMap()
            return map.seconds(atBeat: offset + length) - map.seconds(atBeat: offset)
        }
        set {
            let offset = offsetTime
            let map = content.withLock { $0.sequencer }?.tempoMap ?? TempoMap()
            lengthInBeats = map.beat(atSeconds: map.seconds(atBeat: offset) + newValue) - offset
        }
    }

    /// The ticks in a beat of the file that the track comes from.
    public var timeResolution: Int { content.withLock { $0.timeResolution } }
}

extension AudioMusicTrack.Content {
    var lengthInBeats: Double { length ?? events.reduce(fileLength) { max($0, $1.end) } }

    /// The beat of the song at which the track ends; infinity for an endless loop.
    var endInSong: Double {
        guard let range = loopedRange else { return offset + lengthInBeats }
        guard numberOfLoops > 0 else { return .infinity }
        return offset + max(lengthInBeats, range.upperBound) + Double(numberOfLoops - 1) * (range.upperBound - range.lowerBound)
    }

    private var loopedRange: Range<Double>? {
        isLooping ? (loop ?? AudioBeatRange(start: 0, length: lengthInBeats)).range : nil
    }

    /// What the render thread is to play.
    mutating func part(_ track: SequencedTrack, isMuted: Bool, default instrument: AudioNode?) -> SequencedPart {
        let list = list ?? MessageList(messages)
        self.list = list
        var part = SequencedPart(track, list)
        let unit = destination ?? instrument
        // Another engine counts its frames otherwise.
        let isElsewhere = unit?.engine.map { $0 !== sequencer?.engine } ?? false
        part.port = isElsewhere ? nil : unit?.body.messagePort
        (part.offset, part.isMuted) = (offset, isMuted)
        (part.loop, part.passCount) = (loopedRange, numberOfLoops < 1 ? .max : numberOfLoops)
        return part
    }

    private var messages: [SequencedMessage] {
        let end = length ?? .infinity
        return events.lazy.filter { $0.beat < end }.flatMap { $0.event.messages(at: $0.beat, end: end) }
    }
}

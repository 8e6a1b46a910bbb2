// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A track of a sequencer: events, the unit that plays them, loop, mute. Any thread but the render thread.

import Rendering
import Synchronization

/// A track of a sequencer.
///
/// All may change while it plays, from the next cycle on. No change leaves a note hanging: it ends the track's notes at the beginning of
/// the cycle.
public final class AudioMusicTrack: Sendable {
    /// An event with its beat; events are sorted in playing order.
    struct Placed {
        var beat: Double
        var event: AudioMusicEvent
        /// A unique number among the events of all tracks; it stays when the event changes.
        let serial = Placed.serialCount.wrappingAdd(1, ordering: .relaxed).newValue
        private static let serialCount = Atomic<UInt64>(0)
        var end: Double { beat + event.duration }
    }

    struct Content {
        weak var sequencer: AudioSequencer?
        var name = ""
        var events: [Placed] = []
        /// The events in the form for the render thread, and the tempos among them; nil after an edit.
        var list: MessageList?
        var map: TempoMap?
        /// The length in beats that the program has set, beyond which nothing plays; nil: up to the end of the last event.
        var length: Double?
        /// The end of the file's track in beats; it may be later than that of the last event.
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

    /// The value of `numberOfLoops` for an endless loop.
    public static let loopCountForever = -1

    /// A limit of beats that no file exceeds.
    static let mostBeats = 1e10

    let track: SequencedTrack
    /// The cable of all messages; a unit may have sixteen channels on each.
    let cable: UInt8
    let content: Mutex<Content>

    init(name: String = "", events: [Placed] = [], fileLength: Double = 0, timeResolution: Int = 480, cable: UInt8 = 0) {
        (track, self.cable) = (SequencedTrack(cable: cable), cable)
        var content = Content()
        (content.name, content.events, content.fileLength) = (name, events, fileLength)
        content.timeResolution = timeResolution
        self.content = Mutex(content)
    }

    /// Changes the track, and makes the sequencer play the change.
    func change(_ change: (inout Content) -> Void) {
        let sequencer = content.withLock { content in
            change(&content)
            return content.sequencer
        }
        sequencer?.trackHasChanged(self)
    }

    /// The name for people; empty if there is none.
    public var name: String {
        get { content.withLock { $0.name } }
        set { content.withLock { $0.name = newValue } }
    }

    /// The unit that plays the track.
    ///
    /// Until the program sets it, the first instrument attached to the engine plays the track; without one it is silent. The sequencer
    /// looks for it at its start, and at each change. A unit that is set need not be attached yet. While it is attached to another engine
    /// than the sequencer's, it hears nothing. Once it has come to this engine, the next start of the sequencer lets it play.
    public var destinationAudioUnit: AudioUnit? {
        get { content.withLock { $0.destination } ?? content.withLock { $0.sequencer }?.firstInstrument as? AudioUnit }
        set { change { $0.destination = newValue } }
    }

    /// The beats of the track that repeat while `isLoopingEnabled`; at first all of it.
    ///
    /// A range of less than a hundredth of a beat does not repeat.
    public var loopRange: AudioBeatRange {
        get { content.withLock { $0.loop ?? AudioBeatRange(start: 0, length: $0.lengthInBeats) } }
        set { change { $0.loop = newValue } }
    }

    /// True if the range repeats; at first false.
    public var isLoopingEnabled: Bool {
        get { content.withLock { $0.isLooping } }
        set { change { $0.isLooping = newValue } }
    }

    /// The number of times that the range is played before the track goes on; −1, the default, is endless.
    ///
    /// Numbers below 1 count as −1.
    public var numberOfLoops: Int {
        get { content.withLock { $0.numberOfLoops } }
        set { change { $0.numberOfLoops = newValue < 1 ? Self.loopCountForever : newValue } }
    }

    /// The beats by which the track begins after the song; a value below 0 cuts off the track's beginning.
    public var offsetTime: AudioMusicTimeStamp {
        get { content.withLock { $0.offset } }
        set { if newValue.magnitude <= Self.mostBeats { change { $0.offset = newValue } } }
    }

    /// True if the track begins no notes; controllers and programs go on.
    public var isMuted: Bool {
        get { content.withLock { $0.isMuted } }
        set { change { $0.isMuted = newValue } }
    }

    /// True if only this track and other soloed ones begin notes; a muted track stays muted.
    public var isSoloed: Bool {
        get { content.withLock { $0.isSoloed } }
        set { change { $0.isSoloed = newValue } }
    }

    /// The length in beats, without loops and offset; at first up to the end of the file's track, or of the last event.
    ///
    /// A new length leaves out later events, and cuts notes that last longer. A length below 0 changes nothing.
    public var lengthInBeats: AudioMusicTimeStamp {
        get { content.withLock { $0.lengthInBeats } }
        set { if (0...Self.mostBeats).contains(newValue) { change { ($0.length, $0.list) = (newValue, nil) } } }
    }

    /// The length in seconds from the track's beginning in the song, at the tempos of the sequencer and a rate of 1.
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

    /// The number of ticks in a beat of the file that the track comes from.
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

    /// Returns the part of the track for the render thread.
    mutating func part(_ track: SequencedTrack, isMuted: Bool, default instrument: AudioNode?) -> SequencedPart {
        let list = list ?? MessageList(messages)
        self.list = list
        var part = SequencedPart(track, list)
        let unit = destination ?? instrument
        // Another engine has another count of frames.
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

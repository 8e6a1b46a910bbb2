// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Puts the tracks of a file together: beside each other, or one after the other as in format 2. Any thread.

/// The tracks that have been read, and the tempos, time signatures and markers of all of them.
struct FileParts {
    /// True if each track is a song that follows the one before.
    let isSequence: Bool
    private(set) var tracks: [MIDITrack] = []
    private(set) var facts = SongFacts()
    /// The tick at which the next song begins.
    private var start = 0
    /// A message of each channel that the songs so far have used since the channel was reset, by port and channel.
    private var used: Set<Int> = []
    /// True if a song so far has a time signature.
    private var isMeasured = false

    init(isSequence: Bool) { self.isSequence = isSequence }

    /// Adds a track with its facts.
    mutating func append(
        _ track: MIDITrack, _ facts: SongFacts, offset: Int, _ damage: inout DamageLog
    ) throws(MIDIFileError) {
        guard isSequence else { return add(track, facts) }
        guard start + track.endTick <= MIDIFile.lastTick else { return try damage.note(.tooLong(offset: offset)) }
        var (facts, events) = (facts.moved(by: start), track.events)
        for index in events.indices { events[index].tick += start }
        if start > 0 {
            facts.tempoChanges.insert(MIDITempoChange(tick: start, microsecondsPerQuarter: 500_000), at: 0)
            if isMeasured { facts.timeSignatures.insert(MIDITimeSignature(tick: start, numerator: 4, denominator: 4), at: 0) }
            events = resets(at: start) + events
        }
        isMeasured = isMeasured || !facts.timeSignatures.isEmpty
        for event in track.events where event.kind != .systemExclusive { used.insert(Int(event.port) << 4 | event.channel) }
        start += track.endTick
        add(MIDITrack(name: track.name, events: events, endTick: start), facts)
    }

    private mutating func add(_ track: MIDITrack, _ other: SongFacts) {
        tracks.append(track)
        facts.tempoChanges += other.tempoChanges
        facts.timeSignatures += other.timeSignatures
        facts.markers += other.markers
    }

    /// Returns messages that set the channels of earlier songs to the state of a synthesizer that was switched on.
    private mutating func resets(at tick: Int) -> [MIDIFileEvent] {
        defer { used = [] }
        return used.sorted().flatMap { place in
            let (channel, port) = (place & 15, UInt8(truncatingIfNeeded: place >> 4))
            let controls = [(121, 0), (0, 0), (32, 0), (7, 100), (10, 64)].map { controller, value in
                MIDIFileEvent(tick: tick, .controlChange, channel: channel, controller, value, port: port)
            }
            return controls + [MIDIFileEvent(tick: tick, .programChange, channel: channel, 0, port: port)]
        }
    }
}

extension SongFacts {
    /// The same facts, later by a number of ticks.
    fileprivate func moved(by ticks: Int) -> SongFacts {
        var moved = self
        for index in moved.tempoChanges.indices { moved.tempoChanges[index].tick += ticks }
        for index in moved.timeSignatures.indices { moved.timeSignatures[index].tick += ticks }
        for index in moved.markers.indices { moved.markers[index].tick += ticks }
        return moved
    }
}

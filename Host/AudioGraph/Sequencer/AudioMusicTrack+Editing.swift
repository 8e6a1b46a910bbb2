// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Adds, moves, copies and clears the events of a track. Any thread but the render thread.

import Rendering

extension AudioMusicTrack {
    /// Adds an event at a beat, behind those already there; false, with no change, if the beat is below 0 or not finite.
    @discardableResult
    public func addEvent(_ event: AudioMusicEvent, at beat: AudioMusicTimeStamp) -> Bool { addEvents([(event, beat)]) }

    /// Adds several events at once; false, with no change, if a beat is below 0 or not finite.
    @discardableResult
    public func addEvents(_ events: [(event: AudioMusicEvent, beat: AudioMusicTimeStamp)]) -> Bool {
        guard events.allSatisfy({ (0...Self.mostBeats).contains($0.beat) }) else { return false }
        edit { content in content.insert(events.map { Placed(beat: $0.beat, event: $0.event) }) }
        return true
    }

    /// Returns the events of a range with their beats, in order.
    public func events(in range: AudioBeatRange) -> [(event: AudioMusicEvent, beat: AudioMusicTimeStamp)] {
        content.withLock { $0.events.filter { range.contains($0.beat) }.map { ($0.event, $0.beat) } }
    }

    /// Calls `body` with each event of a range, which it may change, move or remove.
    ///
    /// A beat below 0, or one that is not finite, leaves the event at its beat. Meanwhile `body` or another thread may change the track:
    /// added events stay, and removed events stay away.
    public func enumerateEvents(
        in range: AudioBeatRange,
        using body: (_ event: inout AudioMusicEvent, _ beat: inout AudioMusicTimeStamp, _ removesEvent: inout Bool) -> Void
    ) {
        // No lock is held, because the body may call any function of the track.
        let found = content.withLock { $0.events.filter { range.contains($0.beat) } }
        var changes: [UInt64: Placed?] = [:]
        for placed in found {
            var (new, isRemoved) = (placed, false)
            body(&new.event, &new.beat, &isRemoved)
            if !(0...Self.mostBeats).contains(new.beat) { new.beat = placed.beat }
            guard isRemoved || new.event != placed.event || new.beat != placed.beat else { continue }
            changes.updateValue(isRemoved ? nil : new, forKey: placed.serial)
        }
        guard !changes.isEmpty else { return }
        edit { content in content.replace(changes) }
    }

    /// Moves the events of a range by a number of beats, to beat 0 at the least; the others stay.
    public func moveEvents(in range: AudioBeatRange, by beats: AudioMusicTimeStamp) {
        guard beats.isFinite else { return }
        edit { content in
            var moved = content.take(range)
            for index in moved.indices { moved[index].beat = max(0, min(Self.mostBeats, moved[index].beat + beats)) }
            content.insert(moved)
        }
    }

    /// Removes the events of a range; the others stay where they are.
    public func clearEvents(in range: AudioBeatRange) { edit { content in _ = content.take(range) } }

    /// Removes the events of a range, and moves the later ones up to its beginning.
    public func cutEvents(in range: AudioBeatRange) {
        guard let beats = range.range else { return }
        edit { content in
            _ = content.take(range)
            for index in content.events.indices where content.events[index].beat >= beats.upperBound {
                content.events[index].beat -= beats.upperBound - beats.lowerBound
            }
        }
    }

    /// Copies the events of a range of another track, or of this one, to a beat of this one, beside the events there.
    public func copyAndMergeEvents(in range: AudioBeatRange, from other: AudioMusicTrack, mergeAt beat: AudioMusicTimeStamp) {
        guard (0...Self.mostBeats).contains(beat) else { return }
        let copied = other.events(in: range)
        edit { content in content.insert(copied.map { Placed(beat: beat + $0.beat - range.start, event: $0.event) }) }
    }

    /// Copies the events of a range to a beat of this track; the events from that beat on move later.
    public func copyEvents(in range: AudioBeatRange, from other: AudioMusicTrack, insertAt beat: AudioMusicTimeStamp) {
        guard (0...Self.mostBeats).contains(beat), let beats = range.range else { return }
        let copied = other.events(in: range)
        edit { content in
            for index in content.events.indices where content.events[index].beat >= beat {
                content.events[index].beat += beats.upperBound - beats.lowerBound
            }
            content.insert(copied.map { Placed(beat: beat + $0.beat - range.start, event: $0.event) })
        }
    }

    private func edit(_ edit: (inout Content) -> Void) {
        change { content in
            edit(&content)
            (content.list, content.map) = (nil, nil)
        }
    }
}

extension AudioMusicTrack.Content {
    /// Adds events behind those of the same beats.
    fileprivate mutating func insert(_ new: [AudioMusicTrack.Placed]) {
        guard let first = new.first else { return }
        if new.count == 1 {
            let place = events.partition(by: first.beat)
            return events.insert(first, at: place)
        }
        events = (events + new).enumerated().sorted { ($0.element.beat, $0.offset) < ($1.element.beat, $1.offset) }.map(\.element)
    }

    /// Replaces events by their serial numbers, or removes them for nil; ignores events that have gone.
    ///
    /// An event with another beat comes behind the events there.
    fileprivate mutating func replace(_ changes: [UInt64: AudioMusicTrack.Placed?]) {
        var (kept, moved) = ([AudioMusicTrack.Placed](), [AudioMusicTrack.Placed]())
        for placed in events {
            guard let new = changes[placed.serial, default: placed] else { continue }
            if new.beat == placed.beat { kept.append(new) } else { moved.append(new) }
        }
        events = kept
        insert(moved)
    }

    /// Removes the events of a range and returns them.
    fileprivate mutating func take(_ range: AudioBeatRange) -> [AudioMusicTrack.Placed] {
        let taken = events.filter { range.contains($0.beat) }
        events.removeAll { range.contains($0.beat) }
        return taken
    }
}

extension [AudioMusicTrack.Placed] {
    /// Returns the first index behind all events up to a beat.
    fileprivate func partition(by beat: Double) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].beat <= beat { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

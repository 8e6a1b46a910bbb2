// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Hands the song's tempo map, loop, start, stop and position to the render thread. Control threads.

import Synchronization

/// The song's time line: the program's wishes, and the render thread's place in it.
public final class TransportLine: Sendable {
    /// The program's wishes for the song.
    public struct Wishes: Hashable, Sendable {
        /// The tempos and time signatures.
        public var map = TempoMap()
        /// True if the song plays.
        public var isPlaying = false
        /// The beats of the loop; nil without one.
        public var loop: Range<Double>?

        /// Makes a song of one tempo that stands at its beginning.
        public init() {}
    }

    // SAFETY: only the render thread uses the core; the shared state consists of atomics.
    nonisolated(unsafe) let core: UnsafeMutablePointer<TransportCore>
    nonisolated(unsafe) private let shared: UnsafeMutablePointer<TransportCore.Shared>
    private let wishes = Mutex(Wishes())
    /// The sequencers' tracks along the song.
    package let sequencer = SequencerLine()
    /// The MIDI input, which is played at once.
    package let midi = MIDIInputLine()
    /// The log of the events that the render thread took.
    package let log = EventLog()

    /// Makes a time line without wishes: the driver's transport counts.
    public init() {
        shared = .allocate(capacity: 1)
        shared.initialize(to: TransportCore.Shared())
        core = .allocate(capacity: 1)
        core.initialize(to: TransportCore(shared: shared, sequencer: sequencer.core, midi: midi.core, log: log.core))
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// The present wishes.
    public var present: Wishes { wishes.withLock { $0 } }

    /// Changes the wishes, from the next cycle on; with `beat` the song goes on there.
    public func change(beat: Double? = nil, _ change: (inout Wishes) -> Void = { _ in }) {
        wishes.withLock { wishes in
            change(&wishes)
            // A beat that the render thread has not gone to yet still counts.
            let former = shared.pointee.orders.takeBack()?.wantedBeat
            shared.pointee.orders.offer(TransportOrder(wishes, beat: beat ?? former))
            shared.pointee.orders.collect { _ in }
        }
    }

    /// The beat at the beginning of the last cycle, or a requested one that the render thread has not taken yet.
    public var beat: Double {
        let pending = wishes.withLock { _ in shared.pointee.orders.withPending { $0.wantedBeat } }
        return (pending ?? nil) ?? Double(bitPattern: shared.pointee.beat.load(ordering: .relaxed))
    }
}

/// The order for the render thread; it does not change once it is handed over.
struct TransportOrder: ~Copyable {
    let segments: UnsafeMutablePointer<TempoMap.Segment>
    let segmentCount: Int
    let signatures: UnsafeMutablePointer<TempoMap.Signature>
    let signatureCount: Int
    let isPlaying: Bool
    /// The loop; without one the end is not after the start.
    let loopStart: Double
    let loopEnd: Double
    /// The beat at which the song goes on; NaN for its present place.
    let location: Double
    /// The beat at which the song goes on; nil for its present place.
    var wantedBeat: Double? { location.isNaN ? nil : location }

    init(_ wishes: TransportLine.Wishes, beat: Double?) {
        segmentCount = wishes.map.segments.count
        segments = .allocate(capacity: segmentCount)
        segments.initialize(from: wishes.map.segments, count: segmentCount)
        signatureCount = wishes.map.signatures.count
        signatures = .allocate(capacity: max(1, signatureCount))
        signatures.initialize(from: wishes.map.signatures, count: signatureCount)
        isPlaying = wishes.isPlaying
        (loopStart, loopEnd) = wishes.loop.map { ($0.lowerBound, $0.upperBound) } ?? (0, 0)
        location = beat ?? .nan
    }

    deinit {
        segments.deallocate()
        signatures.deallocate()
    }

    /// The stretch around a beat.
    @_noLocks
    private func segment(atBeat beat: Double) -> TempoMap.Segment { segments[max(0, segmentCount(upTo: beat) &- 1)] }

    /// The number of stretches that have begun at a beat.
    @_noLocks
    private func segmentCount(upTo beat: Double) -> Int {
        var (low, high) = (0, segmentCount)
        while low < high {
            let middle = (low &+ high) / 2
            if segments[middle].beat <= beat { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    /// The number of signatures that have begun at a beat.
    @_noLocks
    private func signatureCount(upTo beat: Double) -> Int {
        var (low, high) = (0, signatureCount)
        while low < high {
            let middle = (low &+ high) / 2
            if signatures[middle].beat <= beat { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    @_noLocks
    func seconds(atBeat beat: Double) -> Double {
        let segment = segment(atBeat: beat)
        return segment.seconds + (beat - segment.beat) / segment.beatsPerSecond
    }

    @_noLocks
    func beat(atSeconds seconds: Double) -> Double {
        var (low, high) = (0, segmentCount)
        while low < high {
            let middle = (low &+ high) / 2
            if segments[middle].seconds <= seconds { low = middle &+ 1 } else { high = middle }
        }
        let segment = segments[max(0, low &- 1)]
        return segment.beat + (seconds - segment.seconds) * segment.beatsPerSecond
    }

    @_noLocks func beatsPerMinute(atBeat beat: Double) -> Double { segment(atBeat: beat).beatsPerMinute }

    /// The first beat after another one at which tempo or time signature change; infinity for none.
    @_noLocks
    func nextChange(behind beat: Double) -> Double {
        let (tempo, signature) = (segmentCount(upTo: beat), signatureCount(upTo: beat))
        let nextTempo = tempo < segmentCount ? segments[tempo].beat : .infinity
        return min(nextTempo, signature < signatureCount ? signatures[signature].beat : .infinity)
    }

    @_noLocks
    func signature(atBeat beat: Double) -> TempoMap.Signature {
        let count = signatureCount(upTo: beat)
        return count > 0 ? signatures[count &- 1] : TempoMap.Signature(beat: 0, numerator: 4, denominator: 4)
    }
}

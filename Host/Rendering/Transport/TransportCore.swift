// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where the song is at each frame: tempo changes and loops are kept to the frame. Render thread.

import CRealtimeShims
import Synchronization

/// The song's time line as the render thread goes along it.
///
/// The place follows from the last frame at which something changed, so cycles of any length have the same beats.
struct TransportCore: ~Copyable {
    struct Shared: ~Copyable {
        let orders = HandOver<TransportOrder>()
        let beat = Atomic<UInt64>(0)
    }

    private let shared: UnsafeMutablePointer<Shared>
    private var order: HandOver<TransportOrder>.Place?
    /// A frame and the beat there.
    private var anchorTime: Int64 = 0
    private var anchorBeat = 0.0
    private(set) var sampleRate = 48_000.0
    /// How often the song has gone on elsewhere: where it was told to, or at the end of its loop.
    private(set) var jumpCount: UInt64 = 0
    /// What is played along the song.
    private let sequencer: UnsafeMutablePointer<SequencerCore>
    /// What comes in by MIDI.
    private let midi: UnsafeMutablePointer<MIDIInputCore>
    /// What is taken, and when.
    private let log: UnsafePointer<EventLogCore>
    /// The frame that follows those that have been rendered.
    private var nextTime: Int64?

    /// A beat is reached within so small a part of a frame.
    private static var tolerance: Double { @_noLocks get { 1e-6 } }

    init(
        shared: UnsafeMutablePointer<Shared>, sequencer: UnsafeMutablePointer<SequencerCore>,
        midi: UnsafeMutablePointer<MIDIInputCore>, log: UnsafePointer<EventLogCore>
    ) {
        (self.shared, self.sequencer, self.midi, self.log) = (shared, sequencer, midi, log)
    }

    deinit {
        _ = HandOver.free(order)
    }

    /// The log, if events are wanted.
    var activeLog: UnsafePointer<EventLogCore>? { @_noLocks get { log.pointee.isOn ? log : nil } }

    /// Takes what is asked for at the beginning of a cycle.
    @_noLocks
    mutating func begin(_ cycle: RenderCycle) {
        // By itself: a sanitizer takes a write through a stored pointer for one through the first one that is stored.
        let sequencer = sequencer
        sequencer.pointee.begin(at: cycle.sampleTime)
        let midi = midi
        midi.pointee.begin(cycle)
        if let nextTime, nextTime != cycle.sampleTime || sampleRate != cycle.sampleRate {
            anchor(at: cycle.sampleTime, beat(at: nextTime))
        }
        sampleRate = cycle.sampleRate
        nextTime = cycle.sampleTime &+ Int64(cycle.frameCount)
        guard let new = shared.pointee.orders.passage.take()?.assumingMemoryBound(to: TransportOrder.self) else { return }
        let beat = new.pointee.location.isNaN ? beat(at: cycle.sampleTime) : new.pointee.location
        if !new.pointee.location.isNaN { jumpCount &+= 1 }
        if let order { shared.pointee.orders.passage.giveBack(order) }
        order = new
        anchor(at: cycle.sampleTime, beat)
    }

    /// The frames from `time` on that have one tempo and no jump, up to `frameCount`; the song wraps first, if its loop ends at `time`.
    @_noLocks
    mutating func pieceFrameCount(from time: Int64, upTo frameCount: Int) -> Int {
        guard let order, order.pointee.isPlaying else { return frameCount }
        let isLooping = order.pointee.loopEnd > order.pointee.loopStart
        var beat = beat(at: time)
        if isLooping, anchorBeat < order.pointee.loopEnd, time >= self.time(ofBeat: order.pointee.loopEnd) {
            // What it has gone beyond the end, it is behind the start.
            beat = order.pointee.loopStart + max(0, beat - order.pointee.loopEnd)
            if beat >= order.pointee.loopEnd { beat = order.pointee.loopStart }
            anchor(at: time, beat)
            jumpCount &+= 1
        }
        var next = self.time(ofBeat: order.pointee.nextChange(behind: beat + Self.tolerance))
        if isLooping, beat < order.pointee.loopEnd { next = min(next, self.time(ofBeat: order.pointee.loopEnd)) }
        return next > time ? Int(min(Int64(frameCount), next &- time)) : min(1, frameCount)
    }

    /// What is true of the song at a frame; what the driver says, where nothing has been asked for.
    @_noLocks
    func transport(at time: Int64, _ driver: Transport) -> Transport {
        guard let order else { return driver }
        let beat = beat(at: time)
        // A tempo holds from the frame on that is nearest behind its beat.
        let place = beat + Self.tolerance
        let signature = order.pointee.signature(atBeat: place)
        return Transport(
            isPlaying: order.pointee.isPlaying, tempo: order.pointee.beatsPerMinute(atBeat: place), beatPosition: beat,
            timeSignatureNumerator: signature.numerator, timeSignatureDenominator: signature.denominator,
            timeSignatureBeat: signature.beat)
    }

    /// Hands out what is to be played in a piece, which has one tempo and no jump.
    @_noLocks
    func sequence(from time: Int64, _ frameCount: Int, _ log: UnsafePointer<EventLogCore>?) {
        let (sequencer, midi) = (sequencer, midi)
        midi.pointee.follow(at: time)
        sequencer.pointee.run(from: time, frameCount, self, beside: midi)
        midi.pointee.deliver(before: time &+ Int64(frameCount), log)
    }

    /// Whether the song goes on; false where nothing has been asked for.
    var isPlaying: Bool { @_noLocks get { order?.pointee.isPlaying ?? false } }

    /// Tells other threads where the song is.
    @_noLocks func publish(at time: Int64) { shared.pointee.beat.store(beat(at: time).bitPattern, ordering: .relaxed) }

    @_noLocks private mutating func anchor(at time: Int64, _ beat: Double) { (anchorTime, anchorBeat) = (time, beat) }

    /// The beat at a frame.
    @_noLocks
    func beat(at time: Int64) -> Double {
        guard let order, order.pointee.isPlaying else { return anchorBeat }
        return order.pointee.beat(atSeconds: order.pointee.seconds(atBeat: anchorBeat) + Double(time &- anchorTime) / sampleRate)
    }

    /// The first frame at which a beat has been reached.
    @_noLocks
    func time(ofBeat beat: Double) -> Int64 {
        guard let order, beat < .infinity else { return .max }
        let frames = (order.pointee.seconds(atBeat: beat) - order.pointee.seconds(atBeat: anchorBeat)) * sampleRate
        return anchorTime &- Int64(CRealtimeShims_floor(max(-9e15, min(9e15, -(frames - Self.tolerance)))))
    }
}

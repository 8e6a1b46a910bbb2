// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The song's position at each frame, with tempo changes and loops at exact frames. Render thread.

import CRealtimeShims
import Synchronization

/// The render thread's state of the song's time line.
///
/// The position follows from the last frame of a change, so cycles of any length have the same beats.
struct TransportCore: ~Copyable {
    struct Shared: ~Copyable {
        let orders = HandOver<TransportOrder>()
        let beat = Atomic<UInt64>(0)
    }

    private let shared: UnsafeMutablePointer<Shared>
    private var order: HandOver<TransportOrder>.Place?
    /// A frame and its beat.
    private var anchorTime: Int64 = 0
    private var anchorBeat = 0.0
    private(set) var sampleRate = 48_000.0
    /// The number of jumps of the song: to a requested beat, or at the end of its loop.
    private(set) var jumpCount: UInt64 = 0
    /// The sequencers' tracks along the song.
    private let sequencer: UnsafeMutablePointer<SequencerCore>
    /// The MIDI input.
    private let midi: UnsafeMutablePointer<MIDIInputCore>
    /// The log of taken events.
    private let log: UnsafePointer<EventLogCore>
    /// The frame after the last rendered one.
    private var nextTime: Int64?

    /// The part of a frame within which a beat counts as reached.
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

    /// The log, if events are logged.
    var activeLog: UnsafePointer<EventLogCore>? { @_noLocks get { log.pointee.isOn ? log : nil } }

    /// Takes the newest order at the beginning of a cycle.
    @_noLocks
    mutating func begin(_ cycle: RenderCycle) {
        // In a variable of its own: a sanitizer confuses a write through one stored pointer with one through the first stored
        // pointer.
        let sequencer = sequencer
        sequencer.pointee.begin(at: cycle.sampleTime)
        let midi = midi
        midi.pointee.begin(cycle, activeLog)
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

    /// The number of frames from `time` on with one tempo and no jump, up to `frameCount`.
    ///
    /// If the song's loop ends at `time`, the song wraps first.
    @_noLocks
    mutating func pieceFrameCount(from time: Int64, upTo frameCount: Int) -> Int {
        guard let order, order.pointee.isPlaying else { return frameCount }
        let isLooping = order.pointee.loopEnd > order.pointee.loopStart
        var beat = beat(at: time)
        if isLooping, anchorBeat < order.pointee.loopEnd, time >= self.time(ofBeat: order.pointee.loopEnd) {
            // The excess beyond the end is carried over behind the start.
            beat = order.pointee.loopStart + max(0, beat - order.pointee.loopEnd)
            if beat >= order.pointee.loopEnd { beat = order.pointee.loopStart }
            anchor(at: time, beat)
            jumpCount &+= 1
        }
        var next = self.time(ofBeat: order.pointee.nextChange(behind: beat + Self.tolerance))
        if isLooping, beat < order.pointee.loopEnd { next = min(next, self.time(ofBeat: order.pointee.loopEnd)) }
        return next > time ? Int(min(Int64(frameCount), next &- time)) : min(1, frameCount)
    }

    /// The transport at a frame; the driver's, before the first order.
    @_noLocks
    func transport(at time: Int64, _ driver: Transport) -> Transport {
        guard let order else { return driver }
        let beat = beat(at: time)
        // A tempo holds from the first frame after its beat on.
        let place = beat + Self.tolerance
        let signature = order.pointee.signature(atBeat: place)
        return Transport(
            isPlaying: order.pointee.isPlaying, tempo: order.pointee.beatsPerMinute(atBeat: place), beatPosition: beat,
            timeSignatureNumerator: signature.numerator, timeSignatureDenominator: signature.denominator,
            timeSignatureBeat: signature.beat)
    }

    /// Sends the messages of a piece, which has one tempo and no jump.
    @_noLocks
    func sequence(from time: Int64, _ frameCount: Int, _ log: UnsafePointer<EventLogCore>?) {
        let (sequencer, midi) = (sequencer, midi)
        midi.pointee.follow(at: time)
        sequencer.pointee.run(from: time, frameCount, self, beside: midi)
        midi.pointee.deliver(before: time &+ Int64(frameCount), log)
    }

    /// True if the song plays; false before the first order.
    var isPlaying: Bool { @_noLocks get { order?.pointee.isPlaying ?? false } }

    /// Publishes the song's beat to other threads.
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
        // Cannot trap: clamped, and NaN becomes an end.
        return anchorTime &- Int64(CRealtimeShims_floor(max(-9e15, min(9e15, -(frames - Self.tolerance)))))
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The input that belongs to each output frame of a unit that stretches time, at a constant delay. Render thread.

import Realtime

/// Remembers the changes of a pace for as many output frames as a unit lags behind.
///
/// A host takes in `rate` input frames for each output frame. The unit plays at output frame n the input of output frame
/// n − `lag`. So its delay is the same at every rate, and a change is heard exactly where it was made.
///
/// Places are calculated from the frame of the last change, never as a sum over blocks. So they do not depend on the blocks.
public struct DelayedPace: ~Copyable {
    /// The output frames from one change to the next.
    public struct Piece {
        /// The first output frame.
        public var frame: Int64
        /// The input frame that the host has reached by then.
        public var place: Double
        /// The input frames for each output frame.
        public var rate: Double
        /// The factor of the pitch.
        public var pitch: Double

        /// `[render]` The input frame of an output frame.
        @_noLocks public func place(at time: Int64) -> Double { place + Double(time &- frame) * rate }
    }

    /// The delay in output frames.
    public let lag: Int
    /// `[render]` The next output frame.
    public private(set) var frame: Int64 = 0
    private let pieces: UnsafeMutablePointer<Piece>
    private let capacity: Int
    /// The piece that is heard, and the number of later ones.
    private var (first, laterCount) = (0, 0)

    /// `[control]` Allocates for a change on each frame of the delay.
    public init(lag: Int) {
        self.lag = lag
        // Each change is one frame at least after the one before.
        capacity = lag + 2
        pieces = .allocate(capacity: capacity)
        pieces.initialize(repeating: Piece(frame: 0, place: 0, rate: 1, pitch: 1), count: capacity)
    }

    deinit { pieces.deallocate() }

    /// `[render]` The pace that the host has asked for last.
    public var newest: Piece { @_noLocks get { pieces[(first &+ laterCount) % capacity] } }
    /// `[render]` The pace that is heard.
    public var heard: Piece { @_noLocks get { pieces[first] } }
    /// `[render]` True if no change is to be heard any more, and the rate is 1.
    public var isSettled: Bool { @_noLocks get { laterCount == 0 && pieces[first].rate == 1 } }
    /// `[render]` The number of output frames until another pace is heard.
    public var frameCountToChange: Int {
        @_noLocks get { laterCount == 0 ? Int.max : Int(pieces[(first &+ 1) % capacity].frame &+ Int64(lag) &- frame) }
    }

    /// `[render]` The input frame that the host will have reached `ahead` output frames from now.
    @_noLocks public func reached(ahead: Int) -> Double { newest.place(at: frame &+ Int64(ahead)) }

    /// `[render]` The pace to be heard `ahead` output frames from now, and its input frame.
    @_noLocks
    public func heard(ahead: Int) -> (piece: Piece, place: Double) {
        let time = frame &+ Int64(ahead) &- Int64(lag)
        var index = 0
        while index < laterCount, pieces[(first &+ index &+ 1) % capacity].frame <= time { index &+= 1 }
        let piece = pieces[(first &+ index) % capacity]
        return (piece, piece.place(at: time))
    }

    /// `[render]` Changes the pace from the next output frame on.
    @_noLocks
    public mutating func change(rate: Double, pitch: Double) {
        let last = newest
        guard last.rate != rate || last.pitch != pitch else { return }
        if last.frame != frame { laterCount &+= 1 }
        pieces[(first &+ laterCount) % capacity] = Piece(frame: frame, place: last.place(at: frame), rate: rate, pitch: pitch)
    }

    /// `[render]` Moves on by `count` output frames, at most as many as `frameCountToChange`.
    @_noLocks
    public mutating func advance(_ count: Int) {
        frame &+= Int64(count)
        while laterCount > 0, pieces[(first &+ 1) % capacity].frame &+ Int64(lag) <= frame {
            first = (first &+ 1) % capacity
            laterCount &-= 1
        }
    }

    /// `[render]` Corrects the input frame that the host has reached, while the pace is settled.
    ///
    /// The host counts whole frames.
    @_noLocks
    public mutating func settle(at place: Int64) {
        pieces[first].place = Double(place &- (frame &- pieces[first].frame))
    }

    /// `[render]` Starts again at the first frames; the newest pace stays.
    @_noLocks
    public mutating func reset() {
        let last = newest
        (frame, first, laterCount) = (0, 0, 0)
        pieces[0] = Piece(frame: 0, place: 0, rate: last.rate, pitch: last.pitch)
    }
}

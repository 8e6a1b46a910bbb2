// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How a source that has a place is heard: gains of the two sides, and a low pass. Set by any thread, read by the render thread.

import Realtime
import Synchronization

/// The gains of a source at a node that places sources in space.
///
/// The channels of the source are averaged, filtered and put to the left and the right. Beside that they may go through as they
/// are. Changes glide over 20 ms. `[any]`
public final class PlacedState: Sendable {
    /// What follows from a place.
    public struct Gains: Hashable, Sendable {
        /// The gain of the averaged channels at the left.
        public var left: Float = 1
        /// The gain of the averaged channels at the right.
        public var right: Float = 1
        /// The gain of the channels that go through as they are.
        public var through: Float = 0
        /// Where the low pass of the averaged channels begins, in hertz; infinity: it is off.
        public var cutoffHertz: Float = .infinity
        /// Whether a source of more than one channel is not placed, and goes through alone.
        public var passesChannels = false

        /// A source at both sides.
        public init() {}
    }

    // SAFETY: the render thread alone uses the core; the shared state consists of atomics.
    nonisolated(unsafe) let core: UnsafeMutablePointer<PlacedCore>
    private nonisolated(unsafe) let shared: UnsafeMutablePointer<PlacedCore.Shared>

    /// A source that has not been heard.
    public init(_ gains: Gains = Gains()) {
        shared = .allocate(capacity: 1)
        shared.initialize(to: PlacedCore.Shared())
        core = .allocate(capacity: 1)
        core.initialize(to: PlacedCore(shared: shared))
        set(gains)
    }

    deinit {
        core.deallocate()
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// Sets all gains; one thread at a time calls it.
    ///
    /// What is not finite counts as 0, and a cutoff that is NaN as off.
    public func set(_ gains: Gains) {
        let (left, right) = (Loudness.finite(gains.left), Loudness.finite(gains.right))
        let cutoff = gains.cutoffHertz.isNaN ? .infinity : max(1, gains.cutoffHertz)
        // Relaxed: each word stands for itself, and a cycle between the stores glides towards values of either place.
        shared.pointee.sides.store(PlacedCore.packed(left, right), ordering: .relaxed)
        shared.pointee.rest.store(PlacedCore.packed(Loudness.finite(gains.through), cutoff), ordering: .relaxed)
        shared.pointee.passesChannels.store(gains.passesChannels, ordering: .relaxed)
    }
}

extension Loudness {
    /// A gain within the bounds; 0 for what is not finite.
    fileprivate static func finite(_ gain: Float) -> Float { gain.isFinite ? clamped(gain) : 0 }
}

/// What the render thread uses of a source's place.
struct PlacedCore {
    struct Shared: ~Copyable {
        /// Two gains in one word: they belong together.
        let sides = Atomic<UInt64>(0)
        /// The gain of what goes through, and the cutoff.
        let rest = Atomic<UInt64>(0)
        let passesChannels = Atomic<Bool>(false)
    }

    private let shared: UnsafeMutablePointer<Shared>
    var left = SmoothedValue(0)
    var right = SmoothedValue(0)
    var through = SmoothedValue(0)
    /// The share of the new sample in a one-pole low pass; 1 where it is off.
    var share = SmoothedValue(1)
    /// The last sample of the low pass.
    var last: Float = 0
    private var cutoffHertz = Float.infinity
    private var sampleRate = 0.0
    private var hasBegun = false

    init(shared: UnsafeMutablePointer<Shared>) { self.shared = shared }

    static func packed(_ first: Float, _ second: Float) -> UInt64 { UInt64(first.bitPattern) << 32 | UInt64(second.bitPattern) }

    @_noLocks
    private static func first(_ word: UInt64) -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: word >> 32)) }

    @_noLocks
    private static func second(_ word: UInt64) -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: word)) }

    /// Sets the targets for a cycle; with `isUnheard` they are there at once.
    @_noLocks
    mutating func aim(isMono: Bool, isMonoOutput: Bool, sampleRate: Double, glideFrameCount: Int, isUnheard: Bool) {
        let sides = shared.pointee.sides.load(ordering: .relaxed)
        let rest = shared.pointee.rest.load(ordering: .relaxed)
        let isPassed = !isMono && shared.pointee.passesChannels.load(ordering: .relaxed)
        let glide = hasBegun && !isUnheard ? glideFrameCount : 0
        // What cannot be heard of the filter is forgotten, so that blocks of any length begin it again alike.
        if isUnheard || isAside { last = 0 }
        var (toLeft, toRight) = (Self.first(sides), Self.second(sides))
        // One channel carries the power of both sides.
        if isMonoOutput { (toLeft, toRight) = (Float(Maths.sqrt(Double(toLeft * toLeft + toRight * toRight))), 0) }
        if isPassed { (toLeft, toRight) = (0, 0) }
        Self.aim(&left, toLeft, glide)
        Self.aim(&right, toRight, glide)
        Self.aim(&through, isPassed ? 1 : Self.first(rest), glide)
        aimFilter(Self.second(rest), sampleRate, glide)
        hasBegun = true
    }

    @_noLocks
    private static func aim(_ value: inout SmoothedValue, _ target: Float, _ glide: Int) {
        if target != value.target { value.ramp(to: target, over: glide) }
    }

    @_noLocks
    private mutating func aimFilter(_ cutoff: Float, _ rate: Double, _ glide: Int) {
        guard cutoff != cutoffHertz || rate != sampleRate else { return }
        (cutoffHertz, sampleRate) = (cutoff, rate)
        let isOff = !(Double(cutoff) < rate / 2)
        Self.aim(&share, isOff ? 1 : 1 - Maths.exp(-2 * Float.pi * cutoff / Float(rate)), glide)
    }

    /// Whether nothing of the averaged channels is heard at present.
    var isAside: Bool {
        @_noLocks get { left.current == 0 && right.current == 0 && !left.isMoving && !right.isMoving }
    }

    /// Whether nothing goes through at present.
    var isPlacedAlone: Bool {
        @_noLocks get { through.current == 0 && !through.isMoving }
    }

    /// Whether the gains stay as they are during a cycle.
    var isSteady: Bool {
        @_noLocks get { !left.isMoving && !right.isMoving && !through.isMoving }
    }

    /// Filters samples in place; there is at least one.
    @_noLocks
    mutating func filter(_ samples: UnsafeMutablePointer<Float>, _ frameCount: Int) {
        if share.isMoving || share.current != 1 {
            for frame in 0..<frameCount { samples[frame] = filtered(samples[frame]) }
        } else if frameCount > 0 {
            last = samples[frameCount &- 1]
        }
    }

    /// The next sample of the low pass.
    @_noLocks
    private mutating func filtered(_ sample: Float) -> Float {
        let share = share.next()
        guard share != 1 else {
            last = sample
            return sample
        }
        last += share * (sample - last)
        // A tail has an end.
        if abs(last) < Self.inaudible { last = 0 }
        return last
    }

    /// −240 dB.
    private static var inaudible: Float {
        @_noLocks get { 1e-12 }
    }

    /// Moves all on by `frameCount` frames of silence.
    @_noLocks
    mutating func advance(by frameCount: Int) {
        _ = left.advance(by: frameCount)
        _ = right.advance(by: frameCount)
        _ = through.advance(by: frameCount)
        _ = share.advance(by: frameCount)
    }
}

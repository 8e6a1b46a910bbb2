// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Counts the input frames of a node that stretches time, for its output frames. Render thread; control threads set the rate.

import CRealtimeShims
import Synchronization

/// The pace of time upstream of a node that stretches it.
///
/// With the rate p/q the node takes in ⌊n · p / q⌋ frames for n frames that it puts out. So the count is exact for hours, and
/// does not depend on the division of time into cycles. A change of the rate takes effect with the next cycle.
public final class TimePace: Sendable {
    // SAFETY: only the render thread uses the core; the shared state consists of atomics.
    package nonisolated(unsafe) let core: UnsafeMutablePointer<TimePaceCore>
    nonisolated(unsafe) private let shared: UnsafeMutablePointer<TimePaceCore.Shared>

    /// Makes a pace of one input frame for each output frame.
    public init() {
        shared = .allocate(capacity: 1)
        shared.initialize(to: TimePaceCore.Shared())
        core = .allocate(capacity: 1)
        core.initialize(to: TimePaceCore(shared: shared))
    }

    deinit {
        core.deallocate()
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// The number of input frames for each output frame that was set last.
    public var rate: Double {
        let newest = shared.pointee.rate.load(ordering: .relaxed)
        return Double(newest >> 32) / Double(newest & 0xFFFF_FFFF)
    }

    /// Sets the number of input frames for each output frame.
    ///
    /// The pace uses the simplest fraction that equals the number in single precision. A rate that is not between 1/64 and 64
    /// changes nothing.
    public func setRate(_ rate: Float) {
        guard rate.isFinite, (1.0 / 64...64).contains(rate) else { return }
        let (numerator, denominator) = Self.fraction(rate)
        shared.pointee.rate.store(UInt64(numerator) << 32 | UInt64(denominator), ordering: .relaxed)
    }

    /// The simplest fraction that rounds to a number, found along the Stern–Brocot tree by continued fractions.
    package static func fraction(_ value: Float) -> (numerator: UInt32, denominator: UInt32) {
        var (before, last) = ((0.0, 1.0), (1.0, 0.0))
        var rest = Double(value)
        while true {
            let whole = rest.rounded(.down)
            func fraction(_ term: Double) -> (Double, Double) { (before.0 + term * last.0, before.1 + term * last.1) }
            func isValue(_ fraction: (Double, Double)) -> Bool { fraction.1 > 0 && Float(fraction.0 / fraction.1) == value }
            if isValue(fraction(whole)) {
                // Between two convergents lie simpler fractions. A larger last term brings them closer to the number.
                var (low, high) = (0.0, whole)
                while high - low > 1 {
                    let middle = ((low + high) / 2).rounded(.down)
                    if isValue(fraction(middle)) { high = middle } else { low = middle }
                }
                let found = fraction(isValue(fraction(low)) ? low : high)
                return (UInt32(found.0), UInt32(found.1))
            }
            (before, last) = (last, fraction(whole))
            rest = 1 / (rest - whole)
        }
    }
}

/// The render thread's state of a pace.
package struct TimePaceCore {
    struct Shared: ~Copyable {
        /// The numerator in the upper 32 bits, the denominator in the lower ones.
        let rate = Atomic<UInt64>(1 << 32 | 1)
    }

    private let shared: UnsafeMutablePointer<Shared>
    private var rate: UInt64 = 1 << 32 | 1
    /// The number of input frames so far; after the next, the number of output frames since the rate was set.
    private(set) var takenCount: Int64 = 0
    private var anchorCount: Int64 = 0
    private var putCount: Int64 = 0
    /// The part of a frame that was due when the rate was set, in 2⁻³² frames.
    private var fraction: Int64 = 0

    init(shared: UnsafeMutablePointer<Shared>) { self.shared = shared }

    /// The number of input frames for each output frame.
    package var ratio: Double {
        @_noLocks get { Double(rate >> 32) / Double(rate & 0xFFFF_FFFF) }
    }

    /// Takes a new rate.
    @_noLocks
    mutating func begin() {
        let newest = shared.pointee.rate.load(ordering: .relaxed)
        guard newest != rate else { return }
        let exact = due(putCount)
        (anchorCount, fraction, putCount, rate) = (exact.whole, exact.fraction, 0, newest)
    }

    /// The number of input frames for the next `frameCount` output frames.
    @_noLocks func frames(_ frameCount: Int) -> Int { Int(due(putCount &+ Int64(frameCount)).whole &- takenCount) }

    /// Returns the same number as `frames`, and moves on by these frames.
    @_noLocks
    mutating func advance(_ frameCount: Int) -> Int {
        let count = frames(frameCount)
        putCount &+= Int64(frameCount)
        takenCount &+= Int64(count)
        return count
    }

    /// The input frames that are due after `count` output frames since the rate was set: whole frames, and 2⁻³² of one.
    @_noLocks
    private func due(_ count: Int64) -> (whole: Int64, fraction: Int64) {
        // Cannot trap: two halves of a word.
        let (numerator, denominator) = (Int64(rate >> 32), Int64(rate & 0xFFFF_FFFF))
        let whole = CRealtimeShims_scaleDown(count, numerator, denominator)
        // The rest of the product is below the denominator, so 32 more bits of it fit.
        let left = count &* numerator &- whole &* denominator
        let parts = fraction &+ (left << 32) / denominator
        return (anchorCount &+ whole &+ (parts >> 32), parts & 0xFFFF_FFFF)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Measures time at a lower cost than two reads of the clock. Render thread.

import CLinuxShims

/// Measures times with the processor's own counter, which it compares with the clock now and then.
///
/// A read of the clock waits for all earlier instructions, and scales its result. If a unit renders in a tenth of a
/// microsecond, two such reads take a third of that.
///
/// Out-of-order execution limits the accuracy of a result. For a thousand measurements after the machine has slept, the error
/// may have any size.
@frozen
public struct Stopwatch {
    @usableFromInline var startTicks: UInt64 = 0
    /// The start, used only until the pace of the counter is known.
    @usableFromInline var startTime: UInt64 = 0
    /// The nanoseconds in a tick of the counter, times 2³²; zero until that is known.
    @usableFromInline var pace: UInt64 = 0
    /// The clock and the counter, read at the same moment.
    private var comparedTime: UInt64
    private var comparedTicks: UInt64
    @usableFromInline var stretchCount: UInt32 = 0

    /// The shortest time over which the pace is measured, and the number of measurements between two such times.
    private static var paceNanoseconds: UInt64 { @_noLocks get { 10_000_000 } }
    @usableFromInline static var stretchesOfAPace: UInt32 { @inlinable @_noLocks get { 1024 } }

    /// Reads the clock and the counter for the first time.
    @_noLocks
    public init() {
        comparedTime = MonotonicClock.now()
        comparedTicks = CLinuxShims_ticks()
    }

    /// `[render]` Starts a measurement.
    @inlinable @inline(__always) @_noLocks
    public mutating func start() {
        if pace == 0 { startTime = MonotonicClock.now() }
        startTicks = CLinuxShims_ticks()
    }

    /// `[render]` Ends the measurement and returns its length in nanoseconds.
    @inlinable @inline(__always) @_noLocks
    public mutating func stop() -> UInt64 {
        // The counters of two processors may differ slightly.
        let ticks = max(0, Int64(bitPattern: CLinuxShims_ticks() &- startTicks))
        stretchCount &+= 1
        guard pace > 0, stretchCount & (Self.stretchesOfAPace - 1) != 0 else { return compare(ticks) }
        return nanoseconds(ticks)
    }

    /// The conversion uses whole numbers: one from floating point checks three times whether it is possible.
    @inlinable @_noLocks
    func nanoseconds(_ ticks: Int64) -> UInt64 {
        let product = ticks.magnitude.multipliedFullWidth(by: pace)
        return product.high &<< 32 | product.low &>> 32
    }

    /// Measures the pace of the counter, if that is due; returns the length in nanoseconds.
    @usableFromInline @_noLocks
    mutating func compare(_ ticks: Int64) -> UInt64 {
        let (now, counted) = (MonotonicClock.now(), CLinuxShims_ticks())
        let isKnown = pace > 0
        let length = isKnown ? nanoseconds(ticks) : now &- startTime
        let passed = Int64(bitPattern: counted &- comparedTicks)
        if now &- comparedTime >= Self.paceNanoseconds {
            // A counter that hardly moves gets the largest pace that fits.
            if passed > 0 { pace = UInt64(min(Double(now &- comparedTime) / Double(passed), 0x1p20) * 0x1p32) }
            (comparedTime, comparedTicks) = (now, counted)
        }
        return length
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How long something takes, for less than two looks at the clock would take. Render thread.

import CLinuxShims

/// Measures one stretch of time after the other by the processor's own counter, which it compares with the clock now and then.
///
/// A look at the clock waits for all instructions before it, and scales what it reads; where a unit renders in a tenth of a
/// microsecond, two of them are a third of that. What is measured here may be off by as much as the processor runs ahead of
/// itself, and for a thousand stretches after the machine has slept by anything.
@frozen
public struct Stopwatch {
    @usableFromInline var startTicks: UInt64 = 0
    /// When the stretch began; only before the counter's pace is known.
    @usableFromInline var startTime: UInt64 = 0
    /// Nanoseconds in a tick of the counter, times 2³²; zero before that is known.
    @usableFromInline var pace: UInt64 = 0
    /// What the clock and the counter said at the same moment.
    private var comparedTime: UInt64
    private var comparedTicks: UInt64
    @usableFromInline var stretchCount: UInt32 = 0

    /// A pace is taken over so many nanoseconds at least, and anew after so many stretches.
    private static var paceNanoseconds: UInt64 { @_noLocks get { 10_000_000 } }
    @usableFromInline static var stretchesOfAPace: UInt32 { @inlinable @_noLocks get { 1024 } }

    @_noLocks
    public init() {
        comparedTime = MonotonicClock.now()
        comparedTicks = CLinuxShims_ticks()
    }

    /// `[render]` A stretch begins.
    @inlinable @inline(__always) @_noLocks
    public mutating func start() {
        if pace == 0 { startTime = MonotonicClock.now() }
        startTicks = CLinuxShims_ticks()
    }

    /// `[render]` It ends; nanoseconds.
    @inlinable @inline(__always) @_noLocks
    public mutating func stop() -> UInt64 {
        // The counters of two processors may differ by a little.
        let ticks = max(0, Int64(bitPattern: CLinuxShims_ticks() &- startTicks))
        stretchCount &+= 1
        guard pace > 0, stretchCount & (Self.stretchesOfAPace - 1) != 0 else { return compare(ticks) }
        return nanoseconds(ticks)
    }

    /// In whole numbers: a conversion from floating point asks three times whether it can be done.
    @inlinable @_noLocks
    func nanoseconds(_ ticks: Int64) -> UInt64 {
        let product = ticks.magnitude.multipliedFullWidth(by: pace)
        return product.high &<< 32 | product.low &>> 32
    }

    /// Takes the counter's pace, if that is due.
    @usableFromInline @_noLocks
    mutating func compare(_ ticks: Int64) -> UInt64 {
        let (now, counted) = (MonotonicClock.now(), CLinuxShims_ticks())
        let isKnown = pace > 0
        let length = isKnown ? nanoseconds(ticks) : now &- startTime
        let passed = Int64(bitPattern: counted &- comparedTicks)
        if now &- comparedTime >= Self.paceNanoseconds {
            // Of a counter that hardly moves, what fits.
            if passed > 0 { pace = UInt64(min(Double(now &- comparedTime) / Double(passed), 0x1p20) * 0x1p32) }
            (comparedTime, comparedTicks) = (now, counted)
        }
        return length
    }
}

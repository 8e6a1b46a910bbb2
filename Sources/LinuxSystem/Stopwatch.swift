// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How long something takes, for less than two looks at the clock would take. Render thread.

import CLinuxShims

/// Measures one stretch of time after the other by the processor's own counter, which it compares with the clock now and then.
///
/// A look at the clock waits for all instructions before it, and scales what it reads; where a unit renders in a tenth of a
/// microsecond, two of them are a third of that. What is measured here may be off by as much as the processor runs ahead of
/// itself, and for a thousand stretches after the machine has slept by anything.
public struct Stopwatch {
    private var startTicks: UInt64 = 0
    /// When the stretch began; only before the counter's pace is known.
    private var startTime: UInt64 = 0
    private var nanosecondsPerTick = 0.0
    /// What the clock and the counter said at the same moment.
    private var comparedTime: UInt64
    private var comparedTicks: UInt64
    private var stretchCount: UInt32 = 0

    /// A pace is taken over so many nanoseconds at least, and anew after so many stretches.
    private static var paceNanoseconds: UInt64 { @_noLocks get { 10_000_000 } }
    private static var stretchesOfAPace: UInt32 { @_noLocks get { 1024 } }

    @_noLocks
    public init() {
        comparedTime = MonotonicClock.now()
        comparedTicks = CLinuxShims_ticks()
    }

    /// `[render]` A stretch begins.
    @_noLocks
    public mutating func start() {
        if nanosecondsPerTick == 0 { startTime = MonotonicClock.now() }
        startTicks = CLinuxShims_ticks()
    }

    /// `[render]` It ends; nanoseconds.
    @_noLocks
    public mutating func stop() -> UInt64 {
        // The counters of two processors may differ by a little.
        let ticks = max(0, Int64(bitPattern: CLinuxShims_ticks() &- startTicks))
        stretchCount &+= 1
        guard nanosecondsPerTick > 0, stretchCount & (Self.stretchesOfAPace - 1) != 0 else { return compare(ticks) }
        return UInt64(Double(ticks) * nanosecondsPerTick)
    }

    /// Takes the counter's pace, if that is due.
    @_noLocks
    private mutating func compare(_ ticks: Int64) -> UInt64 {
        let (now, counted) = (MonotonicClock.now(), CLinuxShims_ticks())
        let isKnown = nanosecondsPerTick > 0
        let length = isKnown ? UInt64(Double(ticks) * nanosecondsPerTick) : now &- startTime
        let passed = Int64(bitPattern: counted &- comparedTicks)
        if now &- comparedTime >= Self.paceNanoseconds {
            if passed > 0 { nanosecondsPerTick = Double(now &- comparedTime) / Double(passed) }
            (comparedTime, comparedTicks) = (now, counted)
        }
        return length
    }
}

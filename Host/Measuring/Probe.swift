// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The two things that are timed: a chain's render call and the bare hand-off. Measuring thread.

import LinuxSystem
import PluginHosting
import Realtime
import Rendering

/// One cycle of a chain, as a driver would ask for it.
struct ChainProbe: @unchecked Sendable {
    // SAFETY: one measuring thread at a time; the chain that it comes from outlives it.
    let callback: RenderCallback
    let blocks: UnsafeMutablePointer<ChainBlocks>
    let frameCount: Int

    /// `[render]` In real time, with the deadline that a cycle of so many frames has.
    func run(hostTime: UInt64) {
        let cycle = RenderCycle(
            sampleTime: blocks.pointee.sampleTime, hostTime: hostTime, sampleRate: ChainMeasure.sampleRate,
            transport: Transport(), isOffline: false, inputs: blocks.pointee.input.block(frameCount: frameCount),
            outputs: blocks.pointee.output.block(frameCount: frameCount))
        blocks.pointee.sampleTime &+= Int64(frameCount)
        withUnsafePointer(to: cycle) { callback.function(callback.context, $0) }
    }
}

extension ChainProbe {
    /// An effect that is late loses its rank and its processor, and gets them back some time after it has answered, for which a
    /// thread of a higher rank that renders on and on leaves no room.
    func recover() {
        for _ in 0..<3 {
            MonotonicClock.sleep(until: MonotonicClock.now() + 5_000_000)
            run(hostTime: MonotonicClock.now())
        }
    }
}

/// What is run over and over while the clock is read.
enum Probe: Sendable {
    case floor(FloorTurns)
    case chain(ChainProbe)

    func run(hostTime: UInt64) {
        switch self {
        case .floor(let turns): turns.roundTrip()
        case .chain(let chain): chain.run(hostTime: hostTime)
        }
    }

    /// Runs back to back, and nothing is timed.
    func run(count: Int) { for _ in 0..<count { run(hostTime: MonotonicClock.now()) } }

    /// `[render]` Runs `settlingCount` times for nothing, so that the caches are this probe's own, and then once
    /// for each of the times to be written: `period` nanoseconds from start to start, as a driver does, or back to back for 0, where
    /// one clock reading ends a cycle and begins the next. A cycle in which `looks` are counted is not this probe's alone, and is
    /// repeated. Returns how many there have been.
    @discardableResult
    func measure(
        settlingCount: Int, into nanoseconds: UnsafeMutablePointer<UInt32>, count: Int, period: UInt64,
        without looks: DeadlineLooks?
    ) -> Int {
        var cycleCount = 0
        var before = MonotonicClock.now()
        var due = before
        var index = -settlingCount
        while index < count {
            if period > 0 {
                due = max(due + period, before)
                MonotonicClock.sleep(until: due)
                before = MonotonicClock.now()
            }
            let looksBefore = looks?.count
            run(hostTime: before)
            let now = MonotonicClock.now()
            cycleCount += 1
            if looks?.count == looksBefore {
                if index >= 0 { nanoseconds[index] = UInt32(clamping: now &- before) }
                index += 1
            }
            before = now
        }
        return cycleCount
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The two timed actions: a chain's render call and the bare hand-off. Measuring thread.

import LinuxSystem
import PluginHosting
import Realtime
import Rendering

/// One cycle of a chain, as a driver requests it.
struct ChainProbe: @unchecked Sendable {
    // SAFETY: one measuring thread at a time; its chain outlives it.
    let callback: RenderCallback
    let blocks: UnsafeMutablePointer<ChainBlocks>
    let frameCount: Int

    /// `[render]` Renders in real time, with the deadline of a cycle of `frameCount` frames.
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
    /// Rests, so that a late effect can recover.
    ///
    /// A late effect loses its priority and its processor, and gets them back after its reply. A thread of higher priority
    /// would leave it no time.
    func recover() {
        for _ in 0..<3 {
            MonotonicClock.sleep(until: MonotonicClock.now() + 5_000_000)
            run(hostTime: MonotonicClock.now())
        }
    }
}

/// The action that is repeated while the clock is read.
enum Probe: Sendable {
    case floor(FloorTurns)
    case chain(ChainProbe)

    func run(hostTime: UInt64) {
        switch self {
        case .floor(let turns): turns.roundTrip()
        case .chain(let chain): chain.run(hostTime: hostTime)
        }
    }

    /// Runs back to back without timing.
    func run(count: Int) { for _ in 0..<count { run(hostTime: MonotonicClock.now()) } }

    /// `[render]` Runs `settlingCount` times to fill the caches, and then once for each time to write.
    ///
    /// `period` is in nanoseconds from start to start, as in a driver. With 0 the cycles run back to back, and one reading of
    /// the clock ends a cycle and begins the next. A cycle that contains one of the `looks` is repeated.
    ///
    /// - Returns: the number of cycles.
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

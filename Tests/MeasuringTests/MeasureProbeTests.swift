// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What of a chain's own is kept out of the figures of what runs beside it. Any thread.

import LinuxSystem
import Rendering
import Synchronization
import Testing

@testable import Measuring
@testable import PluginHosting

@Suite struct MeasureProbeTests {
    /// A render call that takes two milliseconds in every second call, in which the watch seems to look.
    private final class Interrupted: @unchecked Sendable {
        // SAFETY: one thread.
        private let watch = DeadlineWatch.shared
        /// The watch's own, which goes when the watch does.
        var sharedState: UnsafeMutablePointer<WatchSharedState> { watch.sharedState }
        private let blocks = UnsafeMutablePointer<ChainBlocks>.allocate(capacity: 1)
        var callCount = 0

        init() { blocks.initialize(to: ChainBlocks(32)) }

        deinit {
            blocks.deinitialize(count: 1)
            blocks.deallocate()
        }

        var probe: Probe {
            let callback = RenderCallback(
                function: { context, _ in
                    let it = Unmanaged<Interrupted>.fromOpaque(context!).takeUnretainedValue()
                    it.callCount += 1
                    guard it.callCount.isMultiple(of: 2) else { return }
                    it.sharedState.pointee.lookCount.wrappingAdd(1, ordering: .relaxed)
                    let end = MonotonicClock.now() + 2_000_000
                    while MonotonicClock.now() < end {}
                }, context: Unmanaged.passUnretained(self).toOpaque())
            return .chain(ChainProbe(callback: callback, blocks: blocks, frameCount: 32))
        }
    }

    private func times(period: UInt64, without looks: DeadlineLooks?) -> (times: [UInt32], calls: Int) {
        let interrupted = Interrupted()
        let times = [UInt32](unsafeUninitializedCapacity: 20) { buffer, count in
            count = 20
            interrupted.probe.measure(settlingCount: 0, into: buffer.baseAddress!, count: 20, period: period, without: looks)
        }
        return (times, interrupted.callCount)
    }

    @Test(arguments: [0, 100_000]) func cyclesInWhichTheWatchLooksAreRepeatedWhereItIsNotMeasured(period: UInt64) {
        let own = times(period: period, without: nil)
        #expect(own.calls == 20 && own.times.sorted()[10] >= 2_000_000)
        let beside = times(period: period, without: DeadlineLooks())
        // The first and every third call is kept: after a repeated one comes one that is not.
        #expect(beside.calls > 30 && beside.times.sorted()[10] < 1_000_000, "\(beside.calls) calls")
    }
}

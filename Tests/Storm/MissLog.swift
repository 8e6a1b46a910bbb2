// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Notes the cycles that took longer than they last. Render thread; read by the control thread.

import LinuxSystem
import Realtime
import Rendering
import Synchronization

/// The last step of a plan: passes its input on, and notes when that is too late.
final class MissLog: RenderNode {
    private static let capacity = 10_000

    struct Core: ~Copyable {
        let starts: UnsafeMutablePointer<UInt64>
        let ends: UnsafeMutablePointer<UInt64>
        let count = Atomic<Int>(0)

        @_noLocks
        func note(_ call: StepCall) {
            call.output.copy(from: call.input)
            let now = MonotonicClock.now()
            let length = Double(call.cycle.frameCount) / call.cycle.sampleRate * 1e9
            let number = count.load(ordering: .relaxed)
            guard Double(now &- call.cycle.renderStart) > length, number < MissLog.capacity else { return }
            starts[number] = call.cycle.renderStart
            ends[number] = now
            // Release: the times are there for whoever sees the count.
            count.store(number + 1, ordering: .releasing)
        }
    }

    // SAFETY: the render thread writes beyond the count, the control thread reads below it.
    nonisolated(unsafe) private let core: UnsafeMutablePointer<Core>

    init() {
        core = .allocate(capacity: 1)
        core.initialize(
            to: Core(starts: .allocate(capacity: Self.capacity), ends: .allocate(capacity: Self.capacity)))
    }

    deinit {
        core.pointee.starts.deallocate()
        core.pointee.ends.deallocate()
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// When each began and ended, on the monotonic clock.
    var misses: [ClosedRange<UInt64>] {
        (0..<core.pointee.count.load(ordering: .acquiring)).map { core.pointee.starts[$0]...core.pointee.ends[$0] }
    }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            MissLog.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        context.assumingMemoryBound(to: Core.self).pointee.note(call.assumingMemoryBound(to: StepCall.self).pointee)
    }
}

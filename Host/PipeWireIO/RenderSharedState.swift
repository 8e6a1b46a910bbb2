// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The render thread's reports to the control thread while a node runs, and the start of an open one. Both threads.

import Rendering
import Synchronization

/// The counters that the control thread may read while a node runs, and the callback that it hands over.
///
/// They are at one address as long as the driver lives. Only the render thread uses the rest of its state.
struct RenderSharedState: ~Copyable {
    let cycles = Atomic<UInt64>(0)
    let missedCycles = Atomic<UInt64>(0)
    let quantum = Atomic<UInt32>(0)
    /// True while the graph runs faster than real time.
    let isAhead = Atomic<Bool>(false)
    let sampleRate = Atomic<UInt32>(0)
    /// The kernel's id of the data thread; zero before the first cycle.
    let threadIdentifier = Atomic<Int32>(0)

    /// True while the node is open and its first cycle has not begun; the counters count silence then.
    let isSilent = Atomic<Bool>(false)
    /// The callback of a node that was open.
    ///
    /// The control thread writes it while `isHandedOver` is false, and the render thread reads it while that is true.
    ///
    /// It lies apart: changing this struct would be an access to all of it, which the render thread reads at the same time.
    private let callback: UnsafeMutablePointer<RenderCallback?>
    private let isHandedOver = Atomic<Bool>(false)

    init() {
        callback = .allocate(capacity: 1)
        callback.initialize(to: nil)
    }

    deinit {
        callback.deinitialize(count: 1)
        callback.deallocate()
    }

    /// `[control]` Gives a silent node its callback; the next cycle is its first one.
    func handOver(_ callback: RenderCallback) {
        self.callback.pointee = callback
        // Releasing: the render thread sees the callback and its context.
        isHandedOver.store(true, ordering: .releasing)
    }

    /// `[render]` Takes the callback that was handed over, and counts cycles from zero; nil almost always.
    @_noLocks
    func takeCallback() -> RenderCallback? {
        guard isHandedOver.load(ordering: .acquiring) else { return nil }
        let taken = callback.pointee
        cycles.store(0, ordering: .relaxed)
        missedCycles.store(0, ordering: .relaxed)
        isHandedOver.store(false, ordering: .relaxed)
        // Releasing: a thread that reads false reads the new counters.
        isSilent.store(false, ordering: .releasing)
        return taken
    }

    /// `[control]` Resets to zero cycles, while no node runs.
    func reset(isSilent: Bool) {
        isHandedOver.store(false, ordering: .relaxed)
        self.isSilent.store(isSilent, ordering: .relaxed)
        cycles.store(0, ordering: .relaxed)
        missedCycles.store(0, ordering: .relaxed)
        threadIdentifier.store(0, ordering: .relaxed)
        isAhead.store(false, ordering: .relaxed)
    }
}

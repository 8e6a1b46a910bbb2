// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The render thread's reports to the control thread while a node runs. Both threads.

import Synchronization

/// The counters that the control thread may read while a node runs.
///
/// They are atomics at one address as long as the driver lives. Only the render thread uses the rest of its state.
struct RenderSharedState: ~Copyable {
    let cycles = Atomic<UInt64>(0)
    let missedCycles = Atomic<UInt64>(0)
    let quantum = Atomic<UInt32>(0)
    let sampleRate = Atomic<UInt32>(0)
    /// The kernel's id of the data thread; zero before the first cycle.
    let threadIdentifier = Atomic<Int32>(0)

    /// `[control]` Resets to zero cycles, while no node runs.
    func reset() {
        cycles.store(0, ordering: .relaxed)
        missedCycles.store(0, ordering: .relaxed)
        threadIdentifier.store(0, ordering: .relaxed)
    }
}

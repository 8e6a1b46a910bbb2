// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the render thread tells the control thread while a node runs. Both threads.

import Synchronization

/// What the control thread may ask for while a node runs. Words at one address while the driver lives: the render thread
/// has the rest of the state for itself.
struct RenderSharedState: ~Copyable {
    let cycles = Atomic<UInt64>(0)
    let missedCycles = Atomic<UInt64>(0)
    let quantum = Atomic<UInt32>(0)
    let sampleRate = Atomic<UInt32>(0)
    /// The data thread's kernel id; zero before the first cycle.
    let threadIdentifier = Atomic<Int32>(0)

    /// `[control]` Back to no cycle, while no node runs.
    func reset() {
        cycles.store(0, ordering: .relaxed)
        missedCycles.store(0, ordering: .relaxed)
        threadIdentifier.store(0, ordering: .relaxed)
    }
}

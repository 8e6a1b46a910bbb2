// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The memory of a source whose sound is delayed. Control thread; the render thread uses what is inside.

import Realtime

/// The frames of a source up to a second ago, and the places where it was.
final class TravelLine: Sendable {
    struct Core {
        var memory: DelayMemory
        var clock: EmissionClock
    }

    // SAFETY: after init only the render thread uses the memory.
    nonisolated(unsafe) let core: UnsafeMutablePointer<Core>

    /// Allocates for a rate; sound that travels for more than a second is heard as if from a second away.
    init(sampleRate: Double) {
        // Cannot trap: bounded.
        let memory = DelayMemory(longestDelay: Int(max(1000, min(1e6, sampleRate))))
        core = .allocate(capacity: 1)
        core.initialize(to: Core(memory: memory, clock: EmissionClock(longestDelay: memory.longestDelay - 1024)))
    }

    deinit {
        core.pointee.memory.deallocate()
        core.pointee.clock.deallocate()
        core.deallocate()
    }
}

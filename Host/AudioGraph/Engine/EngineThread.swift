// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The engine's own thread, which does the work beside rendering, soon or seldom.

import LinuxSystem
import Rendering
import Synchronization

/// Calls `AudioEngine.attend` until the engine is gone, and sleeps in between.
final class EngineThread: Sendable {
    private let mustEnd = Atomic<Bool>(false)
    private let made: Result<EventDescriptor, SystemError>
    private let parts: EngineParts
    private let thread = Mutex<LinuxSystem.Thread?>(nil)

    private struct Ward { weak var engine: AudioEngine? }

    /// Makes an engine's thread that has not begun; `begin` throws the system's refusals.
    init(_ parts: EngineParts) {
        self.parts = parts
        made = Result { () throws(SystemError) in try parts.event() }
    }

    /// Wakes the thread: the program rings it, the first cycle after a rest, and a driver that fails.
    ///
    /// Nil where the system had none; then the thread does not begin.
    var event: EventDescriptor? { if case .success(let event) = made { event } else { nil } }

    /// Begins to look after an engine, if it has not begun yet; throws the system's refusal.
    func begin(for engine: AudioEngine) throws(SystemError) {
        let event = try made.get()
        let ward = Ward(engine: engine)
        try thread.withLock { thread throws(SystemError) in
            guard thread == nil else { return }
            thread = try parts.thread("engine") { [self] in run(ward, event) }
        }
        wake()
    }

    /// Makes the thread look at once.
    func wake() { event?.ring() }

    /// Ends the thread.
    func end() {
        mustEnd.store(true, ordering: .releasing)
        wake()
        let thread = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        // The thread itself may have released the engine.
        if let thread, thread.identifier != Scheduling.currentThread { thread.join() } else { thread?.detach() }
    }

    private func run(_ ward: Ward, _ event: EventDescriptor) {
        var rest = RenderingRest()
        while !mustEnd.load(ordering: .acquiring) {
            guard let pace = ward.engine?.attend() else { return }
            // Everything but the return of a driver needs a cycle.
            let isDue = ward.engine?.isDriverChanging == false && rest.isDue(ward.engine?.player)
            Descriptor.awaitAny([event.descriptor], nanoseconds: isDue ? nil : pace.rawValue)
            event.quieten()
            ward.engine?.tellOfCycle()
        }
    }
}

/// Detects that nothing renders, so that the engine's thread can sleep until the next cycle.
private struct RenderingRest {
    /// The time without a cycle, in nanoseconds, after which nothing is rendered.
    private static let patience: UInt64 = 1_000_000_000
    private var lastCycle: UInt64 = 0
    private var since = MonotonicClock.now()

    /// True if no cycle has come for a while; the next one rings then.
    mutating func isDue(_ player: PlanPlayer?) -> Bool {
        guard let player else { return true }
        let cycle = player.statistics.cycles
        if cycle != lastCycle { (lastCycle, since) = (cycle, MonotonicClock.now()) }
        return MonotonicClock.now() > since + Self.patience && player.awaitCycle(after: cycle)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The commands of a program to the render thread. Control threads write them, the render thread reads them.

import Synchronization

/// A command to the render thread.
struct SceneCommand: @unchecked Sendable {
    // SAFETY: a value; the memory to which it points lives until the command has been read.
    /// The action.
    enum Action: UInt8 {
        case start, stop, pause, resume, seek
        /// A value moves: a parameter, or a factor of a group.
        case glide
        /// A ducker is switched on or off, or goes.
        case duck, dropDucker
        /// An event has another priority, or the engine another limit on voices.
        case priority, limit
        /// A push stream has another buffer.
        case schedule
        /// Sources and listeners move.
        case moves
    }

    let action: Action
    var event: UnsafeMutablePointer<EventCore>?
    var ducker: UnsafeMutablePointer<DuckerCore>?
    var stream: UnsafeMutablePointer<StreamCore>?
    var item: UnsafeMutablePointer<StreamItemCore>?
    /// The moves, whose number is `count`.
    var moves: UnsafeMutablePointer<SceneMove>?
    /// The value that moves.
    var ramp: UnsafeMutablePointer<Ramp>?
    var value = 0.0
    var count = 0
    var frameCount: Int64 = 0
    var curve = FadeCurve.linear
    /// The frame asked for; `.min` for the next block.
    var time = Int64.min

    @_noLocks init(_ action: Action) { self.action = action }
}

/// A ring of commands, of which the reader sees only those that have been published.
///
/// Commands that find no room wait in an array of the writer's, so none is lost.
final class SceneCommands: Sendable {
    static let capacity = 8192

    struct Core: ~Copyable {
        let slots: UnsafeMutablePointer<SceneCommand>
        let published = Atomic<UInt64>(0)
        let read = Atomic<UInt64>(0)
        /// The number of commands that the render thread has taken; it may still obey the last one.
        private let taken = Atomic<UInt64>(0)

        init(slots: UnsafeMutablePointer<SceneCommand>) { self.slots = slots }

        /// `[render]` Takes the next command, once the one before has been obeyed; nil without one.
        @_noLocks
        func next() -> SceneCommand? {
            let position = taken.load(ordering: .relaxed)
            // Release: the memory of the commands before is not used any more.
            read.store(position, ordering: .releasing)
            // Acquire: the command is complete.
            guard position != published.load(ordering: .acquiring) else { return nil }
            let command = slots[Int(truncatingIfNeeded: position & UInt64(8191))]
            taken.store(position &+ 1, ordering: .relaxed)
            return command
        }
    }

    // SAFETY: the ring orders the accesses: a lock guards the writer's side, and one thread at a time renders.
    nonisolated(unsafe) let core: UnsafeMutablePointer<Core>
    private let waiting = Mutex<[SceneCommand]>([])

    init() {
        let slots = UnsafeMutablePointer<SceneCommand>.allocate(capacity: Self.capacity)
        slots.initialize(repeating: SceneCommand(.stop), count: Self.capacity)
        core = .allocate(capacity: 1)
        core.initialize(to: Core(slots: slots))
    }

    deinit {
        core.pointee.slots.deallocate()
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// Adds commands; with `publishes` the render thread sees all commands so far, and otherwise none of the new ones.
    ///
    /// With `comesFirst` they go before those that have not been published.
    func send(_ commands: [SceneCommand], publishes: Bool, comesFirst: Bool = false) {
        waiting.withLock { waiting in
            waiting.insert(contentsOf: commands, at: comesFirst ? 0 : waiting.count)
            guard publishes else { return }
            let position = core.pointee.published.load(ordering: .relaxed)
            let used = position &- core.pointee.read.load(ordering: .acquiring)
            let count = min(waiting.count, Self.capacity - Int(truncatingIfNeeded: used))
            for index in 0..<count {
                core.pointee.slots[Int(truncatingIfNeeded: (position &+ UInt64(index)) & 8191)] = waiting[index]
            }
            waiting.removeFirst(count)
            // Release: the commands are complete.
            core.pointee.published.store(position &+ UInt64(count), ordering: .releasing)
        }
    }

    /// The number of all commands so far, of those that the render thread may see, and of those that it has obeyed.
    var sentCount: UInt64 { waiting.withLock { core.pointee.published.load(ordering: .relaxed) &+ UInt64($0.count) } }
    var publishedCount: UInt64 { waiting.withLock { _ in core.pointee.published.load(ordering: .relaxed) } }
    var readCount: UInt64 { core.pointee.read.load(ordering: .acquiring) }

    /// True if published commands wait for room.
    var isCrowded: Bool { waiting.withLock { !$0.isEmpty } }
}

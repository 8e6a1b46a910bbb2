// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The schedule of a player, and the completions to call. Any thread but the render thread.

import Rendering
import Synchronization

/// Answers the engine for a player, and holds its schedule.
final class PlayerBody: NodeBody {
    let mixing: MixingSettings? = MixingSettings()
    let source: PlayerSource
    let queue: Mutex<Queue>

    /// A scheduled item, until its completion has been called.
    struct Entry {
        let item: PlayerCore.Item
        let schedule: PlayerSchedule
        let type: AudioPlayerNodeCompletionCallbackType
        var handler: AudioPlayerNode.CompletionHandler?
    }

    struct Queue: @unchecked Sendable {
        // SAFETY: the thread that holds the lock frees the items, after the render thread has left them.
        /// The scheduled items; the first one is the present or last item of the render thread.
        var entries: [Entry]
        /// The number of ended entries that the render thread has not left.
        var calledCount = 1
        /// The feed that reads the files, at the rate that the player had when the newest one was scheduled.
        var feed: FileFeed?
    }

    /// Makes an empty schedule.
    init() {
        let first = Self.makeItem(PlayerSchedule(), generation: 0)
        first.pointee.outcome.store(PlayerItem.Outcome.played.rawValue, ordering: .relaxed)
        source = PlayerSource(first: first)
        queue = Mutex(Queue(entries: [Entry(item: first, schedule: PlayerSchedule(), type: .dataRendered, handler: nil)]))
    }

    deinit {
        // No plan holds the player any more: unplayed items never will play.
        let handlers = queue.withLock { queue in
            for entry in queue.entries {
                entry.schedule.piece?.end()
                entry.item.deinitialize(count: 1)
                entry.item.deallocate()
            }
            return queue.entries.compactMap(\.handler)
        }
        let time = source.orders.pointee.time.load(ordering: .relaxed)
        for handler in handlers { handler(AudioPlayerNodeCompletion(wasPlayed: false, sampleTime: time)) }
    }

    var work: RenderGraph.Work? { .render(source) }

    private static func makeItem(_ schedule: PlayerSchedule, generation: UInt64) -> PlayerCore.Item {
        let item = PlayerCore.Item.allocate(capacity: 1)
        item.initialize(to: PlayerItem(schedule, generation: generation))
        return item
    }

    /// True if files have been scheduled.
    var hasFiles: Bool { queue.withLock { $0.feed != nil } }

    /// Appends an item to the schedule.
    func append(
        _ schedule: PlayerSchedule, _ type: AudioPlayerNodeCompletionCallbackType, _ handler: AudioPlayerNode.CompletionHandler?
    ) {
        queue.withLock { append(schedule, to: &$0, type, handler) }
    }

    /// Appends an item to the schedule; the queue is locked.
    func append(
        _ schedule: PlayerSchedule, to queue: inout Queue, _ type: AudioPlayerNodeCompletionCallbackType,
        _ handler: AudioPlayerNode.CompletionHandler?
    ) {
        let item = Self.makeItem(schedule, generation: source.orders.pointee.generation.load(ordering: .relaxed))
        if item.pointee.interrupts || item.pointee.interruptsAtLoop {
            source.orders.pointee.interruptCount.wrappingAdd(1, ordering: .relaxed)
        }
        // Release: a thread that sees the pointer sees the complete item.
        queue.entries[queue.entries.count - 1].item.pointee.next.store(UInt(bitPattern: item), ordering: .releasing)
        queue.entries.append(Entry(item: item, schedule: schedule, type: type, handler: handler))
    }

    /// Stops, clears the schedule and sets the time to 0.
    func reset(_ node: AudioNode) {
        queue.withLock { queue in
            // Files scheduled from now on are read at once.
            for entry in queue.entries { entry.schedule.piece?.end() }
            source.orders.pointee.isPlaying.store(false, ordering: .releasing)
            source.orders.pointee.generation.wrappingAdd(1, ordering: .acquiringAndReleasing)
        }
        // Without an engine no other thread would call the completions.
        if let engine = node.engine { engine.wakeThread() } else { attend(node) }
    }
}

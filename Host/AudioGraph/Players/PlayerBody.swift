// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a player has been told to play, and whom to tell when it has. Any thread but the render thread.

import Rendering
import Synchronization

/// The body of a player: its schedule.
final class PlayerBody: NodeBody {
    let mixing: MixingSettings? = MixingSettings()
    let source: PlayerSource
    let queue: Mutex<Queue>

    /// What is scheduled, until its completion has been called.
    struct Entry {
        let item: PlayerCore.Item
        let schedule: PlayerSchedule
        let type: AudioPlayerNodeCompletionCallbackType
        var handler: AudioPlayerNode.CompletionHandler?
    }

    struct Queue: @unchecked Sendable {
        // SAFETY: the items are freed by the thread that holds the lock, after the render thread has gone past them.
        /// The first one is the item that the render thread is at, or was at.
        var entries: [Entry]
        /// Entries that the render thread has not gone past, though they have ended.
        var calledCount = 1
        /// What the files are read by, at the rate that the player had when the newest one was scheduled.
        var feed: FileFeed?
    }

    /// A schedule of nothing.
    init() {
        let first = Self.makeItem(PlayerSchedule(), generation: 0)
        first.pointee.outcome.store(PlayerItem.Outcome.played.rawValue, ordering: .relaxed)
        source = PlayerSource(first: first)
        queue = Mutex(Queue(entries: [Entry(item: first, schedule: PlayerSchedule(), type: .dataRendered, handler: nil)]))
    }

    deinit {
        // No plan holds the player any more: what has not been played never will be.
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

    /// Whether files have been scheduled.
    var hasFiles: Bool { queue.withLock { $0.feed != nil } }

    /// Puts something behind what waits.
    func append(
        _ schedule: PlayerSchedule, _ type: AudioPlayerNodeCompletionCallbackType, _ handler: AudioPlayerNode.CompletionHandler?
    ) {
        queue.withLock { append(schedule, to: &$0, type, handler) }
    }

    /// Puts something behind what waits; the queue is locked.
    func append(
        _ schedule: PlayerSchedule, to queue: inout Queue, _ type: AudioPlayerNodeCompletionCallbackType,
        _ handler: AudioPlayerNode.CompletionHandler?
    ) {
        let item = Self.makeItem(schedule, generation: source.orders.pointee.generation.load(ordering: .relaxed))
        if item.pointee.interrupts || item.pointee.interruptsAtLoop {
            source.orders.pointee.interruptCount.wrappingAdd(1, ordering: .relaxed)
        }
        // Release: the item is complete.
        queue.entries[queue.entries.count - 1].item.pointee.next.store(UInt(bitPattern: item), ordering: .releasing)
        queue.entries.append(Entry(item: item, schedule: schedule, type: type, handler: handler))
    }

    /// Stops, forgets what is scheduled and sets the time to 0.
    func reset(_ node: AudioNode) {
        queue.withLock { queue in
            // What is scheduled from now on is read at once.
            for entry in queue.entries { entry.schedule.piece?.end() }
            source.orders.pointee.isPlaying.store(false, ordering: .releasing)
            source.orders.pointee.generation.wrappingAdd(1, ordering: .acquiringAndReleasing)
        }
        // Without an engine no other thread would call the completions.
        if let engine = node.engine { engine.wakeThread() } else { attend(node) }
    }
}

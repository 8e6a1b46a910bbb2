// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Calls the completions of a player's finished items, and frees items that the render thread has left. Any thread but the render thread.

import Rendering

extension PlayerBody {
    var wantsAttention: Bool { queue.withLock { $0.entries.count > $0.calledCount } }

    func attend(_ node: AudioNode) {
        // The time that is heard takes a search among all nodes: only an end is worth it, not each look at a buffer that loops.
        guard hasEnded else { return }
        for (handler, completion) in takeCompletions(node) { handler(completion) }
    }

    /// True if the next item has ended, or a stop has cancelled it.
    private var hasEnded: Bool {
        let newest = source.orders.pointee.generation.load(ordering: .relaxed)
        return queue.withLock { queue in
            guard queue.calledCount < queue.entries.count else { return false }
            let item = queue.entries[queue.calledCount].item
            return item.pointee.outcome.load(ordering: .acquiring) != 0 || item.pointee.generation < newest
        }
    }

    /// Takes the due completions, and frees the items that the render thread has left.
    private func takeCompletions(_ node: AudioNode) -> [(AudioPlayerNode.CompletionHandler, AudioPlayerNodeCompletion)] {
        // Read before the queue is locked: the engine asks for the queue with its own lock held.
        let engine = node.engine
        let isCut = engine?.isRendering != true
        let heardTime = isCut ? nil : engine?.sampleTimeHeard(of: node)
        let played = source.orders.pointee.time.load(ordering: .relaxed)
        return queue.withLock { queue in
            var due: [(AudioPlayerNode.CompletionHandler, AudioPlayerNodeCompletion)] = []
            let newest = source.orders.pointee.generation.load(ordering: .relaxed)
            while queue.calledCount < queue.entries.count {
                let entry = queue.entries[queue.calledCount]
                var outcome = entry.item.pointee.outcome.load(ordering: .acquiring)
                var time = entry.item.pointee.endTime.load(ordering: .relaxed)
                // While nothing renders, the render thread cannot report the end of a stopped item.
                if outcome == 0, isCut, entry.item.pointee.generation < newest {
                    (outcome, time) = (PlayerItem.Outcome.cancelled.rawValue, played)
                }
                guard outcome != 0 else { break }
                if entry.type == .dataPlayedBack, outcome == PlayerItem.Outcome.played.rawValue, let heardTime,
                    heardTime < entry.item.pointee.endSampleTime.load(ordering: .relaxed)
                {
                    break
                }
                queue.calledCount += 1
                // A handler may hold the player, or the engine.
                queue.entries[queue.calledCount - 1].handler = nil
                if let handler = entry.handler {
                    let failure = entry.schedule.piece?.failure
                    let wasPlayed = outcome == PlayerItem.Outcome.played.rawValue && failure == nil
                    due.append((handler, AudioPlayerNodeCompletion(wasPlayed: wasPlayed, sampleTime: time, failure: failure)))
                }
            }
            // The render thread may still be at the last item that has ended.
            while queue.calledCount > 1, queue.entries[1].item.pointee.outcome.load(ordering: .acquiring) != 0 {
                let past = queue.entries.removeFirst()
                past.item.deinitialize(count: 1)
                past.item.deallocate()
                queue.calledCount -= 1
            }
            return due
        }
    }
}

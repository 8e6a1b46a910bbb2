// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The threads that read files ahead of all players of the process.

import LinuxSystem
import Synchronization

/// Runs the threads that read files ahead of all players of the process.
///
/// There are as many threads as players, up to eight, so that a slow disk delays only the players of its files.
final class FileReaders: Sendable {
    static let shared = FileReaders()
    /// Wakes the threads.
    static var bell: EventBell { shared.event?.bell ?? .none }

    // Without an event the threads look as often as while there is something to play.
    private let event = try? EventDescriptor()
    private let state = Mutex(State())
    private let makeThread: @Sendable (@escaping @Sendable () -> Void) throws(SystemError) -> LinuxSystem.Thread

    private struct State {
        var feeds: [FileFeed] = []
        var threadCount = 0
    }

    private static let mostThreads = 8
    /// The time between two looks while there is something to play, in nanoseconds.
    private static let pace: UInt64 = 20_000_000
    /// The time between two looks while there is nothing to play: another thread may have taken this one's wake-up.
    private static let idlePace: UInt64 = 2_000_000_000

    init(
        thread: @escaping @Sendable (@escaping @Sendable () -> Void) throws(SystemError) -> LinuxSystem.Thread = {
            (body) throws(SystemError) in try LinuxSystem.Thread(name: "file reader", body)
        }
    ) {
        makeThread = thread
    }

    /// Reads ahead for a feed until nothing is left of it.
    ///
    /// The feed fails if no thread can begin.
    func serve(_ feed: FileFeed) {
        let wantsThread = state.withLock { state in
            if !state.feeds.contains(where: { $0 === feed }) { state.feeds.append(feed) }
            guard state.threadCount < min(Self.mostThreads, state.feeds.count) else { return false }
            state.threadCount += 1
            return true
        }
        if wantsThread { startThread() }
        event?.ring()
    }

    private func startThread() {
        do throws(SystemError) {
            try makeThread { [self] in run() }.detach()
        } catch {
            let unread = state.withLock { state -> [FileFeed] in
                state.threadCount -= 1
                // The other threads read for this feed, too.
                guard state.threadCount == 0 else { return [] }
                defer { state.feeds = [] }
                return state.feeds
            }
            for feed in unread { feed.fail(error) }
        }
    }

    private func run() {
        while true {
            if let feed = mostUrgent() {
                feed.step()
                feed.release()
                continue
            }
            let isIdle = state.withLock { $0.feeds.isEmpty }
            Descriptor.awaitAny(
                event.map { [$0.descriptor] } ?? [], nanoseconds: isIdle && event != nil ? Self.idlePace : Self.pace)
            event?.quieten()
        }
    }

    /// Claims the feed with the fewest ready frames; nil if no feed wants any now.
    private func mostUrgent() -> FileFeed? {
        state.withLock { state in
            var best: (feed: FileFeed, ahead: Int)?
            var empty: [FileFeed] = []
            for feed in state.feeds where feed.claim() {
                guard let ahead = feed.framesAhead(), ahead < best?.ahead ?? .max else {
                    if feed.isEmpty { empty.append(feed) }
                    feed.release()
                    continue
                }
                best?.feed.release()
                best = (feed, ahead)
            }
            state.feeds.removeAll { feed in empty.contains { $0 === feed } }
            return best?.feed
        }
    }
}

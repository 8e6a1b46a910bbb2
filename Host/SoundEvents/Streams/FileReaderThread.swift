// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The thread that reads streamed assets ahead, for all engines of the process.

import LinuxSystem
import Synchronization

/// Reads the files of all sounds of streamed assets ahead, in turn.
final class FileReaderThread: Sendable {
    static let shared = FileReaderThread()
    /// Wakes the thread.
    static var bell: EventBell { shared.event?.bell ?? .none }

    // Without an event the thread looks as often as while there is something to read.
    private let event = try? EventDescriptor()
    private let state = Mutex(State())

    private struct State {
        var feeds: [FileFeed] = []
        var isRunning = false
    }

    /// The time between two looks while there are feeds, and while there are none, in nanoseconds.
    private static let (pace, idlePace): (UInt64, UInt64) = (5_000_000, 2_000_000_000)

    /// Reads ahead for a feed until its event has gone.
    ///
    /// Throws `SystemError` if the thread cannot begin.
    func serve(_ feed: FileFeed) throws(SystemError) {
        let starts = state.withLock { state in
            state.feeds.append(feed)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts {
            do throws(SystemError) {
                try Thread(name: "asset reader") { [self] in run() }.detach()
            } catch {
                state.withLock { state in
                    state.isRunning = false
                    state.feeds.removeAll { $0 === feed }
                }
                throw error
            }
        }
        event?.ring()
    }

    private func run() {
        while true {
            let feeds = state.withLock { state in
                state.feeds.removeAll { $0.isOver.load(ordering: .acquiring) }
                return state.feeds
            }
            var isBusy = false
            for feed in feeds where feed.step() { isBusy = true }
            guard !isBusy else { continue }
            let pace = feeds.isEmpty && event != nil ? Self.idlePace : Self.pace
            _ = Descriptor.awaitAny(event.map { [$0.descriptor] } ?? [], nanoseconds: pace)
            event?.quieten()
        }
    }
}

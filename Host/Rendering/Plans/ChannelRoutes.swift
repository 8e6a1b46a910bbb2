// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The routes between two numbers of channels, for the render thread. Made by the control thread.

import AudioFormats

/// The routes from a voice's channels to a bus, for a node that calls a connection's processor itself.
///
/// They are the same as the routes of a mixer's connection.
public final class ChannelRoutes: Sendable {
    /// Routes in memory without references.
    public struct Table {
        private let routes: UnsafePointer<ChannelRoute>
        let count: Int

        @_noLocks
        init(_ routes: UnsafePointer<ChannelRoute>, count: Int) { (self.routes, self.count) = (routes, count) }

        @_noLocks
        subscript(index: Int) -> ChannelRoute { routes[index] }
    }

    // SAFETY: the memory does not change after init.
    private nonisolated(unsafe) let routes: UnsafeMutablePointer<ChannelRoute>
    private let count: Int

    /// Makes the routes between two signals; a layout of another number of channels is ignored.
    public init(from sourceCount: Int, _ sourceLayout: ChannelLayout? = nil, to count: Int, _ layout: ChannelLayout? = nil) {
        let found = ChannelMap.routes(from: sourceCount, sourceLayout, to: count, layout)
        self.count = found.count
        routes = .allocate(capacity: max(1, found.count))
        routes.initialize(from: found, count: found.count)
    }

    deinit { routes.deallocate() }

    /// The table for calls; valid as long as this object.
    public var table: Table { Table(routes, count: count) }
}

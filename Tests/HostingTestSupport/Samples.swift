// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sounds in memory, for players. The test thread makes them, and the render thread reads them.

import Rendering

/// Planar samples at fixed addresses.
package final class Samples: Sendable {
    // SAFETY: written in the initializer and only read after it.
    nonisolated(unsafe) private let channels: [UnsafePointer<Float>]
    private let frameCount: Int

    /// Copies planar samples, one array for each channel.
    package init(_ channels: [[Float]]) {
        frameCount = channels.first?.count ?? 0
        self.channels = channels.map { channel in
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(1, channel.count))
            memory.initialize(from: channel, count: channel.count)
            return UnsafePointer(memory)
        }
    }

    deinit { for channel in channels { channel.deallocate() } }

    /// A player of these samples.
    package func player(isLooping: Bool = false) -> SamplePlayer {
        SamplePlayer(channels: channels, frameCount: frameCount, isLooping: isLooping, owner: self)
    }
}

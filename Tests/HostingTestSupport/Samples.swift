// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sounds in memory, for players. Made by the test thread, read by the thread that renders.

import Rendering

/// Planar samples at fixed addresses.
public final class Samples: Sendable {
    // SAFETY: written in the initializer, read after it.
    nonisolated(unsafe) private let channels: [UnsafePointer<Float>]
    private let frameCount: Int

    /// Copies the channels.
    public init(_ channels: [[Float]]) {
        frameCount = channels.first?.count ?? 0
        self.channels = channels.map { channel in
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(1, channel.count))
            memory.initialize(from: channel, count: channel.count)
            return UnsafePointer(memory)
        }
    }

    deinit { for channel in channels { channel.deallocate() } }

    /// A player of the samples, which keeps them alive.
    public func player(isLooping: Bool = false) -> SamplePlayer {
        SamplePlayer(channels: channels, frameCount: frameCount, isLooping: isLooping, owner: self)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The format in which a unit renders. Any thread.

/// The format of planar 32-bit float audio.
public struct AudioFormat: Hashable, Sendable {
    /// Frames a second.
    public var sampleRate: Double
    /// Channels of the input and of the output.
    public var channelCount: Int

    /// Makes a format; a unit that cannot render it refuses it.
    public init(sampleRate: Double, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }
}

extension AudioFormat: CustomStringConvertible {
    /// The format in a sentence.
    public var description: String { "\(channelCount) channels at \(sampleRate) Hz" }
}

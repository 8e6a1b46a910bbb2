// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The conditions under which a kernel will render: known before it exists. Control thread.

/// What resources are to be allocated for.
public struct RenderSetup: Sendable {
    /// Frames a second, 8000 to 192000 for the usual unit.
    public var sampleRate: Double
    /// The most frames that one render call may ask for.
    public var maximumFrameCount: Int
    /// The format of each input bus; zero channels for an optional bus that is not connected.
    public var inputs: [BusFormat]
    public var outputs: [BusFormat]

    public init(sampleRate: Double, maximumFrameCount: Int, inputs: [BusFormat], outputs: [BusFormat]) {
        self.sampleRate = sampleRate
        self.maximumFrameCount = maximumFrameCount
        self.inputs = inputs
        self.outputs = outputs
    }

    /// Channels of output bus 0.
    public var channelCount: Int { outputs.first?.channelCount ?? 0 }

    /// The nearest number of frames to a time in seconds.
    public func frameCount(seconds: Double) -> Int { Int((seconds * sampleRate).rounded()) }
}

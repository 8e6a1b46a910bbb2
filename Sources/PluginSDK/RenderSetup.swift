// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The conditions under which a kernel will render, known before the kernel exists. Control thread.

import AudioFormats

/// The conditions for which a kernel allocates its resources.
public struct RenderSetup: Sendable {
    /// The sample rate in frames a second; usually 8000 to 192000, and up to 768000 for recordings of ultrasound.
    public var sampleRate: Double
    /// The largest number of frames in one render call.
    public var maximumFrameCount: Int
    /// The format of each input bus; zero channels for an optional bus that is not connected.
    public var inputs: [BusFormat]
    /// The format of each output bus; zero channels for an optional bus that the host does not use.
    public var outputs: [BusFormat]

    /// Makes a setup from its parts, for example to test a kernel.
    public init(sampleRate: Double, maximumFrameCount: Int, inputs: [BusFormat], outputs: [BusFormat]) {
        self.sampleRate = sampleRate
        self.maximumFrameCount = maximumFrameCount
        self.inputs = inputs
        self.outputs = outputs
    }

    /// The number of channels of output bus 0; zero if there is no output bus.
    public var channelCount: Int { outputs.first?.channelCount ?? 0 }

    /// The speakers of output bus 0; without them, those of input bus 0 if it has as many channels; nil if unknown.
    public var layout: ChannelLayout? {
        outputs.first?.layout ?? inputs.first.flatMap { $0.channelCount == channelCount ? $0.layout : nil }
    }

    /// The number of frames nearest to a time in seconds.
    ///
    /// NaN has no frames, and longer times than 2⁵³ frames count as so many.
    public func frameCount(seconds: Double) -> Int { Int(nearestFrame: seconds * sampleRate) }
}

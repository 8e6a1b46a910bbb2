// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a processor is set up for, and how it says that it cannot do that. Any thread.

import AudioFormats

/// The formats, the rate and the longest block that a processor is set up for.
public struct AudioProcessorSetup: Hashable, Sendable {
    /// The format of each input bus; one that nothing is connected to has the format that it would have, and is silent.
    public let inputs: [AudioFormat]
    /// The format of each output bus.
    public let outputs: [AudioFormat]
    /// Frames a second, of all buses.
    public let sampleRate: Double
    /// The most frames of a block.
    public let maximumFrameCount: Int
    /// Whether blocks have no deadline, so that quality may come before speed.
    public let isOffline: Bool

    /// The frames of a time in seconds, rounded to the nearest.
    public func frameCount(seconds: Double) -> Int { Int((seconds * sampleRate).rounded()) }

    init(inputs: [AudioFormat], outputs: [AudioFormat], _ environment: RenderEnvironment) {
        (self.inputs, self.outputs) = (inputs, outputs)
        sampleRate = (inputs.first ?? outputs.first)?.sampleRate ?? environment.sampleRate
        (maximumFrameCount, isOffline) = (environment.maximumFrameCount, environment.isOffline)
    }
}

/// Why a processor cannot be set up; the engine throws `formatRefused` with the node, the bus, its format and the reason.
public struct AudioProcessorRefusal: Error, Hashable, Sendable {
    /// The end of a sentence after "It does not take the format: ", such as "it needs a rate of 8 kHz at least".
    public let reason: String
    /// The bus that the reason is about.
    public let bus: Int
    /// Whether it is an input bus.
    public let isInput: Bool

    /// Refuses the format of a bus: the first input unless told otherwise.
    public init(_ reason: String, bus: Int = 0, isInput: Bool = true) {
        (self.reason, self.bus, self.isInput) = (reason, bus, isInput)
    }
}

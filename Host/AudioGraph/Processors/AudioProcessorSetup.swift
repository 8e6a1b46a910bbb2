// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The environment for which a processor is set up, and its refusal. Any thread.

import AudioFormats

/// The formats, the rate and the longest block for which a processor is set up.
public struct AudioProcessorSetup: Hashable, Sendable {
    /// The format of each input bus; an unconnected bus is silent, and has its default format.
    public let inputs: [AudioFormat]
    /// The format of each output bus.
    public let outputs: [AudioFormat]
    /// The rate of all buses in frames a second.
    public let sampleRate: Double
    /// The largest number of frames of a block.
    public let maximumFrameCount: Int
    /// True if blocks have no deadline, so that quality may come before speed.
    public let isOffline: Bool

    /// Returns a time in seconds as frames, rounded to the nearest.
    ///
    /// NaN has no frames, and longer times than 2⁵³ frames count as so many.
    public func frameCount(seconds: Double) -> Int { Int(nearestFrame: seconds * sampleRate) }

    init(inputs: [AudioFormat], outputs: [AudioFormat], _ environment: RenderEnvironment) {
        (self.inputs, self.outputs) = (inputs, outputs)
        sampleRate = (inputs.first ?? outputs.first)?.sampleRate ?? environment.sampleRate
        (maximumFrameCount, isOffline) = (environment.maximumFrameCount, environment.isOffline)
    }
}

/// The reason why a processor cannot be set up; the engine throws `formatRefused` with the node, the bus, its format and the reason.
public struct AudioProcessorRefusal: Error, Hashable, Sendable {
    /// The end of a sentence after "It does not take the format: ", such as "it needs a rate of 8 kHz at least".
    public let reason: String
    /// The bus that the reason concerns.
    public let bus: Int
    /// True if it is an input bus.
    public let isInput: Bool

    /// Refuses the format of a bus, by default of the first input.
    public init(_ reason: String, bus: Int = 0, isInput: Bool = true) {
        (self.reason, self.bus, self.isInput) = (reason, bus, isInput)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A sound of a tree that the program makes while it plays. Any thread.

import AudioFormats

/// A sound that the program makes while it plays: buffers that it schedules, or blocks that it renders.
///
/// It has no end: its event plays until it is stopped. It never sleeps, and a seek leaves it as it is.
public struct SoundStream: Sendable {
    /// The identifier, by which the event has its node.
    public var id: String
    /// The mixer that puts the sound to the output.
    public var mixer: SoundMixer
    /// The number of channels.
    public var channelCount: Int
    /// The meaning of the channels; nil for the usual one of their number.
    public var layout: ChannelLayout?
    /// The frames a second, at most four times as many as the engine's; nil for the engine's.
    public var sampleRate: Double?
    /// The level as a factor.
    public var level = 1.0
    /// The speed, 0.25 to 4.
    public var rate = 1.0
    /// A gain that follows a parameter, 0 to 1.
    public var gain: SteeredValue?
    /// A speed that follows a parameter, and multiplies `rate`.
    public var steeredRate: SteeredValue?
    /// The identifier of a group; nil for none.
    public var group: String?
    /// The rank under `SoundEngine.voiceLimit`, as of a sampler.
    public var priority = 0

    /// Makes a stream; its number of channels is enough.
    public init(
        _ id: String, mixer: SoundMixer, channelCount: Int, layout: ChannelLayout? = nil, sampleRate: Double? = nil
    ) {
        (self.id, self.mixer, self.channelCount, self.layout, self.sampleRate) = (id, mixer, channelCount, layout, sampleRate)
    }
}

/// The place of a scheduled buffer in the queue of a push stream; without options it follows the others.
public struct StreamBufferOptions: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: Int
    /// Makes options of bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// It repeats until it is interrupted, or the event ends.
    public static let loops = StreamBufferOptions(rawValue: 1)
    /// It takes the place of the playing buffer and of all that wait.
    public static let interrupts = StreamBufferOptions(rawValue: 2)
    /// It takes the place of all that wait, and follows the playing buffer, which plays its loop to the end.
    public static let interruptsAtLoop = StreamBufferOptions(rawValue: 4)
}

/// The reason for the end of a scheduled buffer.
public enum StreamBufferEnding: Hashable, Sendable {
    /// All its frames have been rendered.
    case rendered
    /// Another buffer has interrupted it, or its event has ended before.
    case stopped
}

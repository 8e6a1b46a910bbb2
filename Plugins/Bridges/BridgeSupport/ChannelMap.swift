// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How a plug-in's ports and a chain's channels are matched. The control thread makes it, the render thread uses it.

import PluginSDK

/// Connects a plug-in with a fixed number of audio ports to a chain with any number of channels.
///
/// A plug-in with one input and one output has one instance a channel. One with at most two of each has one for each pair of
/// channels, and one for each channel without a partner. Any other has one instance, and takes as many channels as it has
/// ports. Each instance has a group of channels:
///
/// | plug-in | group | result |
/// | --- | --- | --- |
/// | 1 in | n channels | the port hears the mean of the channels |
/// | i in | 1 channel | every port hears the channel |
/// | i in | n channels | port by port; surplus ports hear silence, surplus channels are not heard |
/// | 1 out | n channels | all channels get the port |
/// | o out | 1 channel | the channel gets the mean of the ports |
/// | o out | n channels | port by port; surplus channels are silent, surplus ports are dropped |
/// | none out | n channels | the input passes: the plug-in only listens |
public struct ChannelMap: Sendable {
    /// Audio inputs of one instance.
    public let inputPortCount: Int
    /// Audio outputs of one instance.
    public let outputPortCount: Int
    private let groups: ChannelGroups

    /// `[any]` Chooses the groups.
    public init(inputPortCount: Int, outputPortCount: Int, channelCount: Int) {
        self.inputPortCount = inputPortCount
        self.outputPortCount = outputPortCount
        groups = ChannelGroups(width: Self.width(inputPortCount, outputPortCount), channelCount: channelCount)
    }

    /// Instances of the plug-in that run side by side.
    public var instanceCount: Int {
        @_noLocks get { groups.count }
    }

    /// The channels of an instance at most; 0 for all.
    private static func width(_ inputPortCount: Int, _ outputPortCount: Int) -> Int {
        let most = max(inputPortCount, outputPortCount)
        return inputPortCount > 0 && outputPortCount > 0 && most <= 2 ? most : 0
    }

    /// `[any]` The flags of a unit with such ports: how its instances share the channels.
    public static func flags(inputPortCount: Int, outputPortCount: Int) -> UnitFlags {
        switch width(inputPortCount, outputPortCount) {
        case 1: .instancePerChannel
        case 2: .instancePerPair
        default: []
        }
    }

    /// `[any]` The numbers of channels that a unit with such ports takes; empty for any number.
    public static func channelCounts(inputPortCount: Int, outputPortCount: Int) -> [Int] {
        guard inputPortCount > 0, outputPortCount > 0, width(inputPortCount, outputPortCount) == 0 else { return [] }
        return Array(1...max(inputPortCount, outputPortCount))
    }

    /// `[render]` Fills the buffers that the input ports read, those of one instance after those of another.
    ///
    /// It copies as many frames as `ports` has, from frame `start` of `input` on. NaN and infinity become zero.
    @_noLocks
    public func feed(_ ports: AudioBlock, from input: AudioBlock, start: Int) {
        feed(ports, portCount: inputPortCount, from: input, start: start)
    }

    /// `[render]` Fills other ports, of which each instance has `portCount`.
    ///
    /// An instance hears its own channels of `input`, if there are as many as in the chain, or else all of them.
    @_noLocks
    public func feed(_ ports: AudioBlock, portCount: Int, from input: AudioBlock, start: Int) {
        let isOwn = input.channelCount == groups.channelCount
        var channel = 0
        for instance in 0..<groups.count {
            let size = groups.size(at: channel)
            for port in 0..<portCount {
                let samples = ports[instance &* portCount &+ port]
                let (first, count) = isOwn ? (channel, size) : (0, input.channelCount)
                if portCount == 1, count > 1 {
                    Self.average(input, first, count, start, into: samples, 0, ports.frameCount)
                    for frame in 0..<ports.frameCount { samples[frame] = Self.finite(samples[frame]) }
                } else if count == 1 || port < count {
                    let source = input[first &+ (count == 1 ? 0 : port)]
                    for frame in 0..<ports.frameCount { samples[frame] = Self.finite(source[start &+ frame]) }
                } else {
                    for frame in 0..<ports.frameCount { samples[frame] = 0 }
                }
            }
            channel &+= size
        }
    }

    /// `[render]` Copies what the output ports wrote to `output`, from frame `start` on.
    @_noLocks
    public func collect(_ ports: AudioBlock, into output: AudioBlock, start: Int, input: AudioBlock) {
        guard outputPortCount > 0 else { return pass(input, to: output, start, ports.frameCount) }
        var channel = 0
        for instance in 0..<groups.count {
            let (size, first) = (groups.size(at: channel), instance &* outputPortCount)
            for member in 0..<size where channel &+ member < output.channelCount {
                let samples = output[channel &+ member]
                if size == 1, outputPortCount > 1 {
                    Self.average(ports, first, outputPortCount, 0, into: samples, start, ports.frameCount)
                } else if outputPortCount == 1 || member < outputPortCount {
                    let port = ports[first &+ (outputPortCount == 1 ? 0 : member)]
                    for frame in 0..<ports.frameCount { samples[start &+ frame] = port[frame] }
                } else {
                    for frame in start..<start &+ ports.frameCount { samples[frame] = 0 }
                }
            }
            channel &+= size
        }
    }

    @_noLocks
    private func pass(_ input: AudioBlock, to output: AudioBlock, _ start: Int, _ frameCount: Int) {
        for channel in 0..<output.channelCount {
            let isThere = channel < input.channelCount
            for frame in start..<start &+ frameCount { output[channel][frame] = isThere ? input[channel][frame] : 0 }
        }
    }

    /// Zero for NaN and infinity, which many plug-ins never lose again.
    @_noLocks
    private static func finite(_ sample: Float) -> Float { sample.isFinite ? sample : 0 }

    /// Writes the mean of `count` channels of `block` from channel `first` on.
    @_noLocks
    private static func average(
        _ block: AudioBlock, _ first: Int, _ count: Int, _ start: Int, into samples: UnsafeMutablePointer<Float>,
        _ position: Int, _ frameCount: Int
    ) {
        let share = 1 / Float(count)
        for frame in 0..<frameCount {
            var sum: Float = 0
            for channel in first..<first &+ count { sum += block[channel][start &+ frame] }
            samples[position &+ frame] = sum * share
        }
    }
}

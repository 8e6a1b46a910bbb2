// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Matches a plug-in's ports and a chain's channels. The control thread makes it, the render thread uses it.

import PluginSDK

/// Connects a plug-in with a fixed number of audio ports to a chain with any number of channels.
///
/// A plug-in with one input and one output has one instance for each channel. A plug-in with at most two of each has one
/// instance for each pair of left and right. It has another one for each channel without a partner, such as the centre: see
/// `ChannelGroups`. Any other plug-in has a single instance, and takes as many channels as it has ports. Each instance has a
/// group of channels:
///
/// | plug-in | group | result |
/// | --- | --- | --- |
/// | 1 in | n channels | the port hears the mean of the channels |
/// | i in | 1 channel | every port hears the channel |
/// | i in | n channels | port by port; surplus ports hear silence, surplus channels are not heard |
/// | 1 out | n channels | all channels get the port |
/// | o out | 1 channel, the only one | the channel gets the mean of the ports |
/// | o out | 1 channel among others | the channel gets the first port |
/// | o out | n channels | port by port; surplus channels are silent, surplus ports are dropped |
/// | none out | n channels | the input passes: the plug-in only listens |
public struct ChannelMap: Sendable {
    /// The number of audio inputs of one instance.
    public let inputPortCount: Int
    /// The number of audio outputs of one instance.
    public let outputPortCount: Int
    private let groups: ChannelGroups

    /// `[any]` Chooses the groups.
    public init(inputPortCount: Int, outputPortCount: Int, channelCount: Int, layout: ChannelLayout? = nil) {
        self.inputPortCount = inputPortCount
        self.outputPortCount = outputPortCount
        groups = ChannelGroups(
            width: Self.width(inputPortCount, outputPortCount), channelCount: channelCount, layout: layout)
    }

    /// The number of instances that run side by side.
    public var instanceCount: Int {
        @_noLocks get { groups.count }
    }

    /// `[control]` The channels that each instance hears.
    var channelsOfInstances: [[Int]] { groups.channels }

    /// The most channels of an instance; 0 for all channels.
    private static func width(_ inputPortCount: Int, _ outputPortCount: Int) -> Int {
        let most = max(inputPortCount, outputPortCount)
        return inputPortCount > 0 && outputPortCount > 0 && most <= 2 ? most : 0
    }

    /// `[any]` The flags of a unit with such ports, which say how its instances share the channels.
    public static func flags(inputPortCount: Int, outputPortCount: Int) -> UnitFlags {
        switch width(inputPortCount, outputPortCount) {
        case 1: .instancePerChannel
        case 2: .instancePerPair
        default: []
        }
    }

    /// `[any]` The channel counts of a unit with such ports; empty for any number.
    public static func channelCounts(inputPortCount: Int, outputPortCount: Int) -> [Int] {
        guard inputPortCount > 0, outputPortCount > 0, width(inputPortCount, outputPortCount) == 0 else { return [] }
        return Array(1...max(inputPortCount, outputPortCount))
    }

    /// `[render]` Fills the buffers of the input ports, those of one instance after those of another.
    ///
    /// It copies as many frames as `ports` has, from frame `start` of `input` on. NaN and infinity become zero.
    @_noLocks
    public func feed(_ ports: AudioBlock, from input: AudioBlock, start: Int) {
        feed(ports, portCount: inputPortCount, from: input, start: start)
    }

    /// `[render]` Fills other ports; each instance has `portCount` of them.
    ///
    /// If `input` has as many channels as the chain, an instance hears its own channels, otherwise all of them.
    @_noLocks
    public func feed(_ ports: AudioBlock, portCount: Int, from input: AudioBlock, start: Int) {
        let isOwn = input.channelCount == groups.channelCount
        for instance in 0..<groups.count {
            let count = isOwn ? groups.size(of: instance) : input.channelCount
            for port in 0..<portCount {
                let samples = ports[instance &* portCount &+ port]
                if portCount == 1, count > 1 {
                    mix(input, instance, count, isOwn, start, into: samples, ports.frameCount)
                } else if count == 1 || port < count {
                    let source = input[channel(count == 1 ? 0 : port, of: instance, isOwn)]
                    for frame in 0..<ports.frameCount { samples[frame] = Self.finite(source[start &+ frame]) }
                } else {
                    for frame in 0..<ports.frameCount { samples[frame] = 0 }
                }
            }
        }
    }

    /// The input channel of one member of an instance's group.
    @_noLocks
    private func channel(_ member: Int, of instance: Int, _ isOwn: Bool) -> Int {
        isOwn ? groups.channel(member, of: instance) : member
    }

    /// Writes the mean of an instance's channels; NaN and infinity become zero.
    @_noLocks
    private func mix(
        _ input: AudioBlock, _ instance: Int, _ count: Int, _ isOwn: Bool, _ start: Int,
        into samples: UnsafeMutablePointer<Float>, _ frameCount: Int
    ) {
        let share = 1 / Float(count)
        for frame in 0..<frameCount {
            var sum: Float = 0
            for member in 0..<count { sum += input[channel(member, of: instance, isOwn)][start &+ frame] }
            samples[frame] = Self.finite(sum * share)
        }
    }

    /// `[render]` Copies the output ports to `output`, from frame `start` on.
    @_noLocks
    public func collect(_ ports: AudioBlock, into output: AudioBlock, start: Int, input: AudioBlock) {
        guard outputPortCount > 0 else { return pass(input, to: output, start, ports.frameCount) }
        for instance in 0..<groups.count {
            let (size, first) = (groups.size(of: instance), instance &* outputPortCount)
            for member in 0..<size where groups.channel(member, of: instance) < output.channelCount {
                let samples = output[groups.channel(member, of: instance)]
                if groups.channelCount == 1, outputPortCount > 1 {
                    average(ports, into: samples, start)
                } else if outputPortCount == 1 || member < outputPortCount {
                    let port = ports[first &+ (outputPortCount == 1 ? 0 : member)]
                    for frame in 0..<ports.frameCount { samples[start &+ frame] = port[frame] }
                } else {
                    for frame in start..<start &+ ports.frameCount { samples[frame] = 0 }
                }
            }
        }
    }

    @_noLocks
    private func pass(_ input: AudioBlock, to output: AudioBlock, _ start: Int, _ frameCount: Int) {
        for channel in 0..<output.channelCount {
            let isThere = channel < input.channelCount
            for frame in start..<start &+ frameCount { output[channel][frame] = isThere ? input[channel][frame] : 0 }
        }
    }

    /// Replaces NaN and infinity by zero, because many plug-ins never recover from them.
    @_noLocks
    private static func finite(_ sample: Float) -> Float { sample.isFinite ? sample : 0 }

    /// Writes the mean of the ports of the only instance.
    @_noLocks
    private func average(_ ports: AudioBlock, into samples: UnsafeMutablePointer<Float>, _ start: Int) {
        let share = 1 / Float(outputPortCount)
        for frame in 0..<ports.frameCount {
            var sum: Float = 0
            for port in 0..<outputPortCount { sum += ports[port][frame] }
            samples[start &+ frame] = sum * share
        }
    }
}

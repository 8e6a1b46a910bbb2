// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How a plug-in's ports and a chain's channels are matched. The control thread makes it, the render thread uses it.

import PluginSDK

/// Connects a plug-in with a fixed number of audio ports to a chain with any number of channels.
///
/// | plug-in | chain | result |
/// | --- | --- | --- |
/// | 1 in, 1 out | n channels | one instance a channel |
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
    /// Instances of the plug-in that run side by side.
    public let instanceCount: Int

    /// `[any]` Chooses the number of instances: one a channel for a plug-in with one input and one output, else one.
    public init(inputPortCount: Int, outputPortCount: Int, channelCount: Int) {
        self.inputPortCount = inputPortCount
        self.outputPortCount = outputPortCount
        instanceCount = inputPortCount == 1 && outputPortCount == 1 ? max(1, channelCount) : 1
    }

    /// `[render]` Fills the buffers that the input ports read, those of one instance after those of another.
    ///
    /// It copies as many frames as `ports` has, from frame `start` of `input` on. NaN and infinity become zero.
    @_noLocks
    public func feed(_ ports: AudioBlock, from input: AudioBlock, start: Int) {
        let channelCount = input.channelCount
        guard channelCount > 0 else { return ports.silence() }
        if instanceCount == 1, inputPortCount == 1, channelCount > 1 {
            Self.average(input, start, into: ports[0], 0, ports.frameCount)
            for frame in 0..<ports.frameCount { ports[0][frame] = Self.finite(ports[0][frame]) }
            return
        }
        for port in 0..<inputPortCount &* instanceCount {
            if port < channelCount || channelCount == 1 {
                let channel = input[channelCount == 1 ? 0 : port]
                for frame in 0..<ports.frameCount { ports[port][frame] = Self.finite(channel[start &+ frame]) }
            } else {
                for frame in 0..<ports.frameCount { ports[port][frame] = 0 }
            }
        }
    }

    /// `[render]` Copies what the output ports wrote to `output`, from frame `start` on.
    @_noLocks
    public func collect(_ ports: AudioBlock, into output: AudioBlock, start: Int, input: AudioBlock) {
        let portCount = outputPortCount &* instanceCount
        if output.channelCount == 1, portCount > 1 {
            return Self.average(ports, 0, into: output[0], start, ports.frameCount)
        }
        for channel in 0..<output.channelCount {
            let samples = output[channel]
            if portCount == 0, channel < input.channelCount {
                for frame in start..<start &+ ports.frameCount { samples[frame] = input[channel][frame] }
            } else if portCount > 0, channel < portCount || portCount == 1 {
                let port = ports[portCount == 1 ? 0 : channel]
                for frame in 0..<ports.frameCount { samples[start &+ frame] = port[frame] }
            } else {
                for frame in start..<start &+ ports.frameCount { samples[frame] = 0 }
            }
        }
    }

    /// Zero for NaN and infinity, which many plug-ins never lose again.
    @_noLocks
    private static func finite(_ sample: Float) -> Float { sample.isFinite ? sample : 0 }

    @_noLocks
    private static func average(
        _ block: AudioBlock, _ start: Int, into samples: UnsafeMutablePointer<Float>, _ position: Int, _ frameCount: Int
    ) {
        let share = 1 / Float(block.channelCount)
        for frame in 0..<frameCount {
            var sum: Float = 0
            for channel in 0..<block.channelCount { sum += block[channel][start &+ frame] }
            samples[position &+ frame] = sum * share
        }
    }
}

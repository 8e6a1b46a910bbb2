// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The buffers of audio and CV ports, and their connections to a chain's buses. Made by the control thread, used by the render
// thread.

import BridgeSupport
import PluginSDK

/// The bridge's own buffers, one a port, so that no port shares memory with another or with the chain.
struct AudioPorts: ~Copyable {
    let map: ChannelMap
    private let sidePortCount: Int
    private let signalMap: ChannelMap
    private let inputs: AudioBuffer
    private let outputs: AudioBuffer
    private let sides: AudioBuffer
    private let signalInputs: AudioBuffer
    private let signalOutputs: AudioBuffer
    private let signalOutputCount: Int
    /// The number of each bus; -1 for a missing one.
    private let sideBus: Int
    private let signalBus: Int
    /// Channel pointers into one of the buffers, from some frame on.
    private let window: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    init(_ plugin: Plugin, _ map: ChannelMap, frameCapacity: Int) {
        func buffer(_ count: Int) -> AudioBuffer { AudioBuffer(channelCount: count, frameCapacity: frameCapacity) }
        self.map = map
        let count = map.instanceCount
        let sideCount = plugin.sideInputs.count * count
        let signalInputCount = plugin.ports(.cv, isInput: true).count
        signalOutputCount = plugin.ports(.cv, isInput: false).count
        sidePortCount = plugin.sideInputs.count
        signalMap = ChannelMap(inputPortCount: signalInputCount, outputPortCount: 0, channelCount: 1)
        inputs = buffer(map.inputPortCount * count)
        outputs = buffer(map.outputPortCount * count)
        sides = buffer(sideCount)
        signalInputs = buffer(signalInputCount)
        signalOutputs = buffer(signalOutputCount * count)
        let buses = plugin.description.inputs
        sideBus = plugin.sideInputs.isEmpty ? -1 : buses.firstIndex { $0.name == Plugin.sideBusName } ?? -1
        signalBus = signalInputCount == 0 ? -1 : buses.firstIndex { $0.name == Plugin.signalBusName } ?? -1
        let most = max(map.inputPortCount * count, map.outputPortCount * count, sideCount, signalInputCount, 1)
        window = .allocate(capacity: most)
    }

    deinit { window.deallocate() }

    /// `[control]` The buffers of one instance, in the order of their ports.
    func buffers(of instance: Int, _ plugin: Plugin) -> [(port: Port, buffer: UnsafeMutablePointer<Float>)] {
        func pairs(_ ports: [Port], _ buffer: borrowing AudioBuffer, _ first: Int)
            -> [(port: Port, buffer: UnsafeMutablePointer<Float>)]
        {
            let block = buffer.block(frameCount: 0)
            return ports.enumerated().map { ($1, block[first + $0]) }
        }
        return pairs(plugin.mainInputs, inputs, instance * map.inputPortCount)
            + pairs(plugin.ports(.audio, isInput: false), outputs, instance * map.outputPortCount)
            + pairs(plugin.sideInputs, sides, instance * plugin.sideInputs.count)
            + pairs(plugin.ports(.cv, isInput: true), signalInputs, 0)
            + pairs(plugin.ports(.cv, isInput: false), signalOutputs, instance * signalOutputCount)
    }

    /// `[render]` Copies the block's frames from `start` on into the inputs from `position` on.
    @_noLocks
    func feed(_ block: RenderBlock, _ input: AudioBlock, start: Int, position: Int, frameCount: Int) {
        map.feed(view(inputs.block(frameCount: frameCount), position), from: input, start: start)
        if sides.channelCount > 0 {
            let ports = view(sides.block(frameCount: frameCount), position)
            map.feed(ports, portCount: sidePortCount, from: bus(block, sideBus), start: start)
        }
        if signalInputs.channelCount > 0 {
            signalMap.feed(
                view(signalInputs.block(frameCount: frameCount), position), from: bus(block, signalBus), start: start)
        }
    }

    /// `[render]` Copies the outputs' frames from `position` on into the block from `start` on.
    @_noLocks
    func collect(_ block: RenderBlock, _ input: AudioBlock, start: Int, position: Int, frameCount: Int) {
        map.collect(view(outputs.block(frameCount: frameCount), position), into: block.output, start: start, input: input)
        guard block.outputBusCount > 1 else { return }
        let target = block.output(1)
        for channel in 0..<min(target.channelCount, signalOutputs.channelCount) {
            let source = signalOutputs.block(frameCount: 0)[channel] + position
            for frame in 0..<frameCount { target[channel][start &+ frame] = source[frame] }
        }
    }

    /// The most frames of a run.
    var frameCapacity: Int { inputs.frameCapacity }

    /// `[render]` Silences the buffers.
    @_noLocks
    func clear() {
        inputs.block(frameCount: inputs.frameCapacity).silence()
        outputs.block(frameCount: outputs.frameCapacity).silence()
        sides.block(frameCount: sides.frameCapacity).silence()
        signalInputs.block(frameCount: signalInputs.frameCapacity).silence()
        signalOutputs.block(frameCount: signalOutputs.frameCapacity).silence()
    }

    @_noLocks
    private func bus(_ block: RenderBlock, _ number: Int) -> AudioBlock {
        if number >= 0, number < block.inputBusCount { return block.input(number) }
        return AudioBlock(channels: UnsafePointer(window), channelCount: 0, frameCount: block.frameCount)
    }

    @_noLocks
    private func view(_ ports: AudioBlock, _ position: Int) -> AudioBlock {
        guard position > 0 else { return ports }
        for channel in 0..<ports.channelCount { window[channel] = ports[channel] + position }
        return AudioBlock(channels: UnsafePointer(window), channelCount: ports.channelCount, frameCount: ports.frameCount)
    }
}

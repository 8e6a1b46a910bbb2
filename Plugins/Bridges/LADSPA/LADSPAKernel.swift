// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Runs the instances of a LADSPA plug-in. Made by the control thread, used by the render thread.

import BridgeSupport
import CLADSPA
import PluginSDK

/// One instance, or one for each channel or pair of channels; all of them share their control ports.
///
/// Audio goes through the kernel's own buffers. So no plug-in renders in place, since some cannot. And a plug-in that
/// overwrites its input does not disturb its neighbours.
struct LADSPAKernel: RenderKernel, ~Copyable {
    private let map: ChannelMap
    private var instances: Instances
    private let inputs: AudioBuffer
    /// The input of the side chain's ports.
    private let sides: AudioBuffer
    private let sidePortCount: Int
    private let outputs: AudioBuffer
    private var controls: ControlPorts
    private let limits: ControlLimits
    private let meters: Meters
    /// The value behind the latency port.
    private let latency: UnsafeMutablePointer<Float>
    /// The values behind the control outputs of all instances but the first.
    private let unheard: UnsafeMutablePointer<Float>
    private var isFresh = true

    init(_ plugin: Plugin, _ setup: RenderSetup, _ parameters: ParameterTree) throws(UnitError) {
        let map = ChannelMap(
            inputPortCount: plugin.mainInputs.count,
            outputPortCount: plugin.ports(isInput: false, isAudio: true).count, channelCount: setup.channelCount,
            layout: setup.layout)
        instances = try Instances(plugin, count: map.instanceCount, sampleRate: setup.sampleRate)
        self.map = map
        inputs = AudioBuffer(channelCount: map.inputPortCount * map.instanceCount, frameCapacity: setup.maximumFrameCount)
        sidePortCount = plugin.sideInputs.count
        sides = AudioBuffer(channelCount: sidePortCount * map.instanceCount, frameCapacity: setup.maximumFrameCount)
        outputs = AudioBuffer(channelCount: map.outputPortCount * map.instanceCount, frameCapacity: setup.maximumFrameCount)
        limits = ControlLimits(plugin, parameters, sampleRate: setup.sampleRate)
        controls = ControlPorts(
            plugin.ports(isInput: true, isAudio: false).map {
                Float(parameters[address: UInt64($0.index)]?.at(sampleRate: setup.sampleRate).defaultValue ?? 0)
            })
        meters = Meters(
            addresses: plugin.ports(isInput: false, isAudio: false).filter { !Plugin.isLatency($0) }.map { UInt64($0.index) })
        latency = .allocate(capacity: 1)
        latency.initialize(to: 0)
        unheard = .allocate(capacity: 1)
        unheard.initialize(to: 0)
        for index in 0..<instances.count { connect(instances, index, plugin) }
        instances.activate()
        measureLatency(plugin)
    }

    deinit {
        latency.deallocate()
        unheard.deallocate()
    }

    /// Runs the instances for a frame of silence, because a plug-in with a latency port reports the latency when it runs.
    ///
    /// A separate instance would disturb the others if the plug-in keeps state in static variables. The instances then forget
    /// that frame, as far as the plug-in can.
    private mutating func measureLatency(_ plugin: Plugin) {
        guard plugin.ports.contains(where: Plugin.isLatency) else { return }
        inputs.block(frameCount: 1).silence()
        sides.block(frameCount: 1).silence()
        instances.run(1)
        if plugin.descriptor.pointee.activate != nil { instances.activate() }
    }

    private func connect(_ instances: borrowing Instances, _ index: Int, _ plugin: Plugin) {
        var (input, output, control, meter) = (index * map.inputPortCount, index * map.outputPortCount, 0, 0)
        var side = index * sidePortCount
        let sidePorts = Set(plugin.sideInputs.map(\.index))
        for port in plugin.ports {
            let address: UnsafeMutablePointer<Float>
            switch (port.isAudio, port.isInput) {
            case (true, true) where sidePorts.contains(port.index):
                address = sides.block(frameCount: 0)[side]
                side += 1
            case (true, true):
                address = inputs.block(frameCount: 0)[input]
                input += 1
            case (true, false):
                address = outputs.block(frameCount: 0)[output]
                output += 1
            case (false, true):
                address = controls.values + control
                control += 1
            case (false, false) where index > 0: address = unheard
            case (false, false) where Plugin.isLatency(port): address = latency
            case (false, false):
                address = meters.values + meter
                meter += 1
            }
            instances.connect(index, port: port.index, to: address)
        }
    }
}

// MARK: - Rendering

extension LADSPAKernel {
    @_noLocks
    mutating func apply(_ change: ParameterChange) {
        guard let place = limits.place(ofPort: change.address) else { return }
        controls.set(place, to: limits.limited(Float(change.value), at: place), rampFrameCount: change.rampFrameCount)
    }

    @_noLocks
    mutating func render(_ block: RenderBlock) {
        isFresh = false
        let input = block.inputBusCount > 0 ? block.input : noInput(block.frameCount)
        var start = 0
        while start < block.frameCount {
            let frameCount = controls.runLength(atMost: block.frameCount - start)
            map.feed(inputs.block(frameCount: frameCount), from: input, start: start)
            if sidePortCount > 0 {
                map.feed(sides.block(frameCount: frameCount), portCount: sidePortCount, from: side(block, input), start: start)
            }
            instances.run(frameCount)
            map.collect(outputs.block(frameCount: frameCount), into: block.output, start: start, input: input)
            controls.advance(frameCount)
            start += frameCount
        }
        meters.emit(to: block)
    }

    /// The input of the side chain: the main input, unless the side chain is connected.
    @_noLocks
    private func side(_ block: RenderBlock, _ input: AudioBlock) -> AudioBlock {
        block.inputBusCount > 1 && block.input(1).channelCount > 0 ? block.input(1) : input
    }

    @_noLocks
    private func noInput(_ frameCount: Int) -> AudioBlock {
        AudioBlock(channels: inputs.block(frameCount: 0).channels, channelCount: 0, frameCount: frameCount)
    }

    @_noLocks
    mutating func reset() {
        controls.jump()
        // Fresh instances have nothing to forget, and some fail when they are activated twice.
        guard !isFresh else { return }
        isFresh = true
        instances.activate()
    }

    var latencyFrameCount: Int {
        @_noLocks get {
            // If the input passes by, there is no latency.
            map.outputPortCount > 0 ? Latency.frameCount(reported: latency.pointee) : 0
        }
    }

    /// The longest possible tail, because a plug-in cannot report its tail.
    var tailFrameCount: Int { @_noLocks get { Int.max } }
}

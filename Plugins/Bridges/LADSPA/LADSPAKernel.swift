// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Runs the instances of a LADSPA plug-in. Made by the control thread, used by the render thread.

import BridgeSupport
import CLADSPA
import PluginSDK

/// One instance, or one a channel for a plug-in from mono to mono; all of them share their control ports.
///
/// Audio goes through buffers of the kernel's own: a plug-in that breaks when it renders in place never does, and one
/// that scribbles over its input spoils nobody else's.
struct LADSPAKernel: RenderKernel, ~Copyable {
    private let plugin: UnsafePointer<LADSPA_Descriptor>
    private let instances: UnsafeMutablePointer<LADSPA_Handle?>
    private let map: ChannelMap
    private let inputs: AudioBuffer
    private let outputs: AudioBuffer
    private var controls: ControlPorts
    private let meters: Meters
    /// What the port that tells the latency points to, and meters of all instances but the first.
    private let latency: UnsafeMutablePointer<Float>
    private let unheard: UnsafeMutablePointer<Float>
    private let bounds: UnsafeMutablePointer<ClosedRange<Float>>
    /// The control port's place in `controls`, by port index; -1 for others.
    private let controlIndex: UnsafeMutablePointer<Int>
    private let portCount: Int
    private var isActive = false
    private var isFresh = true

    init(_ plugin: Plugin, _ setup: RenderSetup, _ parameters: ParameterTree) throws(UnitError) {
        self.plugin = plugin.descriptor
        portCount = plugin.ports.count
        map = ChannelMap(
            inputPortCount: plugin.ports(isInput: true, isAudio: true).count,
            outputPortCount: plugin.ports(isInput: false, isAudio: true).count, channelCount: setup.channelCount)
        inputs = AudioBuffer(channelCount: map.inputPortCount * map.instanceCount, frameCapacity: setup.maximumFrameCount)
        outputs = AudioBuffer(channelCount: map.outputPortCount * map.instanceCount, frameCapacity: setup.maximumFrameCount)
        let settable = plugin.ports(isInput: true, isAudio: false)
        controls = ControlPorts(settable.map { Float(parameters[address: UInt64($0.index)]?.defaultValue ?? 0) })
        meters = Meters(
            addresses: plugin.ports(isInput: false, isAudio: false).filter { !Plugin.isLatency($0) }.map { UInt64($0.index) })
        latency = .allocate(capacity: 1)
        latency.initialize(to: 0)
        unheard = .allocate(capacity: max(1, portCount))
        unheard.initialize(repeating: 0, count: max(1, portCount))
        bounds = .allocate(capacity: max(1, settable.count))
        controlIndex = .allocate(capacity: max(1, portCount))
        controlIndex.initialize(repeating: -1, count: max(1, portCount))
        for (place, port) in settable.enumerated() {
            let range = Hints(port.hint, sampleRate: setup.sampleRate).range
            (bounds + place).initialize(to: Float(range.lowerBound)...Float(range.upperBound))
            controlIndex[port.index] = place
        }
        instances = .allocate(capacity: map.instanceCount)
        instances.initialize(repeating: nil, count: map.instanceCount)
        for index in 0..<map.instanceCount {
            guard let instance = plugin.descriptor.pointee.instantiate(plugin.descriptor, UInt(setup.sampleRate)) else {
                throw .failed("the plug-in makes no instance at \(Int(setup.sampleRate)) Hz")
            }
            instances[index] = instance
        }
        for index in 0..<map.instanceCount { connect(index, plugin) }
        measureLatency(plugin, setup)
        activate()
    }

    deinit {
        for index in 0..<map.instanceCount {
            guard let instance = instances[index] else { continue }
            if isActive { CLADSPA_deactivate(plugin, instance) }
            plugin.pointee.cleanup?(instance)
        }
        instances.deallocate()
        latency.deallocate()
        unheard.deallocate()
        bounds.deallocate()
        controlIndex.deallocate()
    }

    /// Frames of silence that a plug-in renders to find out its latency, which it tells at the end of a run only.
    private static let latencyRunFrameCount = 64

    /// A plug-in with a latency port says what it is in `run`: an instance of its own finds out, and is dropped.
    private func measureLatency(_ plugin: Plugin, _ setup: RenderSetup) {
        guard plugin.ports.contains(where: Plugin.isLatency) else { return }
        guard let probe = plugin.descriptor.pointee.instantiate(plugin.descriptor, UInt(setup.sampleRate)) else { return }
        let regular = instances[0]
        instances[0] = probe
        connect(0, plugin)
        CLADSPA_activate(self.plugin, probe)
        CLADSPA_run(self.plugin, probe, UInt(min(Self.latencyRunFrameCount, setup.maximumFrameCount)))
        CLADSPA_deactivate(self.plugin, probe)
        self.plugin.pointee.cleanup?(probe)
        instances[0] = regular
        connect(0, plugin)
        inputs.block(frameCount: inputs.frameCapacity).silence()
    }

    private func connect(_ index: Int, _ plugin: Plugin) {
        guard let instance = instances[index] else { return }
        var (input, output, meter) = (index * map.inputPortCount, index * map.outputPortCount, 0)
        for port in plugin.ports {
            let address: UnsafeMutablePointer<Float>
            if port.isAudio {
                address = port.isInput ? inputs.block(frameCount: 0)[input] : outputs.block(frameCount: 0)[output]
                if port.isInput { input += 1 } else { output += 1 }
            } else if port.isInput {
                address = controls.values + controlIndex[port.index]
            } else if index > 0 {
                address = unheard + port.index
            } else if Plugin.isLatency(port) {
                address = latency
            } else {
                address = meters.values + meter
                meter += 1
            }
            self.plugin.pointee.connect_port(instance, UInt(port.index), address)
        }
    }
}

// MARK: - Rendering

extension LADSPAKernel {
    @_noLocks
    mutating func apply(_ change: ParameterChange) {
        guard change.address < UInt64(portCount), controlIndex[Int(change.address)] >= 0 else { return }
        let place = controlIndex[Int(change.address)]
        let value = max(bounds[place].lowerBound, min(bounds[place].upperBound, Float(change.value)))
        controls.set(place, to: value, rampFrameCount: change.rampFrameCount)
    }

    @_noLocks
    mutating func render(_ block: RenderBlock) {
        isFresh = false
        let input = block.inputBusCount > 0 ? block.input : noInput(block.frameCount)
        var start = 0
        while start < block.frameCount {
            let frameCount = controls.runLength(atMost: block.frameCount - start)
            map.feed(inputs.block(frameCount: frameCount), from: input, start: start)
            for index in 0..<map.instanceCount { CLADSPA_run(plugin, instances[index], UInt(frameCount)) }
            map.collect(outputs.block(frameCount: frameCount), into: block.output, start: start, input: input)
            controls.advance(frameCount)
            start += frameCount
        }
        meters.emit(to: block)
    }

    @_noLocks
    private func noInput(_ frameCount: Int) -> AudioBlock {
        AudioBlock(channels: inputs.block(frameCount: 0).channels, channelCount: 0, frameCount: frameCount)
    }

    @_noLocks
    mutating func reset() {
        controls.jump()
        // Fresh instances have nothing to forget, and some are not made for being activated twice.
        guard !isFresh else { return }
        isFresh = true
        for index in 0..<map.instanceCount {
            CLADSPA_deactivate(plugin, instances[index])
            CLADSPA_activate(plugin, instances[index])
        }
    }

    private mutating func activate() {
        for index in 0..<map.instanceCount { CLADSPA_activate(plugin, instances[index]) }
        isActive = true
    }

    var latencyFrameCount: Int {
        @_noLocks get {
            let frames = latency.pointee
            return frames >= 0 && frames <= 1_048_576 ? Int(frames) : 0
        }
    }

    /// A plug-in cannot say how long it sounds on.
    var tailFrameCount: Int { @_noLocks get { Int.max } }
}

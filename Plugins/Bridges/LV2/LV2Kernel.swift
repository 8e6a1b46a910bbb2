// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Runs the instances of an LV2 plug-in. Made by the control thread, used by the render thread.

import BridgeSupport
import CLV2Shims
import PluginSDK

/// One instance, or one a channel for a plug-in from mono to mono; all of them share their control ports.
struct LV2Kernel: RenderKernel, ~Copyable {
    /// Frames of every block, for plug-ins that want all of them alike.
    static let fixedFrameCount = 256

    private let session: Session
    private let gate: RenderGate
    private let resetGate: RenderGate
    private let instances: UnsafeMutablePointer<RenderInstance>
    private let instanceCount: Int
    private let audio: AudioPorts
    private var controls: ControlSettings
    private let meters: Meters
    private var messages: MessagePorts
    private var song: SongPosition
    /// What the ports point to that tell of latency and of offline rendering, and control outputs that nobody listens to.
    private let latency: UnsafeMutablePointer<Float>
    private let freeWheeling: UnsafeMutablePointer<Float>
    private let unheard: UnsafeMutablePointer<Float>
    private let hasLatency: Bool
    /// Frames of every block that the plug-in gets, 0 for as many as there are; and frames of the next one that are there.
    private let fixedFrameCount: Int
    private var position = 0
    private var isFresh = true

    /// Connects all ports of the session's instances, which are not active yet.
    init(_ session: Session, _ map: ChannelMap, _ setup: RenderSetup, _ settings: Settings, fixedFrameCount: Int) {
        let plugin = session.plugin
        self.session = session
        self.fixedFrameCount = fixedFrameCount
        gate = session.gate
        resetGate = session.resetGate
        instanceCount = session.instances.count
        instances = .allocate(capacity: max(1, instanceCount))
        audio = AudioPorts(plugin, map, frameCapacity: max(min(setup.maximumFrameCount, ControlPorts.longestRunFrameCount), fixedFrameCount))
        controls = ControlSettings(plugin, sampleRate: setup.sampleRate)
        let told = plugin.ports.filter { !$0.isInput && $0.isParameter }
        meters = Meters(addresses: told.map { UInt64($0.index) })
        song = SongPosition(sampleRate: setup.sampleRate)
        latency = .allocate(capacity: 1)
        latency.initialize(to: 0)
        freeWheeling = .allocate(capacity: 1)
        freeWheeling.initialize(to: 0)
        unheard = .allocate(capacity: max(1, plugin.ports.count))
        unheard.initialize(repeating: 0, count: max(1, plugin.ports.count))
        hasLatency = plugin.ports.contains(where: \.isLatency)
        for (index, instance) in session.instances.enumerated() {
            (instances + index).initialize(to: RenderInstance(instance))
        }
        messages = MessagePorts(session, instances, settings)
        for (index, instance) in session.instances.enumerated() { connect(instance, index, told, plugin) }
    }

    deinit {
        session.end()
        for index in 0..<instanceCount {
            instances[index].inputs.deallocate()
            instances[index].outputs.deallocate()
        }
        instances.deallocate()
        latency.deallocate()
        freeWheeling.deallocate()
        unheard.deallocate()
    }

    private func connect(_ instance: Instance, _ index: Int, _ told: [Port], _ plugin: Plugin) {
        for (port, buffer) in audio.buffers(of: index, plugin) { instance.connect(port, to: buffer) }
        for port in plugin.ports {
            switch port.kind {
            case .audio, .cv, .atom: break
            case .unconnected: instance.connect(port, to: nil)
            case .control: instance.connect(port, to: address(of: port, isFirst: index == 0, told))
            }
        }
    }

    private func address(of port: Port, isFirst: Bool, _ told: [Port]) -> UnsafeMutablePointer<Float> {
        if port.isFreeWheeling { return freeWheeling }
        if let address = controls.address(of: port) { return address }
        guard isFirst else { return unheard + port.index }
        if port.isLatency { return latency }
        return told.firstIndex { $0.index == port.index }.map { meters.values + $0 } ?? unheard + port.index
    }
}

extension RenderInstance {
    fileprivate init(_ instance: Instance) {
        func copy(_ ports: [AtomPort]) -> UnsafeMutablePointer<AtomPort> {
            let memory = UnsafeMutablePointer<AtomPort>.allocate(capacity: max(1, ports.count))
            for (index, port) in ports.enumerated() { (memory + index).initialize(to: port) }
            return memory
        }
        descriptor = UnsafeRawPointer(instance.descriptor)
        handle = instance.handle
        worker = instance.worker
        inputs = copy(instance.atomInputs)
        inputCount = instance.atomInputs.count
        outputs = copy(instance.atomOutputs)
        outputCount = instance.atomOutputs.count
    }
}

// MARK: - Rendering

extension LV2Kernel {
    @_noLocks
    mutating func apply(_ change: ParameterChange) {
        if !controls.apply(change) { _ = messages.apply(change, atFrame: position) }
    }

    @_noLocks
    mutating func handle(_ message: MIDIMessage) { messages.take(message, atFrame: position) }

    @_noLocks
    mutating func render(_ block: RenderBlock) {
        let input = block.inputBusCount > 0 && hasMainInput ? block.input : noInput(block)
        guard gate.enter() else { return pass(block, input) }
        freeWheeling.pointee = block.isOffline ? 1 : 0
        messages.takeTexts(atFrame: position)
        var start = 0
        while start < block.frameCount { start &+= renderPiece(block, input, start) }
        meters.emit(to: block)
        gate.leave()
    }

    /// Renders frames `start` and on, as many as can be rendered alike, and returns how many.
    @_noLocks
    private mutating func renderPiece(_ block: RenderBlock, _ input: AudioBlock, _ start: Int) -> Int {
        let isFixed = fixedFrameCount > 0
        let rest = block.frameCount &- start
        let frameCount = isFixed ? min(rest, fixedFrameCount &- position) : controls.runLength(atMost: rest)
        if let news = song.news(block, start: start, frameCount: frameCount) { messages.send(news, atFrame: position) }
        audio.feed(block, input, start: start, position: position, frameCount: frameCount)
        guard isFixed else {
            run(block, frameCount: frameCount, start: start)
            audio.collect(block, input, start: start, position: 0, frameCount: frameCount)
            return frameCount
        }
        // What is heard is what became of the block before.
        audio.collect(block, input, start: start, position: position, frameCount: frameCount)
        position &+= frameCount
        if position == fixedFrameCount {
            position = 0
            run(block, frameCount: fixedFrameCount, start: start &+ frameCount)
        }
        return frameCount
    }

    /// Runs every instance. What they send is heard from `start` on.
    @_noLocks
    private mutating func run(_ block: RenderBlock, frameCount: Int, start: Int) {
        isFresh = false
        runInstances(frameCount, waits: block.isOffline)
        controls.advance(frameCount, block)
        messages.finishRun(block, start: start, frameCount: frameCount)
    }

    @_noLocks
    private func runInstances(_ frameCount: Int, waits: Bool) {
        for index in 0..<instanceCount {
            let instance = instances[index]
            CLV2Shims_run(instance.descriptor, instance.handle, UInt32(frameCount))
            if let worker = instance.worker { CLV2Shims_deliver(worker, waits) }
        }
    }

    private var hasMainInput: Bool {
        @_noLocks get { audio.map.inputPortCount > 0 || audio.map.outputPortCount == 0 }
    }

    @_noLocks
    private func noInput(_ block: RenderBlock) -> AudioBlock {
        AudioBlock(channels: block.output.channels, channelCount: 0, frameCount: block.frameCount)
    }

    /// While the control thread uses the instances: the input goes by.
    @_noLocks
    private func pass(_ block: RenderBlock, _ input: AudioBlock) {
        for bus in 0..<block.outputBusCount { block.output(bus).silence() }
        block.output.copy(from: input)
    }

    @_noLocks
    mutating func reset() {
        controls.jump()
        song.forget()
        guard gate.enter() else { return }
        // Fresh instances have nothing to forget, and some are not made for being activated twice.
        if !isFresh { reactivate() }
        // A run of no frames brings outputs such as the latency up to date.
        if hasLatency {
            runInstances(0, waits: false)
            messages.dropRun()
        }
        gate.leave()
    }

    /// Makes the instances forget what they have heard. While a state is saved they may not, and go on.
    @_noLocks
    private mutating func reactivate() {
        guard resetGate.enter() else { return }
        isFresh = true
        for index in 0..<instanceCount {
            if let worker = instances[index].worker { CLV2Shims_deliver(worker, false) }
            CLV2Shims_reactivate(instances[index].descriptor, instances[index].handle)
        }
        audio.clear()
        position = 0
        resetGate.leave()
    }

    var latencyFrameCount: Int {
        @_noLocks get {
            let frames = latency.pointee
            let own = frames >= 0 && frames <= 1_000_000 ? Int(frames) : 0
            return own &+ (audio.map.outputPortCount > 0 ? fixedFrameCount : 0)
        }
    }

    /// A plug-in cannot say how long it sounds on.
    var tailFrameCount: Int { @_noLocks get { Int.max } }
}

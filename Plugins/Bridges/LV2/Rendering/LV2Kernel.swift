// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Runs the instances of an LV2 plug-in. Made by the control thread, used by the render thread.

import BridgeSupport
import PluginSDK

/// An instance on the render thread.
struct RenderInstance {
    let descriptor: UnsafeRawPointer
    let handle: UnsafeMutableRawPointer
    let worker: OpaquePointer?
}

/// One instance, or one for each channel or pair of channels; all of them share their control ports.
struct LV2Kernel: RenderKernel, ~Copyable {
    /// The frames of every block, for plug-ins that need equal blocks.
    static let fixedFrameCount = 256

    let session: Session
    let gate: RenderGate
    let resetGate: RenderGate
    let displayGate: RenderGate
    let instances: UnsafeMutablePointer<RenderInstance>
    let instanceCount: Int
    let audio: AudioPorts
    var controls: ControlSettings
    let meters: Meters
    var messages: MessagePorts
    var song: SongPosition
    /// The values behind the ports for latency and offline rendering, and behind unused control outputs.
    let latency: UnsafeMutablePointer<Float>
    let freeWheeling: UnsafeMutablePointer<Float>
    let unheard: UnsafeMutablePointer<Float>
    let hasLatency: Bool
    /// The frames of every block for the plug-in, or 0 for any number; and the frames of the next block so far.
    let fixedFrameCount: Int
    var position = 0
    /// True if nothing has been rendered since the instances were activated.
    var isFresh = true
    /// True if the instances must be activated again before they render.
    var mustReactivate = false
    /// The frames that have waited for a picture, the number of its closing, and the most frames to wait: a second.
    ///
    /// A plug-in that hangs while it draws must not silence the sound.
    var displayWaitFrameCount = 0
    var awaitedDrawing: UInt64 = 0
    let longestDisplayWaitFrameCount: Int
    /// True if the instances have run with silence, and reported their latency.
    var hasRehearsed = false

    /// Connects all ports of the session's instances, which are not active yet.
    init(_ session: Session, _ map: ChannelMap, _ setup: RenderSetup, _ settings: Settings, fixedFrameCount: Int) {
        let plugin = session.plugin
        self.session = session
        self.fixedFrameCount = fixedFrameCount
        gate = session.gate
        resetGate = session.resetGate
        displayGate = session.display.gate
        longestDisplayWaitFrameCount = Int(setup.sampleRate)
        instanceCount = session.instances.count
        instances = .allocate(capacity: max(1, instanceCount))
        audio = AudioPorts(
            plugin, map, frameCapacity: max(min(setup.maximumFrameCount, ControlPorts.longestRunFrameCount), fixedFrameCount))
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
            (instances + index).initialize(
                to: RenderInstance(
                    descriptor: UnsafeRawPointer(instance.descriptor), handle: instance.handle, worker: instance.worker))
        }
        messages = MessagePorts(session, settings)
        for (index, instance) in session.instances.enumerated() { connect(instance, index, told, plugin) }
    }

    deinit {
        instances.deallocate()
        guard session.end() else {
            // Its picture may read any port at any time.
            Self.leave(audio)
            Self.leave(controls)
            Self.leave(meters)
            return
        }
        latency.deallocate()
        freeWheeling.deallocate()
        unheard.deallocate()
    }

    /// Keeps the memory of a value as long as the process lives.
    private static func leave<Value: ~Copyable>(_ value: consuming Value) {
        UnsafeMutablePointer.allocate(capacity: 1).initialize(to: value)
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

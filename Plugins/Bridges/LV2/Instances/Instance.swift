// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One instance of a plug-in, its worker and the buffers of its atom ports. Control thread.

import CLV2Shims
import CLilv
import Glibc
import PluginSDK

/// An instance, which lives as long as the object.
final class Instance {
    private let pointer: UnsafeMutablePointer<LilvInstance>
    private let uri: String
    let worker: OpaquePointer?
    /// The instance's request to be drawn again; nil for a plug-in that draws nothing.
    let display: OpaquePointer?
    /// The buffers of the atom ports, in the order of the ports.
    let atomInputs: [AtomPort]
    let atomOutputs: [AtomPort]
    private let options: Options
    private let features: Features
    private var isActive = false

    var descriptor: UnsafePointer<LV2_Descriptor> { pointer.pointee.lv2_descriptor }
    var handle: LV2_Handle { pointer.pointee.lv2_handle }

    /// Makes an instance; `frameCounts` are the shortest and the longest block.
    init(
        _ plugin: Plugin, sampleRate: Double, frameCounts: ClosedRange<Int>, paths: StatePaths
    ) throws(UnitError) {
        let atoms = plugin.ports.filter { $0.kind == .atom }
        options = Options(
            sampleRate: sampleRate, frameCounts: frameCounts,
            sequenceByteCount: atoms.map(\.byteCount).max() ?? Port.atomByteCounts.lowerBound)
        var list = Features.common + paths.features
        list.append((Names.options + "options", options.feature))
        list.append((Names.bufSize + "boundedBlockLength", nil))
        if frameCounts.count == 1 {
            list += ["fixedBlockLength", "powerOf2BlockLength", "coarseBlockLength"].map { (Names.bufSize + $0, nil) }
        }
        list += ["loadDefaultState", "threadSafeRestore"].map { (Names.state + $0, nil) }
        let wantsWorker = plugin.requiredFeatures.union(plugin.optionalFeatures).contains(Names.worker + "schedule")
        let worker = wantsWorker ? CLV2Shims_makeWorker() : nil
        if let worker { list.append((Names.worker + "schedule", CLV2Shims_scheduleFeature(worker))) }
        let display = plugin.hasDisplay ? CLV2Shims_makeDisplay() : nil
        if let display { list.append((Names.inlineDisplay + "queue_draw", CLV2Shims_queueDrawFeature(display))) }
        features = Features(list)
        guard let made = lilv_plugin_instantiate(plugin.pointer, sampleRate, features.pointer) else {
            if let worker { CLV2Shims_freeWorker(worker) }
            if let display { CLV2Shims_freeDisplay(display) }
            throw .failed("the plug-in makes no instance at \(Int(sampleRate)) Hz")
        }
        pointer = made
        uri = plugin.uri
        self.worker = worker
        self.display = display
        atomInputs = Self.buffers(atoms.filter(\.isInput))
        atomOutputs = Self.buffers(atoms.filter { !$0.isInput })
        for (port, buffer) in zip(atoms.filter(\.isInput), atomInputs) { connect(port, to: buffer.buffer) }
        for (port, buffer) in zip(atoms.filter { !$0.isInput }, atomOutputs) { connect(port, to: buffer.buffer) }
        try startWorker()
    }

    deinit {
        // The worker's thread uses the instance, and the instance may request work until its end.
        if let worker { CLV2Shims_stopWorker(worker) }
        if isActive { descriptor.pointee.deactivate?(handle) }
        lilv_instance_free(pointer)
        if let worker { CLV2Shims_freeWorker(worker) }
        if let display { CLV2Shims_freeDisplay(display) }
        for port in atomInputs + atomOutputs { port.buffer.deallocate() }
    }

    private func startWorker() throws(UnitError) {
        guard let worker, let interface = extensionData(Names.worker + "interface") else { return }
        let code = CLV2Shims_startWorker(worker, handle, interface)
        guard code == 0 else { throw .failed("no thread can be started for its worker: \(String(cString: strerror(code)))") }
    }

    private static func buffers(_ ports: [Port]) -> [AtomPort] {
        ports.map { port in
            let buffer = UnsafeMutableRawPointer.allocate(byteCount: port.byteCount, alignment: 64)
            memset(buffer, 0, port.byteCount)
            if port.isInput { CLV2Shims_clearInput(buffer) } else { CLV2Shims_clearOutput(buffer, UInt32(port.byteCount)) }
            return AtomPort(
                buffer: buffer, capacity: UInt32(port.byteCount), takesMIDI: port.supported.contains(Names.midiEvent),
                takesTime: port.supported.contains(Names.time + "Position"),
                takesMessages: port.supported.contains(Names.patch + "Message")
                    || port.designation == Names.core + "control")
        }
    }

    func connect(_ port: Port, to address: UnsafeMutableRawPointer?) {
        descriptor.pointee.connect_port(handle, UInt32(port.index), address)
    }

    func activate() {
        descriptor.pointee.activate?(handle)
        isActive = true
    }

    /// The plug-in's data for an extension, by the extension's URI.
    private func extensionData(_ uri: String) -> UnsafeRawPointer? {
        descriptor.pointee.extension_data?(uri).map { UnsafeRawPointer($0) }
    }

    /// The plug-in's functions for saving and restoring; nil if it has no state.
    private var stateInterface: LV2_State_Interface? {
        extensionData(Names.state + "interface")?.assumingMemoryBound(to: LV2_State_Interface.self).pointee
    }

    var hasState: Bool { stateInterface != nil }

    /// The plug-in's functions for drawing; nil if it draws nothing.
    var displayInterface: CLV2Shims_DisplayInterface? {
        extensionData(Names.inlineDisplay + "interface")?.assumingMemoryBound(to: CLV2Shims_DisplayInterface.self).pointee
    }

    // MARK: State

    /// The properties that the plug-in stores; may run beside the render thread.
    func save(_ paths: StatePaths) throws(UnitError) -> [SavedState.Property] {
        guard let save = stateInterface?.save else { return [] }
        let store = StateStore()
        let flags = LV2_STATE_IS_POD.rawValue | LV2_STATE_IS_PORTABLE.rawValue
        let status = Features.with(Features.common + paths.features) { features in
            save(handle, StateStore.store, Unmanaged.passUnretained(store).toOpaque(), flags, features)
        }
        guard status == LV2_STATE_SUCCESS else { throw .failed("the plug-in does not save its state (code \(status.rawValue))") }
        return store.properties
    }

    /// Gives the plug-in its stored properties.
    ///
    /// Meanwhile nothing renders, unless the plug-in permits it.
    func restore(_ properties: [SavedState.Property], _ paths: StatePaths) throws(UnitError) {
        guard let restore = stateInterface?.restore else { return }
        let store = StateStore(properties)
        let status = Features.with(restoreFeatures(paths)) { features in
            withExtendedLifetime(store) {
                restore(handle, StateStore.retrieve, Unmanaged.passUnretained(store).toOpaque(), 0, features)
            }
        }
        guard status == LV2_STATE_SUCCESS else {
            throw .stateRefused("because the plug-in does not take it (code \(status.rawValue))")
        }
    }

    /// Gives the plug-in the state of a preset, or its default state; port values are parameters, and not set here.
    func restore(_ preset: Node, _ world: World, _ paths: StatePaths) {
        guard let state = Preset.state(preset, world) else { return }
        let watch = PresetWatch(pointer)
        Features.with(restoreFeatures(paths)) { watch.restore(state, $0) }
        lilv_state_free(state)
        let name = world.value(preset, Names.label)?.text ?? Names.lastComponent(of: preset.text)
        for (path, reason) in watch.unreadable { Complaints.say(ofFile: path, reason, preset: name, plugin: uri) }
    }

    private func restoreFeatures(_ paths: StatePaths) -> [(uri: String, data: UnsafeMutableRawPointer?)] {
        var list = Features.common + paths.features
        list.append((Names.state + "threadSafeRestore", nil))
        if let worker { list.append((Names.worker + "schedule", CLV2Shims_restoreScheduleFeature(worker))) }
        return list
    }
}

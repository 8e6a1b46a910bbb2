// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An LV2 plug-in as a unit: its description, its parameters, its kernels. Control thread.

import BridgeSupport
import PluginSDK

/// A plug-in, and the state and texts of its next instances.
final class ClassicUnit: BridgedUnit {
    let plugin: Plugin
    let settings: Settings
    let description: UnitDescription
    let factoryPresets: [FactoryPreset]
    let paths = StatePaths()
    let display = Display()
    private let presets: [Preset]
    /// The present session.
    ///
    /// It exists as long as there are instances.
    private(set) weak var session: Session?
    /// The state for the next instance: the last one's state, or a state that was set before any instance existed.
    private(set) var kept: SavedState?
    /// The state that instances store after the restoring of a new instance's state.
    ///
    /// Instances that store the same have nothing to keep.
    private var storedAsNew: SavedState?
    /// The texts by identifier.
    var known: [String: KnownText] = [:]

    var parameters: ParameterTree { settings.tree }
    var texts: [TextProperty] { settings.texts }
    var view: ViewMaker? {
        guard plugin.hasDisplay else { return nil }
        return ViewMaker(preferredSizes: DisplayView.preferredSizes, frameRate: DisplayView.frameRate) { [display] context in
            DisplayView(display, context)
        }
    }

    init(_ plugin: Plugin) {
        self.plugin = plugin
        settings = Settings(plugin)
        description = plugin.description
        presets = Preset.presets(of: plugin, settings)
        factoryPresets = presets.map { FactoryPreset($0.name, $0.values) }
    }

    func makeKernel(_ setup: RenderSetup) throws(UnitError) -> KernelBox {
        Randomness.restart()
        let map = ChannelMap(
            inputPortCount: plugin.mainInputs.count, outputPortCount: plugin.ports(.audio, isInput: false).count,
            channelCount: setup.channelCount, layout: setup.layout)
        let fixed = plugin.requiresFixedBlocks ? LV2Kernel.fixedFrameCount : nil
        let session = try Session(
            self, sampleRate: setup.sampleRate,
            frameCounts: fixed.map { $0...$0 } ?? 1...min(setup.maximumFrameCount, ControlPorts.longestRunFrameCount),
            instances: map.instanceNames(layout: setup.layout), isNew: kept == nil, texts: known.count)
        let kernel = LV2Kernel(session, map, setup, settings, fixedFrameCount: fixed ?? 0)
        if kept != nil || plugin.loadsDefaultState { session.begin(with: kept) }
        for (identifier, value) in known where value.isFromHost {
            try send(value.text, identifier, to: session)
            known[identifier]?.isAwaited = true
        }
        session.activate()
        session.settle()
        self.session = session
        return KernelBox.holding(kernel)
    }

    /// Keeps the state of the instances before their end.
    func keep(_ session: Session) {
        guard session === self.session else { return }
        learnTexts()
        // A plug-in that can no longer save keeps its last saved state.
        if session.hasState, let state = try? session.save() { kept = state }
        self.session = nil
    }

    // MARK: State and presets

    func saveCustomState() throws(UnitError) -> [UInt8] {
        if let session, session.hasState { kept = try session.save() }
        guard let kept, !kept.isEmpty, kept != storedAsNew else { return [] }
        return kept.bytes
    }

    func restoreCustomState(_ bytes: [UInt8]) throws(UnitError) {
        let state = bytes.isEmpty ? nil : try SavedState(bytes, of: plugin.uri)
        try restore(state)
        // If this save fails, a new instance's state counts as something to keep, which does no harm.
        storedAsNew = state == nil ? session.flatMap { try? $0.save() } : nil
    }

    func selectFactoryPreset(_ index: Int) throws(UnitError) {
        guard presets[index].hasState else { return }
        try restore(SavedState(plugin: plugin.uri, preset: presets[index].node.text))
    }

    private func restore(_ state: SavedState?) throws(UnitError) {
        if let session, session.hasState {
            try session.restore(state, otherwise: kept)
        } else {
            session?.forgetWhatWasSaid()
        }
        kept = state
        known = [:]
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The instances of a plug-in while there are render resources, and the ways between their two threads. Control thread.

import CLV2Shims
import PluginSDK

/// One instance, or one for each channel or pair of channels.
final class Session {
    let plugin: Plugin
    /// Closed while a state is restored: no instance runs then.
    let gate = RenderGate()
    /// Closed while a state is saved or restored, so that no instance is activated again.
    ///
    /// Instances still run.
    let resetGate = RenderGate()
    let stateCount = StateCount()
    /// True if the instances are new: they have not been given a state.
    let isNew: Bool
    /// The number of texts that the instances get before the first block.
    let textCount: Int
    /// Texts for the plug-in, and texts that it has set itself: the numbers of the property and the state, then the text.
    let toRender: OpaquePointer
    let fromRender: OpaquePointer
    private(set) var instances: [Instance] = []
    private let paths: StatePaths
    /// Draws the instances; it pauses while they are activated, saved or restored.
    let display: Display
    /// The channels of each instance, as words.
    private let names: [String]
    private weak var unit: ClassicUnit?
    /// Room for one text.
    var message: [UInt8]

    /// The milliseconds that a restore waits for the end of a block.
    private static let patience = 4000

    /// Makes an instance for each name, and room for `texts` before the first block.
    init(
        _ unit: ClassicUnit, sampleRate: Double, frameCounts: ClosedRange<Int>, instances names: [String], isNew: Bool, texts: Int
    ) throws(UnitError) {
        let roomByteCount = TextRing.byteCount + UInt32(clamping: texts * (TextRing.longestMessageByteCount + 4))
        guard let toRender = CLV2Shims_makeRing(roomByteCount), let fromRender = CLV2Shims_makeRing(TextRing.byteCount)
        else { throw .failed("there is no memory for it") }
        self.unit = unit
        self.isNew = isNew
        textCount = texts
        self.toRender = toRender
        self.fromRender = fromRender
        plugin = unit.plugin
        paths = unit.paths
        display = unit.display
        self.names = names
        message = [UInt8](repeating: 0, count: TextRing.longestMessageByteCount)
        // lilv loads the library again, and reports a failure only on the terminal.
        if let file = plugin.libraryPath, case .failure(let refusal) = LentLibraries.open(file) {
            throw .failed("its library cannot be loaded: \(refusal.reason)")
        }
        for _ in names {
            instances.append(try Instance(plugin, sampleRate: sampleRate, frameCounts: frameCounts, paths: paths))
        }
    }

    deinit {
        instances = []
        CLV2Shims_freeRing(toRender)
        CLV2Shims_freeRing(fromRender)
        gate.destroy()
        resetGate.destroy()
        stateCount.destroy()
    }

    var hasState: Bool { instances.contains(where: \.hasState) }

    /// Ends the instances; false if one of them still draws.
    ///
    /// In that case all of them stay for ever, with the memory behind their ports. The unit keeps their state for the next
    /// instances.
    func end() -> Bool {
        let isUndrawn = display.hide(instances)
        unit?.keep(self)
        if isUndrawn { instances = [] } else { _ = Unmanaged.passRetained(self) }
        return isUndrawn
    }

    /// Allows drawing of the instances, which are active.
    func show() { display.show(Array(zip(instances, names))) }

    /// Makes the unit check that the instances have its texts; `rehearse` runs them, so that they apply a new state.
    func confirmTexts(_ rehearse: () -> Void) { unit?.confirmTexts(of: self, rehearse) }

    func activate() { for instance in instances { instance.activate() } }

    // MARK: State

    func save() throws(UnitError) -> SavedState {
        try close(resetGate)
        defer { resetGate.open() }
        return try saved()
    }

    private func saved() throws(UnitError) -> SavedState {
        let properties = try display.paused { () throws(UnitError) in try instances.first?.save(paths) ?? [] }
        return SavedState(plugin: plugin.uri, properties: properties, files: try paths.folder.files())
    }

    /// Gives a state to instances that do not render.
    ///
    /// If the plug-in refuses a part of it, perhaps because a file is missing, the plug-in still plays.
    func begin(with state: SavedState?) {
        if let state { try? paths.folder.take(state.files) }
        try? hand(state)
    }

    /// Gives a state to every instance; nil gives a new instance's state.
    ///
    /// Meanwhile nothing renders, unless the plug-in permits it. A refused state changes nothing: the instances get back their
    /// old state, or `kept` if they cannot save it.
    func restore(_ state: SavedState?, otherwise kept: SavedState?) throws(UnitError) {
        try close(resetGate)
        defer { resetGate.open() }
        let old = (try? saved()) ?? kept
        guard !plugin.restoresWhileRunning else { return try replace(old, with: state) }
        try close(gate)
        defer {
            settle()
            gate.open()
        }
        // No plug-in expects to be restored while its worker works.
        settle()
        try replace(old, with: state)
    }

    private func replace(_ old: SavedState?, with state: SavedState?) throws(UnitError) {
        do throws(UnitError) {
            if let state { try paths.folder.take(state.files) }
            try hand(state)
        } catch {
            if let old { begin(with: old) }
            throw error
        }
        stateCount.advance()
    }

    /// True if idle instances take a path from their own state, under a key; if not, they get the state back.
    func takes(_ path: String, for key: String, in saved: SavedState, _ rehearse: () -> Void) -> Bool {
        begin(with: saved.with(path, for: key))
        settle()
        rehearse()
        if let now = try? self.saved(), now.holds(path, for: key) { return true }
        begin(with: saved)
        settle()
        rehearse()
        return false
    }

    /// Invalidates all texts and reports of earlier states, even those in transit.
    func forgetWhatWasSaid() { stateCount.advance() }

    private func close(_ gate: RenderGate) throws(UnitError) {
        guard gate.close(milliseconds: Self.patience) else { throw .failed("the plug-in does not finish its block") }
    }

    /// Lets the workers finish the work of a restored state, so that it is heard from the next block on.
    func settle() {
        for instance in instances { if let worker = instance.worker { CLV2Shims_settle(worker) } }
    }

    private func hand(_ state: SavedState?) throws(UnitError) {
        try display.paused { () throws(UnitError) in try handOut(state) }
    }

    private func handOut(_ state: SavedState?) throws(UnitError) {
        for instance in instances {
            if let preset = state?.preset.flatMap(plugin.world.node) {
                instance.restore(preset, plugin.world, paths)
            } else if let state {
                try instance.restore(state.properties, paths)
            } else if plugin.loadsDefaultState {
                instance.restore(plugin.node, plugin.world, paths)
            } else {
                // Some plug-ins refuse an empty state, but still take their defaults.
                try? instance.restore([], paths)
            }
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The instances of a plug-in while there are render resources, and the ways between their two threads. Control thread.

import CLV2Shims
import PluginSDK

/// One instance, or one a channel for a plug-in from mono to mono.
final class Session {
    let plugin: Plugin
    /// Closed while a state is restored: nothing runs.
    let gate = RenderGate()
    /// Closed while a state is saved or restored: nothing is activated anew. Runs go on.
    let resetGate = RenderGate()
    let stateCount = StateCount()
    /// Nobody has given it a state: the instances are as new ones are.
    let isNew: Bool
    /// Texts for the plug-in, and texts that it has set itself: the property's number, the state's, then the text.
    let toRender: OpaquePointer
    let fromRender: OpaquePointer
    private(set) var instances: [Instance] = []
    private let paths: StatePaths
    private weak var unit: ClassicUnit?
    /// Room for a text.
    var message: [UInt8]

    /// How long a block may take before a state is not restored, in milliseconds.
    private static let patience = 4000

    /// There is room for `texts` at once, before anything is rendered.
    init(
        _ unit: ClassicUnit, sampleRate: Double, frameCounts: ClosedRange<Int>, instanceCount: Int, isNew: Bool, texts: Int
    ) throws(UnitError) {
        let roomByteCount = TextRing.byteCount + UInt32(clamping: texts * (TextRing.longestMessageByteCount + 4))
        guard let toRender = CLV2Shims_makeRing(roomByteCount), let fromRender = CLV2Shims_makeRing(TextRing.byteCount)
        else { throw .failed("there is no memory for it") }
        self.unit = unit
        self.isNew = isNew
        self.toRender = toRender
        self.fromRender = fromRender
        plugin = unit.plugin
        paths = unit.paths
        message = [UInt8](repeating: 0, count: TextRing.longestMessageByteCount)
        // lilv loads it again, and says on the terminal alone why it cannot.
        if let file = plugin.libraryPath, case .failure(let refusal) = LentLibraries.open(file) {
            throw .failed("its library cannot be loaded: \(refusal.reason)")
        }
        for _ in 0..<instanceCount {
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

    /// Ends the instances. The unit keeps what they were, and makes others of it.
    func end() {
        unit?.keep(self)
        instances = []
    }

    func activate() { for instance in instances { instance.activate() } }

    // MARK: State

    func save() throws(UnitError) -> SavedState {
        try close(resetGate)
        defer { resetGate.open() }
        return try saved()
    }

    private func saved() throws(UnitError) -> SavedState {
        let properties = try instances.first?.save(paths) ?? []
        return SavedState(plugin: plugin.uri, properties: properties, files: try paths.folder.files())
    }

    /// Hands a state to instances that do not render. What the plug-in does not take of it, because a file is gone
    /// perhaps, does not keep it from playing.
    func begin(with state: SavedState?) {
        if let state { try? paths.folder.take(state.files) }
        try? hand(state)
    }

    /// Hands a state to every instance, while nothing renders unless the plug-in permits it. Nil: what a new one has. One
    /// that is refused changes nothing: the instances get back what they had, or `kept` where they do not say what that was.
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
        // No plug-in expects to be restored while its worker is at work.
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

    /// What was said of the state so far, and what is on its way, is of no account any more.
    func forgetWhatWasSaid() { stateCount.advance() }

    private func close(_ gate: RenderGate) throws(UnitError) {
        guard gate.close(milliseconds: Self.patience) else { throw .failed("the plug-in does not finish its block") }
    }

    /// Has the work of a state that was just restored done, so that it is heard from the next block on.
    func settle() {
        for instance in instances { if let worker = instance.worker { CLV2Shims_settle(worker) } }
    }

    private func hand(_ state: SavedState?) throws(UnitError) {
        for instance in instances {
            if let preset = state?.preset.flatMap(plugin.world.node) {
                instance.restore(preset, plugin.world, paths)
            } else if let state {
                try instance.restore(state.properties, paths)
            } else if plugin.loadsDefaultState {
                instance.restore(plugin.node, plugin.world, paths)
            } else {
                // Some find fault with a state in which nothing is, and have their defaults all the same.
                try? instance.restore([], paths)
            }
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The instances of a plug-in while there are render resources, and the ways between their two threads. Control thread.

import CLV2Shims
import PluginSDK

/// The way of texts between the threads.
enum TextRing {
    /// Room for texts on their way, in bytes; an eighth of it is the most for one.
    static var byteCount: UInt32 {
        @_noLocks get { 1 << 17 }
    }
}

/// One instance, or one a channel for a plug-in from mono to mono.
final class Session {
    let plugin: Plugin
    /// Closed while a state is restored: nothing runs.
    let gate = RenderGate()
    /// Closed while a state is saved or restored: nothing is activated anew. Runs go on.
    let resetGate = RenderGate()
    /// Texts for the plug-in, and texts that it has set itself: the property's number, then the text.
    let toRender: OpaquePointer
    let fromRender: OpaquePointer
    private(set) var instances: [Instance] = []
    private let paths: StatePaths
    private weak var unit: ClassicUnit?
    private var message: [UInt8]

    /// How long a block may take before a state is not restored, in milliseconds.
    private static let patience = 4000

    init(
        _ unit: ClassicUnit, sampleRate: Double, frameCounts: ClosedRange<Int>, instanceCount: Int
    ) throws(UnitError) {
        guard let toRender = CLV2Shims_makeRing(TextRing.byteCount), let fromRender = CLV2Shims_makeRing(TextRing.byteCount)
        else { throw .failed("there is no memory for it") }
        self.unit = unit
        self.toRender = toRender
        self.fromRender = fromRender
        plugin = unit.plugin
        paths = unit.paths
        message = [UInt8](repeating: 0, count: Int(TextRing.byteCount))
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
        let properties = try instances.first?.save(paths) ?? []
        return SavedState(plugin: plugin.uri, properties: properties, files: try paths.folder.files())
    }

    /// Hands a state to instances that are not active yet. What the plug-in does not take of it, because a file is gone
    /// perhaps, does not keep it from playing.
    func begin(with state: SavedState?) {
        if let state { try? paths.folder.take(state.files) }
        try? hand(state)
    }

    /// Hands a state to every instance, while nothing renders unless the plug-in permits it. Nil: what a new one has.
    func restore(_ state: SavedState?) throws(UnitError) {
        if let state { try paths.folder.take(state.files) }
        try close(resetGate)
        defer { resetGate.open() }
        guard !plugin.restoresWhileRunning else { return try hand(state) }
        try close(gate)
        defer { gate.open() }
        try hand(state)
        settle()
    }

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

    // MARK: Texts

    /// Sends a text to the plug-in, which takes it at its next block; false when too much is on the way.
    func send(_ text: String, property: Int) -> Bool {
        var number = UInt32(property)
        let body = Array(text.utf8) + [0]
        return CLV2Shims_write(toRender, &number, 4, body, UInt32(body.count))
    }

    /// The texts that the plug-in has set itself since the last call, by the property's number.
    func takeTexts() -> [(property: Int, text: String)] {
        var texts: [(property: Int, text: String)] = []
        var byteCount: UInt32 = 0
        while CLV2Shims_read(fromRender, &message, &byteCount) {
            guard byteCount >= 4 else { continue }
            let number = message[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
            let text = message[4..<Int(byteCount)].prefix { $0 != 0 }
            texts.append((number, String(decoding: text, as: UTF8.self)))
        }
        return texts
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes a document's graph in an engine: opens the files, starts the units, and connects all in one edit. Control thread.

import AudioFiles
import AudioGraph
import AudioUnits
import PluginHosting

extension GraphDocument {
    /// Makes the graph in an empty engine, and returns its nodes; `play` starts them.
    ///
    /// The call blocks while files are opened and plug-ins started. The graph is made in one edit, or not at all. Rights that the user has
    /// not given to a document from elsewhere throw `GraphDocumentError.hosting` with `HostingError.unconfirmedWishes`.
    public func build(into engine: AudioEngine) throws(GraphDocumentError) -> BuiltGraph {
        let registry: ComponentRegistry
        do throws(HostingError) {
            registry = try HostConfiguration.current.installation.registry(wanting: units.map(\.unit.saved.id))
        } catch {
            throw .hosting(error)
        }
        return try build(into: engine, from: registry, allowing: Allowances(), name: "document")
    }

    /// Makes the graph with plug-ins that have been looked for, and rights that the user has given.
    ///
    /// `name` is the document's for messages. `ends` are the graph's input, main mixer and output, if they are not the engine's own.
    /// The units of the nodes in `absent` are not started: their input is passed on.
    package func build(
        into engine: AudioEngine, from registry: ComponentRegistry, allowing allowances: Allowances, name: String,
        at ends: GraphEnds? = nil, without absent: Set<String> = []
    ) throws(GraphDocumentError) -> BuiltGraph {
        let graph = try buildNext(into: engine, from: registry, allowing: allowances, name: name, at: ends, without: absent).graph
        graph.playInstruments()
        return graph
    }

    /// Makes the graph, and tells when it is heard; a graph that it replaces falls silent in the same edit.
    ///
    /// Its instruments get their MIDI by `playInstruments`.
    func buildNext(
        into engine: AudioEngine, from registry: ComponentRegistry, allowing allowances: Allowances, name: String,
        at ends: GraphEnds?, replacing former: BuiltGraph? = nil, without absent: Set<String> = []
    ) throws(GraphDocumentError) -> (graph: BuiltGraph, ticket: EditTicket) {
        if let defect = defects.first { throw defect }
        let components = try placedComponents(in: registry, without: absent)
        try check(components, in: registry, allowing: allowances, name: name)
        let songs = try GraphInstruments.files(of: self)
        try checkRoutes(to: components)
        // Files are opened before plug-ins are started.
        let files = try openedFiles()
        let listeners = try openedListeners()
        let parts = StartedParts(units: try startedUnits(of: components), songs: songs, files: files, listeners: listeners)
        return try build(into: engine, parts, at: ends, replacing: former)
    }

    /// Makes the graph of started units, one for each node of the kind `unit`, and of MIDI files already read.
    ///
    /// If a unit is nil, its input is passed on.
    package func build(
        into engine: AudioEngine, starting units: [PluginUnit?], songs: [MIDISongFile] = [], at ends: GraphEnds? = nil
    ) throws(GraphDocumentError) -> BuiltGraph {
        if let defect = defects.first { throw defect }
        let placed = Dictionary(uniqueKeysWithValues: zip(self.units.map(\.place), units)).compactMapValues(\.self)
        let parts = StartedParts(units: placed, songs: songs, files: try openedFiles(), listeners: try openedListeners())
        let graph = try build(into: engine, parts, at: ends).graph
        graph.playInstruments()
        return graph
    }

    private func build(
        into engine: AudioEngine, _ parts: StartedParts, at ends: GraphEnds?, replacing former: BuiltGraph? = nil
    ) throws(GraphDocumentError) -> (graph: BuiltGraph, ticket: EditTicket) {
        let ends = ends ?? .own(of: engine)
        try nameInputBuses(of: engine, isOwn: ends.input == nil)
        try nameOutputBuses(of: engine)
        let input = ends.input ?? engine.inputNode(if: readsInput)
        let made = nodes.enumerated().map { $1.made(for: parts.units[$0], input: input, isInChain: ends.isChain) }
        let content = GraphContent(
            document: self, places: made + [ends.main, ends.output], units: parts.units, pieces: parts.files,
            listeners: parts.listeners,
            songs: parts.songs, wires: wires, engineOutput: engine.outputNode)
        let graph = BuiltGraph(content, in: engine, ends)
        return (graph, try graph.connect(replacing: former))
    }

    /// The units and files for a graph, started and read.
    private struct StartedParts {
        let units: [Int: PluginUnit]
        let songs: [MIDISongFile]
        let files: [Int: [OpenedPiece]]
        let listeners: [Int: ListenerFiles]
    }

    /// Throws unless the user has given the rights that the units at the chosen places ask for.
    func check(
        _ components: [Int: Component], in registry: ComponentRegistry, allowing allowances: Allowances, name: String
    ) throws(GraphDocumentError) {
        do throws(HostingError) {
            try wanting(components.filter { !allowances.covers(savedUnit(at: $0.key, of: $0.value), playedBy: $0.value) }).check(
                allowances, in: registry, of: "the graph \"\(name)\"")
        } catch {
            throw .hosting(error)
        }
    }

    /// Throws unless the user has given the rights that all units ask for.
    package func check(
        in registry: ComponentRegistry, allowing allowances: Allowances, name: String
    ) throws(GraphDocumentError) {
        try check(try placedComponents(in: registry), in: registry, allowing: allowances, name: name)
    }

    /// Throws if a MIDI route leads to a unit that does not take MIDI.
    func checkRoutes(to components: [Int: Component]) throws(GraphDocumentError) {
        for route in midi?.routes ?? [] {
            for (place, component) in components where nodes[place].id == route.to {
                guard component.description.type == ComponentType.effect.code else { continue }
                let reason = "\(GraphDocumentError.quoted(route.to)) is an effect, which hears no MIDI; name an instrument"
                throw .malformedRoute(route.text, reason: reason)
            }
        }
    }

    /// The plug-ins of the units, in the order of the nodes.
    package func components(in registry: ComponentRegistry) throws(GraphDocumentError) -> [Component] {
        let placed = try placedComponents(in: registry)
        return placed.keys.sorted().compactMap { placed[$0] }
    }

    /// The plug-ins of the units by the places of their nodes.
    func placedComponents(
        in registry: ComponentRegistry, without absent: Set<String> = []
    ) throws(GraphDocumentError) -> [Int: Component] {
        var components: [Int: Component] = [:]
        for (place, unit) in units where !absent.contains(nodes[place].id) {
            do throws(HostingError) {
                components[place] = try registry.component(named: unit.saved.id)
            } catch {
                throw .unit(node: nodes[place].id, error)
            }
        }
        return components
    }

    /// The IDs and names of the graph's plug-ins.
    package var wantedPlugins: [String] { units.map(\.unit.saved.id) }

    /// The rights that the graph asks for; see `SavedChain.wishes`.
    package func wishes(in registry: ComponentRegistry, name: String) throws -> [RightWish] {
        try wanting(try placedComponents(in: registry)).wishes(in: registry, of: "the graph \"\(name)\"")
    }

    /// The unit at a place, by the ID of its plug-in, because a document may give the plug-in's name.
    private func savedUnit(at place: Int, of component: Component) -> SavedUnit {
        guard case .unit(let unit) = nodes[place].kind else { return SavedUnit(id: component.id) }
        var saved = unit.saved
        saved.id = component.id
        return saved
    }

    /// The units at these places as a chain that asks for their rights; a chain sealed by the user's host asks for none.
    private func wanting(_ components: [Int: Component]) -> SavedChain {
        let saved = units.compactMap { place, _ in components[place].map { savedUnit(at: place, of: $0) } }
        // The seal covers these units and no others.
        if let chain, chain.units == saved { return chain }
        return SavedChain(saved)
    }

    /// Starts the units at the places of these plug-ins, several processes at once.
    func startedUnits(of components: [Int: Component]) throws(GraphDocumentError) -> [Int: PluginUnit] {
        let units = units.compactMap { place, unit in components[place].map { (place: place, unit: unit, component: $0) } }
        let components = units.map(\.component)
        let ids = units.map { nodes[$0.place].id }
        let plan = IsolationPlan(units.map { ($0.component, $0.unit.saved.isolation) })
        let hosted = try plan.instantiate { (index) throws(GraphDocumentError) in
            do throws(HostingError) {
                return try Self.started(units[index].unit, components[index], at: plan.residences[index])
            } catch {
                throw .unit(node: ids[index], error)
            }
        }
        return Dictionary(uniqueKeysWithValues: zip(units, hosted).map { ($0.place, Self.unit($1, $0.unit.saved)) })
    }

    private static func started(
        _ unit: Unit, _ component: Component, at residence: IsolationPlan.Residence
    ) throws(HostingError) -> HostedUnit {
        var saved = unit.saved
        saved.id = component.id
        let hosted = try saved.instantiate(component, at: residence)
        for curve in saved.automation ?? [] { try curve.check(against: hosted) }
        guard let preset = unit.preset else { return hosted }
        try UserPresets.select(preset, of: hosted)
        for (keyPath, value) in saved.parameters { try hosted.set(keyPath, to: value) }
        return hosted
    }

    private static func unit(_ hosted: HostedUnit, _ saved: SavedUnit) -> PluginUnit {
        let unit = PluginUnit(hosted)
        unit.automation = saved.automation ?? []
        unit.fallback = saved.fallback ?? .dry
        unit.shouldBypassEffect = saved.isBypassed ?? false
        return unit
    }
}

extension GraphDocument.Node {
    /// Makes the node's counterpart in an engine.
    ///
    /// In a chain, a unit that could stretch time is an effect: it keeps the pace of its input.
    func made(for unit: PluginUnit?, input: AudioNode?, isInChain: Bool) -> AudioNode {
        let made: AudioNode =
            switch kind {
            case .player: AudioPlayerNode()
            case .mixer: AudioMixerNode()
            case .environment: AudioEnvironmentNode()
            case .unit: unit.map { Self.node($0, isInChain) } ?? AudioMixerNode()
            case .input: input ?? AudioMixerNode()
            }
        if kind != .input { made.name = id }
        return made
    }

    private static func node(_ unit: PluginUnit, _ isInChain: Bool) -> AudioNode {
        if AudioUnitMIDIInstrument.plays(unit.component) { return AudioUnitMIDIInstrument(unit) }
        return !isInChain && unit.unitDescription.flags.contains(.stretchesTime) ? AudioUnitStretch(unit) : AudioUnitEffect(unit)
    }
}

extension AudioEngine {
    /// The engine's input, if it is wanted: the first access makes it, and then the engine records.
    func inputNode(if isWanted: Bool) -> AudioNode? { isWanted ? inputNode : nil }
}

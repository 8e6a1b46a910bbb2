// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes a document's graph in an engine: opens the files, starts the units, and connects all in one edit. Control thread.

import AudioFiles
import AudioUnits
import LinuxSystem
import PluginHosting

extension GraphDocument {
    /// Makes the graph in an engine that has no other one, and returns its nodes; `play` starts them.
    ///
    /// Blocks while files are opened and plug-ins started. The graph is made in one edit, or nothing is. What a document from elsewhere may
    /// only have by the user's word is refused: `GraphDocumentError.hosting` with `HostingError.unconfirmedWishes`.
    public func build(into engine: AudioEngine) throws(GraphDocumentError) -> BuiltGraph {
        let registry: ComponentRegistry
        do throws(HostingError) {
            registry = try HostConfiguration.current.installation.registry(wanting: units.map(\.unit.saved.id))
        } catch {
            throw .hosting(error)
        }
        return try build(into: engine, from: registry, allowing: Allowances(), name: "document")
    }

    /// The same with plug-ins that have been looked for, and rights that the user has given; `name` is the document's for messages.
    ///
    /// `ends` are the nodes that every graph has, if they are not the engine's own. A graph that is replaced falls silent in the same edit.
    package func build(
        into engine: AudioEngine, from registry: ComponentRegistry, allowing allowances: Allowances, name: String,
        at ends: GraphEnds? = nil, replacing former: BuiltGraph? = nil
    ) throws(GraphDocumentError) -> BuiltGraph {
        if let defect = defects.first { throw defect }
        let components = try checkedComponents(in: registry, allowing: allowances, name: name)
        let (files, songs) = (try openedFiles(), try GraphInstruments.files(of: self))
        try checkRoutes(to: components)
        let units = try startedUnits(of: components)
        let ends = ends ?? .own(of: engine)
        let made = nodes.enumerated().map { $1.made(for: units[$0], input: ends.input ?? engine.inputNode(if: readsInput)) }
        let content = GraphContent(
            document: self, components: components, places: made + [ends.main, ends.output], units: units, pieces: files,
            songs: songs, wires: wires)
        let graph = BuiltGraph(content, in: engine, ends)
        try graph.connect(replacing: former)
        return graph
    }

    /// The plug-ins of the units, in the order of the nodes, once the user has given the rights that they ask for.
    func checkedComponents(
        in registry: ComponentRegistry, allowing allowances: Allowances, name: String
    ) throws(GraphDocumentError) -> [Component] {
        let components = try components(in: registry)
        do throws(HostingError) {
            try wanting(components).check(allowances, in: registry, of: "the graph \"\(name)\"")
        } catch {
            throw .hosting(error)
        }
        return components
    }

    /// Throws where a MIDI route leads to a unit that cannot hear MIDI.
    func checkRoutes(to components: [Component]) throws(GraphDocumentError) {
        for route in midi?.routes ?? [] {
            for (unit, component) in zip(units, components) where nodes[unit.place].id == route.to {
                guard component.description.type == ComponentType.effect.code else { continue }
                let reason = "\(GraphDocumentError.quoted(route.to)) is an effect, which hears no MIDI; name an instrument"
                throw .malformedRoute(route.text, reason: reason)
            }
        }
    }

    /// The plug-ins of the units, in the order of the nodes.
    package func components(in registry: ComponentRegistry) throws(GraphDocumentError) -> [Component] {
        var components: [Component] = []
        for (place, unit) in units {
            do throws(HostingError) {
                components.append(try registry.component(named: unit.saved.id))
            } catch {
                throw .unit(node: nodes[place].id, error)
            }
        }
        return components
    }

    /// The IDs and names of the plug-ins that the graph wants.
    package var wantedPlugins: [String] { units.map(\.unit.saved.id) }

    /// The rights that the graph asks for; see `SavedChain.wishes`.
    package func wishes(of components: [Component], in registry: ComponentRegistry, name: String) throws(HostingError)
        -> [RightWish]
    {
        try wanting(components).wishes(in: registry, of: "the graph \"\(name)\"")
    }

    /// The units as a chain that asks for their rights: a chain that the user's host has sealed asks for nothing.
    private func wanting(_ components: [Component]) -> SavedChain {
        let saved = zip(units, components).map { unit, component in
            var saved = unit.unit.saved
            // A name means a plug-in, too.
            saved.id = component.id
            return saved
        }
        // The seal is about these units and no others.
        if let chain, chain.units == saved { return chain }
        return SavedChain(saved)
    }

    /// Starts the units at the places that are chosen, several processes at once.
    func startedUnits(
        of components: [Component], at isChosen: (Int) -> Bool = { _ in true }
    ) throws(GraphDocumentError) -> [Int: PluginUnit] {
        let chosen = zip(units, components).filter { isChosen($0.0.place) }
        let (units, components) = (chosen.map(\.0), chosen.map(\.1))
        let ids = units.map { nodes[$0.place].id }
        let plan = IsolationPlan(zip(components, units).map { ($0, $1.unit.saved.isolation) })
        do {
            let hosted = try plan.instantiate { index in
                do throws(HostingError) {
                    var saved = units[index].unit.saved
                    saved.id = components[index].id
                    let unit = try saved.instantiate(components[index], at: plan.residences[index])
                    for curve in saved.automation ?? [] { try curve.check(against: unit) }
                    if let preset = units[index].unit.preset {
                        try UserPresets.select(preset, of: unit)
                        for (keyPath, value) in saved.parameters { try unit.set(keyPath, to: value) }
                    }
                    return unit
                } catch {
                    throw GraphDocumentError.unit(node: ids[index], error)
                }
            }
            return Dictionary(uniqueKeysWithValues: zip(units, hosted).map { ($0.place, Self.unit($1, $0.unit.saved)) })
        } catch let error as GraphDocumentError {
            throw error
        } catch let error as HostingError {
            throw .hosting(error)
        } catch {
            throw .hosting(.system(error as? SystemError ?? SystemError("start the units", code: 0)))
        }
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
    /// The node that this one becomes in an engine.
    func made(for unit: PluginUnit?, input: AudioNode?) -> AudioNode {
        let made: AudioNode =
            switch kind {
            case .player: AudioPlayerNode()
            case .mixer: AudioMixerNode()
            case .environment: AudioEnvironmentNode()
            case .unit: unit.map(Self.node) ?? AudioMixerNode()
            case .input: input ?? AudioMixerNode()
            }
        if kind != .input { made.name = id }
        return made
    }

    private static func node(_ unit: PluginUnit) -> AudioNode {
        if AudioUnitMIDIInstrument.plays(unit.component) { return AudioUnitMIDIInstrument(unit) }
        return unit.unitDescription.flags.contains(.stretchesTime) ? AudioUnitStretch(unit) : AudioUnitEffect(unit)
    }
}

extension AudioEngine {
    /// The input, if it is wanted: it comes into being when it is first asked for, and then the engine records.
    func inputNode(if isWanted: Bool) -> AudioNode? { isWanted ? inputNode : nil }
}

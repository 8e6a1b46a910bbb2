// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Edits of the graph; the engine checks each as a whole, and makes all of its changes or none. Any thread but the render thread.

import LinuxSystem
import PluginHosting
import RateConversion
import Rendering

/// The bus of a node at one end of a connection.
public struct AudioConnectionPoint: Sendable {
    /// The node.
    @_disfavoredOverload public let node: AudioNode
    /// The node's input bus; nil for the first free bus of a mixer, and for bus 0 of another node.
    @_disfavoredOverload public let bus: Int?

    /// Makes a connection point from a node and a bus.
    public init(node: AudioNode, bus: Int? = nil) {
        self.node = node
        self.bus = bus
    }

    /// The same as `node` and `bus`, for modules in which other properties have these names.
    package var owner: AudioNode { node }
    package var number: Int? { bus }
}

/// An output bus, and all that it leads to.
package struct AudioOutputConnections {
    let node: AudioNode
    let bus: Int
    let destinations: [AudioConnectionPoint]
    let format: AudioFormat?

    /// Connects a bus to these destinations; `format` is as for two buses.
    package init(_ node: AudioNode, bus: Int, to destinations: [AudioConnectionPoint], format: AudioFormat?) {
        (self.node, self.bus, self.destinations, self.format) = (node, bus, destinations, format)
    }
}

extension AudioEngine {
    /// Makes several edits as one: all are heard in the same cycle, or none is made.
    ///
    /// Throws the error of `body`. It also throws the error of an `attach`, `detach` or `disconnect…` in it that did not throw.
    @discardableResult
    public func edit(_ body: () throws -> Void) throws -> EditTicket {
        var failure: (any Error)?
        do throws(AudioEngineError) {
            return try transaction("edit the graph") { () throws(AudioEngineError) in
                do {
                    try body()
                } catch {
                    failure = error
                    throw error as? AudioEngineError ?? .wrongState(act: "edit the graph", state: "unchanged")
                }
                try throwKept()
            }
        } catch {
            throw failure ?? error
        }
    }

    /// Makes several edits that throw only the engine's errors; a failure names the act if no inner edit does.
    @discardableResult
    package func edit(
        _ act: String, _ body: () throws(AudioEngineError) -> Void
    ) throws(AudioEngineError) -> EditTicket {
        try transaction(act) { () throws(AudioEngineError) in
            try body()
            try throwKept()
        }
    }

    /// Attaches a node to the engine.
    ///
    /// Fails with `alreadyAttached` or `attachedElsewhere`. Fails with `unit` for a unit without buses, which renders as soon as it is
    /// attached.
    @discardableResult
    @_disfavoredOverload
    public func attach(_ node: AudioNode) -> Result<EditTicket, AudioEngineError> {
        keeping {
            () throws(AudioEngineError) in
            try transaction("attach \"\(node.name)\"") { () throws(AudioEngineError) in
                try node.claim(for: self)
                let gain = state.withLock { state in
                    state.graph.attach(node)
                    return state.otherAudioGain
                }
                node.body.mixing?.duck(to: gain)
                try node.body.didAttach(node, to: self)
            }
        }
    }

    /// Attaches many nodes in one edit, in a time that grows with their number.
    package func attach(all nodes: [AudioNode]) throws(AudioEngineError) {
        _ = try transaction("attach nodes") { () throws(AudioEngineError) in
            for node in nodes {
                try node.claim(for: self)
                let gain = state.withLock { state in
                    state.graph.attach(node)
                    return state.otherAudioGain
                }
                node.body.mixing?.duck(to: gain)
                try node.body.didAttach(node, to: self)
            }
        }
    }

    /// Makes the connections of many output buses in one edit, in a time that grows with their number.
    ///
    /// Formats and errors are as for two buses.
    package func connect(all outputs: [AudioOutputConnections]) throws(AudioEngineError) {
        _ = try transaction("connect nodes") { () throws(AudioEngineError) in
            try state.withLock { state throws(AudioEngineError) in
                for output in outputs {
                    let source = state.graph.soundSource(of: output.node)
                    try Self.connect(source, output.bus, output.destinations, output.format, &state)
                }
            }
        }
    }

    /// Disconnects a node and detaches it from the engine.
    ///
    /// A unit keeps its process; it gives up its render resources after it has faded out. Fails with `notAttached`, or `cannotDetach` for
    /// the output.
    @discardableResult
    @_disfavoredOverload
    public func detach(_ node: AudioNode) -> Result<EditTicket, AudioEngineError> {
        keeping {
            () throws(AudioEngineError) in
            try transaction("detach \"\(node.name)\"") { () throws(AudioEngineError) in
                try node.body.willDetach(node, from: self)
                let input = try state.withLock { state throws(AudioEngineError) -> AudioInputNode? in
                    try Self.check(node, state)
                    guard node !== state.graph.outputNode else { throw .cannotDetach(node: NamedNode(node)) }
                    // Without the input there is no voice processing.
                    let followers = node === state.graph.inputNode ? state.graph.voice?.nodes ?? [] : []
                    state.graph.voice = followers.isEmpty ? state.graph.voice : nil
                    for follower in followers { state.graph.detach(follower) }
                    state.graph.detach(node)
                    if node === state.graph.mainMixerNode { state.graph.mainMixerNode = nil }
                    guard node === state.graph.inputNode else { return nil }
                    defer { state.graph.inputNode = nil }
                    return state.graph.inputNode
                }
                node.leave()
                node.body.mixing?.duck(to: 1)
                guard let input else { return }
                input.speech.watch(input)
                duckOtherAudio(to: 1)
            }
        }
    }

    /// Connects bus 0 of a node to bus 0 of another node, or to the first free input bus of a mixer.
    ///
    /// Disconnects former connections of both buses. `format` becomes the format of both buses; without one, the source's format stays. The
    /// output format of a unit does not change: its channels follow from its input. Throws `notAttached`, `noSuchBus`, `cycle`,
    /// `impossibleFormat` or `formatRefused`.
    @discardableResult
    @_disfavoredOverload
    public func connect(
        _ source: AudioNode, to destination: AudioNode, format: AudioFormat? = nil
    ) throws(AudioEngineError) -> EditTicket {
        try connect(source, to: [AudioConnectionPoint(node: destination)], fromBus: 0, format: format)
    }

    /// Connects two buses.
    ///
    /// Formats and errors are as for bus 0.
    @discardableResult
    @_disfavoredOverload
    public func connect(
        _ source: AudioNode, to destination: AudioNode, fromBus: Int, toBus: Int, format: AudioFormat? = nil
    ) throws(AudioEngineError) -> EditTicket {
        try connect(source, to: [AudioConnectionPoint(node: destination, bus: toBus)], fromBus: fromBus, format: format)
    }

    /// Connects an output bus to several input buses, in place of its former connections.
    ///
    /// Formats and errors are as for two buses.
    @discardableResult
    @_disfavoredOverload
    public func connect(
        _ source: AudioNode, to destinations: [AudioConnectionPoint], fromBus: Int, format: AudioFormat? = nil
    ) throws(AudioEngineError) -> EditTicket {
        try transaction("connect \"\(source.name)\"") { () throws(AudioEngineError) in
            try state.withLock { state throws(AudioEngineError) in
                try Self.connect(state.graph.soundSource(of: source), fromBus, destinations, format, &state)
            }
        }
    }

    /// Disconnects one input bus of a node, or all of its input buses.
    @discardableResult
    @_disfavoredOverload
    public func disconnectNodeInput(_ node: AudioNode, bus: Int? = nil) -> Result<EditTicket, AudioEngineError> {
        keeping {
            () throws(AudioEngineError) in
            try transaction("disconnect \"\(node.name)\"") { () throws(AudioEngineError) in
                try state.withLock { state throws(AudioEngineError) in
                    try Self.check(node, state)
                    if let bus { try Self.check(node, bus, isInput: true) }
                    let connected = state.graph[node].map { Array($0.inputs.keys) } ?? []
                    for bus in bus.map({ [$0] }) ?? connected { state.graph.disconnectInput(node, bus) }
                }
            }
        }
    }

    /// Disconnects one output bus of a node, or all of its output buses.
    @discardableResult
    @_disfavoredOverload
    public func disconnectNodeOutput(_ node: AudioNode, bus: Int? = nil) -> Result<EditTicket, AudioEngineError> {
        keeping {
            () throws(AudioEngineError) in
            try transaction("disconnect \"\(node.name)\"") { () throws(AudioEngineError) in
                try state.withLock { state throws(AudioEngineError) in
                    try Self.check(node, state)
                    if let bus { try Self.check(node, bus, isInput: false) }
                    let node = state.graph.soundSource(of: node)
                    let connected = state.graph[node].map { Array($0.outputs.keys) } ?? []
                    for bus in bus.map({ [$0] }) ?? connected { state.graph.disconnectOutput(node, bus) }
                }
            }
        }
    }

    /// Returns the input buses that an output bus is connected to.
    public func outputConnectionPoints(for node: AudioNode, outputBus bus: Int) -> [AudioConnectionPoint] {
        state.withLock { state in
            let links = state.graph[state.graph.soundSource(of: node)]?.outputs[bus] ?? []
            return links.filter { !$0.destination.body.isInternal }.map {
                AudioConnectionPoint(node: $0.destination, bus: $0.destinationBus)
            }
        }
    }

    /// Returns the node and the output bus that an input bus is connected to.
    public func inputConnectionPoint(for node: AudioNode, inputBus bus: Int) -> AudioConnectionPoint? {
        state.withLock { state in
            (state.graph[node]?.inputs[bus]).map { AudioConnectionPoint(node: state.graph.visible($0.source), bus: $0.sourceBus) }
        }
    }
}

// MARK: - Transactions

extension AudioEngine {
    /// Makes an edit and plays it; after an error the graph is as before.
    func transaction(_ act: String, _ body: () throws(AudioEngineError) -> Void) throws(AudioEngineError) -> EditTicket {
        try refuseOnRenderThread(act)
        return try editLock.withLock { () throws(AudioEngineError) in
            let before = state.withLock { state in
                (graph: state.graph, ticketCount: state.draft.count)
            }
            let ticket = EditTicket()
            do throws(AudioEngineError) {
                try nested { () throws(AudioEngineError) in
                    try body()
                    state.withLock { $0.draft.append(ticket) }
                    if depth.load(ordering: .relaxed) == 1 { try commit() }
                }
            } catch {
                rollBack(to: before.graph)
                let unheard = state.withLock { state in
                    let first = min(before.ticketCount, state.draft.count)
                    defer { state.draft.removeSubrange(first...) }
                    return state.draft[first...]
                }
                for ticket in unheard { ticket.resolve(at: nil) }
                throw error
            }
            // The edits of an observer are edits of their own.
            if depth.load(ordering: .relaxed) == 0 { tellObservers(since: before.graph) }
            return ticket
        }
    }

    private func nested(_ body: () throws(AudioEngineError) -> Void) throws(AudioEngineError) {
        depth.add(1, ordering: .relaxed)
        defer { depth.subtract(1, ordering: .relaxed) }
        try body()
    }

    private func rollBack(to graph: GraphState) {
        let (new, audible) = state.withLock { state in
            let new = state.graph.nodes.filter { !graph.contains($0) }
            state.graph = graph
            let departed = state.progress.standing.departed.values.map(\.node)
            return (new, Set((departed + graph.detached.map(\.node)).map { ObjectIdentifier($0) }))
        }
        for node in new { node.leave() }
        // A node that was detached a moment ago may still be rendered: it is released with its last plan.
        free(new.filter { !audible.contains(ObjectIdentifier($0)) })
        for node in graph.nodes { node.comeBack(to: self) }
    }

    /// Frees nodes that no plan has held for other engines; they may have got resources.
    private func free(_ nodes: [AudioNode]) {
        UnitResources.leave(nodes.compactMap { $0.body.resources })
        for node in nodes {
            node.body.unprepare()
            node.release(from: self)
        }
    }

    /// Returns the error of a call that does not throw, and keeps it for the next call that throws.
    private func keeping(
        _ body: () throws(AudioEngineError) -> EditTicket
    ) -> Result<EditTicket, AudioEngineError> {
        let result = Result { () throws(AudioEngineError) in try body() }
        if case .failure(let error) = result { keep(error) }
        return result
    }

    func refuseOnRenderThread(_ act: String) throws(AudioEngineError) {
        let thread = Scheduling.currentThread
        let driver = state.withLock { state -> Int32? in
            guard case .driver(let driver) = state.mode else { return nil }
            return driver.renderThreadIdentifier
        }
        guard thread != driver, thread != renderingThread.load(ordering: .relaxed) else { throw .onRenderThread(act: act) }
    }
}

// MARK: - Checks

extension AudioEngine {
    fileprivate static func check(_ node: AudioNode, _ state: State) throws(AudioEngineError) {
        guard state.graph.contains(node) else { throw .notAttached(node: NamedNode(node)) }
    }

    fileprivate static func check(_ node: AudioNode, _ bus: Int, isInput: Bool) throws(AudioEngineError) {
        let count = isInput ? node.numberOfInputs : node.numberOfOutputs
        guard (0..<count).contains(bus) else { throw .noSuchBus(node: NamedNode(node), bus: bus, isInput: isInput, count: count) }
    }

    static func connect(
        _ source: AudioNode, _ bus: Int, _ destinations: [AudioConnectionPoint], _ format: AudioFormat?, _ state: inout State
    ) throws(AudioEngineError) {
        try check(source, state)
        try check(source, bus, isInput: false)
        state.followRate()
        let engine = Self.format(of: state)
        // Buses carry the standard format, at the rate and with the channels of the given format.
        let format = format?.standard ?? state.graph[source].map { busFormat(of: $0, bus, isInput: false, engine) } ?? engine
        // A driver that has not been started may not know its rate: then `start` checks the given formats.
        let isOpen = engine.sampleRate <= 0 && format.sampleRate <= 0
        if !isOpen { try check(format, of: source, engine) }
        let former = state.graph[source]?.outputs[bus] ?? []
        state.graph.disconnectOutput(source, bus)
        if !isOpen {
            if let reason = source.body.objection(to: format, onOutput: bus) {
                throw .formatRefused(node: NamedNode(source), bus: bus, format, reason: reason)
            }
            // A unit determines its own output channels: the connection gives the destination the channels of `format`.
            let input = state.graph[source].map { busFormat(of: $0, 0, isInput: true, engine) } ?? engine
            state.graph.setFormat(source.body.outputFormat(ofBus: bus, asking: format, afterInput: input), ofOutput: bus, source)
        }
        for point in destinations {
            let destination = point.node
            try check(destination, state)
            let inputBus = point.bus ?? (destination.body.addsUp ? firstFree(state.graph[destination]?.inputs ?? [:]) : 0)
            try check(destination, inputBus, isInput: true)
            if let path = state.graph.path(from: destination, to: source) { throw .cycle(nodes: path.map { NamedNode($0) }) }
            state.graph.disconnectInput(destination, inputBus)
            let ends = (source: source, bus: bus, destination: destination, inputBus: inputBus)
            state.graph.connect(
                GraphState.Link(
                    source: source, sourceBus: bus, destination: destination, destinationBus: inputBus,
                    state: connectionState(ends, former, state)))
            if !isOpen { try spread(format, toInput: inputBus, of: destination, &state) }
        }
    }

    /// Checks the formats that were given before the driver's rate was known.
    static func checkFormats(_ state: State) throws(AudioEngineError) {
        let engine = format(of: state)
        for node in state.graph.activeNodes {
            for format in (state.graph[node]?.outputFormats ?? [:]).values { try check(format, of: node, engine) }
        }
    }

    private static func firstFree(_ inputs: [Int: GraphState.Link]) -> Int {
        (0...inputs.count).first { inputs[$0] == nil } ?? inputs.count
    }

    /// Returns the state of a connection that is made again, or a new state.
    private static func connectionState(
        _ ends: (source: AudioNode, bus: Int, destination: AudioNode, inputBus: Int), _ former: [GraphState.Link], _ state: State
    ) -> ConnectionState {
        func isSame(_ link: GraphState.Link) -> Bool {
            link.source === ends.source && link.sourceBus == ends.bus && link.destination === ends.destination
                && link.destinationBus == ends.inputBus
        }
        let same =
            former.first(where: isSame) ?? state.graph.broken.first(where: isSame)
            ?? state.progress.standing.leaving.first { isSame($0.link) }?.link
        if let same { return same.state }
        return ends.destination.body.makeConnection(from: state.graph.visible(ends.source).body.mixing)
    }

    /// Sets the format of an input bus, and the formats that follow from it.
    private static func spread(
        _ format: AudioFormat, toInput bus: Int, of node: AudioNode, _ state: inout State
    ) throws(AudioEngineError) {
        if let reason = node.body.objection(to: format, onInput: bus) {
            throw .formatRefused(node: NamedNode(node), bus: bus, format, reason: reason)
        }
        state.graph.setFormat(format, ofInput: bus, node)
        guard bus == 0 else { return }
        for (output, format) in node.body.outputFormats(afterInput: format).enumerated()
        where state.graph[node]?.outputFormats[output] != format {
            state.graph.setFormat(format, ofOutput: output, node)
            for link in state.graph[node]?.outputs[output] ?? [] {
                let isGiven = state.graph[link.destination]?.inputFormats[link.destinationBus] != nil
                // The connection converts to the format that the destination was given before.
                if isGiven, link.destination.body.objection(to: format, onInput: link.destinationBus) != nil { continue }
                try spread(format, toInput: link.destinationBus, of: link.destination, &state)
            }
        }
    }

    private static func check(_ format: AudioFormat, of node: AudioNode, _ engine: AudioFormat) throws(AudioEngineError) {
        guard (1...255).contains(format.channelCount), format.sampleRate.isFinite, format.sampleRate > 0 else {
            throw .impossibleFormat(node: NamedNode(node), format)
        }
        guard engine.sampleRate <= 0 || RateStream.ratios.contains(format.sampleRate / engine.sampleRate) else {
            throw .formatRefused(
                node: NamedNode(node), bus: 0, format,
                reason:
                    "the engine runs at \(engine.sampleRate) Hz, and rates are converted by up to 1 to \(Int(RateStream.ratios.upperBound))"
            )
        }
    }
}

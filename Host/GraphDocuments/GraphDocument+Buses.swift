// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The further buses of a graph's input and output: read, written, checked, and given to the engine. Any thread.

import AudioGraph
import Rendering

extension DriverBus: Codable {
    private enum Key: String, CodingKey {
        case channelCount = "channels"
        case name
    }

    /// Reads a name, and the channels, which are two where they are missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            channelCount: try container.decodeIfPresent(Int.self, forKey: .channelCount) ?? 2)
    }

    /// Writes the name and the channels.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(channelCount, forKey: .channelCount)
    }
}

extension GraphDocument {
    /// What is wrong with the further buses of the input and the output.
    var busDefects: [String] {
        let isWithoutInput = !inputBuses.isEmpty && !readsInput
        let shared = Set(inputBuses.map(\.name)).intersection(outputBuses.map(\.name))
        return (isWithoutInput ? ["it has \"inputBuses\", and no node of the kind \"input\""] : [])
            + defects(of: inputBuses, "input") + defects(of: outputBuses, "output")
            + shared.sorted().map { "an input bus and an output bus have the name \(GraphDocumentError.quoted($0))" }
    }

    private func defects(of buses: [DriverBus], _ side: String) -> [String] {
        guard !buses.isEmpty else { return [] }
        var defects: [String] = []
        for bus in buses where !bus.isNameOfPorts {
            defects.append(
                "an \(side) bus has a name that ports cannot have: 1 to 64 ASCII characters can, without spaces or colons")
        }
        if Set(buses.map(\.name)).count < buses.count { defects.append("two \(side) buses have the same name") }
        if buses.contains(where: { !(1...64).contains($0.channelCount) }) {
            defects.append("the \"channels\" of an \(side) bus have to be from 1 to 64")
        } else if buses.reduce(channelCount ?? 2, { $0 + $1.channelCount }) > 64 {
            defects.append("its \(side) has more than 64 channels, further buses included")
        }
        return defects
    }

    /// Explains why a connection cannot come from a bus of a node of that kind; nil if it can.
    func objectionToInput(_ source: End, of kind: Kind?) -> String? {
        guard kind == .input, let bus = source.bus, bus > inputBuses.count else { return nil }
        return "the input has no bus \(bus); name it in \"inputBuses\""
    }

    /// Why a connection cannot lead to a bus of the output; nil if it can.
    func objectionToOutput(_ destination: End) -> String? {
        guard destination.node == Self.outputID, let bus = destination.bus, bus > outputBuses.count else { return nil }
        return "the output has no bus \(bus); name it in \"outputBuses\""
    }

    /// The names of the output's further buses that no connection leads to.
    package var idleOutputBuses: [String] {
        let used = Set(connections.map(\.to).filter { $0.node == Self.outputID }.map { $0.bus ?? 0 })
        return outputBuses.indices.filter { !used.contains($0 + 1) }.map { outputBuses[$0].name }
    }

    /// Whether a connection leads to the output in the main mixer's place.
    package var leadsOut: Bool { connections.contains { $0.to.isMainOutput } }

    /// Whether a connection leads to a further bus of the output.
    package var usesFurtherOutputs: Bool { connections.contains { $0.to.node == Self.outputID && !$0.to.isMainOutput } }

    /// The names of the input's further buses that no connection comes from.
    package var idleInputBuses: [String] {
        let used = usedInputBuses
        return inputBuses.indices.filter { !used.contains($0 + 1) }.map { inputBuses[$0].name }
    }

    /// Whether the graph needs its main input: it has an input, and not only its further buses are connected.
    package var hearsMainInput: Bool { readsInput && (inputBuses.isEmpty || usedInputBuses.contains(0)) }

    /// The buses of the input that connections come from.
    private var usedInputBuses: Set<Int> {
        let ids = Set(nodes.filter { $0.kind == .input }.map(\.id))
        return Set(connections.map(\.from).filter { ids.contains($0.node) }.map { $0.bus ?? 0 })
    }

    /// Gives the engine's output the buses of the document, before anything is made.
    func nameOutputBuses(of engine: AudioEngine) throws(GraphDocumentError) {
        let output = engine.outputNode
        guard output.furtherBuses != outputBuses else { return }
        do throws(AudioEngineError) {
            try output.setFurtherBuses(outputBuses)
        } catch {
            throw .engine(error)
        }
    }

    /// Gives the engine's input the buses of the document, before anything is made.
    func nameInputBuses(of engine: AudioEngine, isOwn: Bool) throws(GraphDocumentError) {
        guard isOwn, readsInput else {
            guard inputBuses.isEmpty else {
                throw .malformed(node: nil, reason: "it has \"inputBuses\", and gets its input from another graph")
            }
            return
        }
        let input = engine.inputNode
        guard input.furtherBuses != inputBuses else { return }
        do throws(AudioEngineError) {
            try input.setFurtherBuses(inputBuses)
        } catch {
            throw .engine(error)
        }
    }
}

extension GraphDocument.End {
    /// Whether it is the output's main bus.
    package var isMainOutput: Bool { node == GraphDocument.outputID && bus ?? 0 == 0 }
}

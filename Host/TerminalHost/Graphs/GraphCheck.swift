// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the defects of a graph in a file. Main thread.

import AudioGraph
import Console
import GraphDocuments
import PluginHosting

/// A check that reads, makes and starts a graph without playing it.
struct GraphCheck {
    let path: String
    let allowances: Allowances

    func run() throws {
        let document = try GraphSetup.naming(path) { () throws(GraphDocumentError) in
            try GraphDocument.unchecked(contentsOfFile: path)
        }
        let defects = document.defects
        if let last = defects.last {
            defects.dropLast().prefix(Self.mostDefects).forEach { Terminal.printError($0) }
            throw last
        }
        let engine = AudioEngine()
        let format = AudioFormat(
            sampleRate: try document.sampleRate ?? document.firstFileRate() ?? 48_000, channelCount: document.channelCount ?? 2)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
        if document.readsInput {
            engine.inputNode.setManualRenderingInputPCMFormat(format) {
                $0.silence()
                return true
            }
        }
        let graph = try GraphSetup(path: path, document, allowances: allowances).build(into: engine)
        try engine.start()
        engine.stop()
        Terminal.print("fine: \(GraphPage.summary(of: document)), \(Decimal.text(document.length ?? graph.seconds, 2)) s")
        for sentence in graph.midiDamage + graph.mixedPorts { Terminal.print(sentence) }
        if document.length == nil, let (seconds, path) = graph.longestRest, let rest = LongRest(seconds, in: path).sentence {
            Terminal.print("\(rest): render asks for --long.")
        }
        for name in document.unheard { Terminal.print("\"\(name)\" leads nowhere: it is not heard.") }
        for name in document.idleOutputBuses { Terminal.print("Nothing leads to the output bus \"\(name)\": it is silent.") }
        for name in document.idleInputBuses { Terminal.print("The input bus \"\(name)\" leads nowhere: it is not heard.") }
    }

    /// The most sentences before the last one.
    private static let mostDefects = 20
}

extension GraphDocument {
    /// The nodes whose output has no connection.
    fileprivate var unheard: [String] {
        let sources = Set(connections.map(\.from.node))
        return nodes.map(\.id).filter { !sources.contains($0) }
    }
}

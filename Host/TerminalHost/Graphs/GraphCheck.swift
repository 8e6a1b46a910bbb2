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
        try Interruption.check("Stopped; \"\(path)\" was not checked to its end.")
        try engine.start()
        engine.stop()
        Terminal.print("fine: \(GraphPage.summary(of: document)), \(Decimal.text(document.length ?? graph.seconds, 2)) s")
        for warning in document.warnings { Terminal.print(warning) }
    }

    /// The most sentences before the last one.
    private static let mostDefects = 20
}

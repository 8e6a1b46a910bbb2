// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A graph's document and its plug-ins, before its nodes are made. Main thread.

import AudioGraph
import Console
import GraphDocuments
import PluginHosting

/// A graph that is about to be made in an engine.
struct GraphSetup {
    let path: String
    let document: GraphDocument
    private let registry: ComponentRegistry
    let allowances: Allowances

    /// Reads the document and finds its plug-ins.
    ///
    /// Throws if a plug-in is not installed or is in quarantine, because a graph without it would be another one.
    init(path: String, allowances: Allowances) throws {
        try self.init(path: path, try Self.document(path), allowances: allowances)
    }

    /// Finds the plug-ins of a document.
    init(path: String, _ document: GraphDocument, allowances: Allowances) throws {
        (self.path, self.document, self.allowances) = (path, document, allowances)
        registry = try InstalledPlugins.registry(wanting: document.wantedPlugins)
        for component in try document.components(in: registry) {
            Terminal.printLapsedRights(component)
            guard let reason = component.quarantineReason else { continue }
            throw CommandError.failed(
                "Couldn't use the graph \"\(path)\": \"\(component.name)\" is quarantined: it \(reason). "
                    + "Bring it back with: bulkhead unblock \(ShellWord.quoted(component.id))")
        }
    }

    /// Reads a document; errors name the file.
    static func document(_ path: String) throws -> GraphDocument {
        try naming(path) { () throws(GraphDocumentError) in try GraphDocument(contentsOfFile: path) }
    }

    /// Adds the file's name to the errors of a document.
    static func naming<Value>(_ path: String, _ body: () throws(GraphDocumentError) -> Value) throws -> Value {
        do throws(GraphDocumentError) {
            return try body()
        } catch .unreadable(let path, let reason) {
            throw GraphDocumentError.unreadable(path: path, reason: reason)
        } catch {
            throw CommandError.failed("\"\(path)\": \(Terminal.sentence(of: error))")
        }
    }

    /// Makes the nodes in an engine.
    func build(into engine: AudioEngine, at ends: GraphEnds? = nil) throws -> BuiltGraph {
        try document.build(into: engine, from: registry, allowing: allowances, name: path, at: ends)
    }
}

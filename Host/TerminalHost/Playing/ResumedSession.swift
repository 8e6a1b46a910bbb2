// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Resumes a kept session: reads its file, checks its plug-ins, and finds its rights. Main thread.

import AudioGraph
import Console
import Control
import GraphDocuments
import PluginHosting

/// A session from a file, before its units start.
struct ResumedSession {
    var file: SessionFile
    /// True if this user's host wrote the file.
    private let isOwn: Bool
    let registry: ComponentRegistry
    private let path: String
    /// The nodes whose units do not start.
    private let absent: Set<String>
    /// The absent units that are in quarantine.
    let leftOut: [LeftOut]

    /// Reads the session that a command kept under a name; `command` has the words that play it.
    ///
    /// Throws an error that names every missing plug-in, or prints the names of those left out.
    init(_ session: String, of command: String, skippingMissing: Bool) throws {
        guard let path = SessionAutosave.path(of: session) else {
            throw CommandError.failed("There is nothing to resume: neither XDG_STATE_HOME nor HOME is set. Set one of them.")
        }
        guard FilePath.isFile(path) else {
            throw CommandError.failed(
                "There is nothing to resume: bulkhead \(command) has not played a chain yet, or \"\(path)\" is gone.")
        }
        do throws(FileDefect) {
            file = try SessionFile(contentsOfFile: path)
        } catch {
            throw CommandError.failed("Couldn't resume the session \"\(path)\": \(error.reason).")
        }
        isOwn = file.isOwn
        let document = file.graph
        let graphs = [document] + file.scenes.map(\.graph)
        registry = try InstalledPlugins.registry(wanting: graphs.flatMap(\.wantedPlugins))
        let (missing, leftOut) = document.absences(in: registry)
        if !missing.isEmpty {
            let names = missing.map { "\"\($0.unit)\"" }.joined(separator: ", ")
            guard skippingMissing else {
                throw CommandError.failed(
                    "Couldn't resume: there is no plug-in \(names). Install what is missing, or leave it out with --skip-missing.")
            }
            Terminal.printError("The session plays without \(names): not installed.")
        }
        (self.path, self.leftOut) = (path, leftOut.map(\.leftOut))
        absent = Set(missing.map(\.node) + leftOut.map(\.node))
    }

    /// Makes the graph, and asks for rights that the user has not given.
    func build(into engine: AudioEngine, allowing allowances: Allowances, at ends: GraphEnds) throws -> BuiltGraph {
        var allowances = allowances.asking
        allowances.grant(ownUnits, in: registry)
        return try file.graph.build(
            into: engine, from: registry, allowing: allowances, name: path, at: ends, without: absent)
    }

    /// The units of the session and its scenes that had their rights when they were kept, and whose plug-ins are unchanged.
    var ownUnits: [SavedUnit] {
        guard isOwn else { return [] }
        return SavedUnit.unchanged(file.graph.savedUnits + file.scenes.flatMap(\.graph.savedUnits), in: registry)
    }
}

extension GraphDocument {
    /// The nodes whose plug-ins are not installed, and those in quarantine.
    fileprivate func absences(
        in registry: ComponentRegistry
    ) -> (missing: [(node: String, unit: String)], leftOut: [(node: String, leftOut: LeftOut)]) {
        var missing: [(node: String, unit: String)] = []
        var leftOut: [(node: String, leftOut: LeftOut)] = []
        for (index, (node, unit)) in zip(unitNodes, savedUnits).enumerated() {
            guard let component = try? registry.component(named: unit.id) else {
                missing.append((node, unit.name))
                continue
            }
            guard let reason = component.quarantineReason else { continue }
            leftOut.append(
                (node, LeftOut(id: component.id, name: component.name, reason: reason, index: index, saved: unit)))
        }
        return (missing, leftOut)
    }
}

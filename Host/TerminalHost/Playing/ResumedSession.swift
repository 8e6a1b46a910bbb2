// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A session that is brought back: its file, plug-ins that are missing or in quarantine, and rights. Main thread.

import AudioGraph
import Console
import Control
import GraphDocuments
import PluginHosting

/// A session from a file, before its units are started.
struct ResumedSession {
    var file: SessionFile
    /// Whether this user's host wrote the file.
    private let isOwn: Bool
    private let registry: ComponentRegistry
    private let path: String
    /// The nodes whose units are not started.
    private let absent: Set<String>
    /// Those of them that are in quarantine.
    let leftOut: [LeftOut]

    /// Reads what a command kept under a name; `command` are the words that play it.
    ///
    /// Throws an error that names every missing plug-in, or prints which ones are left out.
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

    /// Makes the graph; rights that the user has not given are asked for.
    func build(into engine: AudioEngine, allowing allowances: Allowances, at ends: GraphEnds) throws -> BuiltGraph {
        var allowances = allowances.asking
        allowances.grant(ownUnits)
        return try file.graph.build(
            into: engine, from: registry, allowing: allowances, name: path, at: ends, without: absent)
    }

    /// The units of the session and of its scenes whose rights the user gave before they were kept, and whose plug-ins are as they were.
    var ownUnits: [SavedUnit] {
        guard isOwn else { return [] }
        return SavedUnit.unchanged(file.graph.savedUnits + file.scenes.flatMap(\.graph.savedUnits), in: registry)
    }
}

extension GraphDocument {
    /// The units whose plug-ins are not installed, and those that are in quarantine.
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

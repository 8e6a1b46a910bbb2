// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A captured performance as it is read from its folder, and its graph made in an engine again. Main thread.

import AudioFiles
import AudioGraph
import Control
import PluginHosting

/// A performance in a folder.
struct CapturedPerformance {
    let folder: CaptureFolder
    let facts: CaptureFacts
    let file: SessionFile
    let events: [CapturedEvent]
    /// What was heard.
    let heard: AudioFileReader
    /// What came in; nil where the graph reads nothing.
    let input: AudioFileReader?
    private let registry: ComponentRegistry

    /// Reads a folder, and looks for the plug-ins.
    init(_ path: String) throws {
        let folder = CaptureFolder(path)
        self.folder = folder
        facts = try Self.reading(folder.facts) { () throws(FileDefect) in try CaptureFacts(contentsOfFile: folder.facts) }
        file = try Self.reading(folder.session) { () throws(FileDefect) in try SessionFile(contentsOfFile: folder.session) }
        events = try Self.reading(folder.events) { () throws(FileDefect) in try CapturedEvent.events(inFile: folder.events) }
        heard = try AudioFileReader(path: folder.output)
        input = file.graph.readsInput ? try AudioFileReader(path: folder.input) : nil
        registry = try InstalledPlugins.registry(wanting: file.graph.wantedPlugins)
        try checkPlugins()
    }

    private static func reading<Value>(_ path: String, _ body: () throws(FileDefect) -> Value) throws -> Value {
        do throws(FileDefect) {
            return try body()
        } catch {
            throw CommandError.failed("Couldn't read the capture's file \"\(path)\": \(error.reason).")
        }
    }

    /// Throws where a plug-in is missing, in quarantine, or another version.
    private func checkPlugins() throws {
        for unit in file.graph.savedUnits {
            guard let component = try? registry.component(named: unit.id) else {
                throw failed("there is no plug-in \"\(unit.name)\" here; install it")
            }
            if let reason = component.quarantineReason {
                throw failed(
                    "\"\(component.name)\" is quarantined: it \(reason). Bring it back with: bulkhead unblock "
                        + ShellWord.quoted(component.id))
            }
        }
    }

    /// Makes the graph in an engine that renders in `format`.
    func build(into engine: AudioEngine, _ format: AudioFormat, allowing allowances: Allowances) throws -> BuiltGraph {
        var allowances = allowances.asking
        if file.isOwn { allowances.grant(file.graph.savedUnits) }
        let graph = try file.graph.build(
            into: engine, from: registry, allowing: allowances, name: folder.session, at: .scene("chain", format: format))
        if facts.loopsSong, let song = file.graph.midi?.files.first {
            let length = try MIDISongFile(path: file.graph.path(of: song)).lengthInBeats
            if length > 0 { engine.transport.loopRange = 0..<length }
        }
        for (unit, saved) in zip(graph.units, file.graph.savedUnits) {
            let version = unit.unit.unitDescription.version.description
            guard version == saved.version else {
                throw failed("it was played with \"\(saved.name)\" \(saved.version), and \(version) is installed")
            }
        }
        return graph
    }

    /// The frame up to which the performance is known, and whether it was completed.
    var end: (frame: Int64, isComplete: Bool) {
        if let end = events.last(where: { $0.event == .end }) { return (end.frame, true) }
        // What happened after the last line is not known.
        return (min(Int64(heard.format.frameCount), events.last?.frame ?? 0), false)
    }

    func failed(_ reason: String) -> CommandError { .failed("Couldn't replay \"\(folder.path)\": \(reason).") }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The start of a playing command: the chain of its arguments, or a kept session. Main thread.

import AudioGraph
import Confinement
import Console
import GraphDocuments
import PluginHosting

/// The first graph of a session, before an engine has it.
enum SessionStart {
    /// A chain whose units have been started.
    case started(ChainArguments, [HostedUnit], leftOut: [LeftOut])
    /// A session from a file.
    case resumed(ResumedSession, ChainArguments)
    /// A graph from a file.
    case graph(GraphSetup)

    /// Resumes a kept session, or starts the units of a chain.
    static func chain(
        _ arguments: ChainArguments, resuming resumed: ResumedSession? = nil, playedBy source: SessionSource
    ) throws -> SessionStart {
        if !ConfinementOffer.current.gaps.isEmpty {
            Terminal.printError(
                "This machine confines plug-ins less than it could. What is missing, and what to change: bulkhead doctor")
        }
        return try resumed.map { .resumed($0, arguments) } ?? chain(arguments, playedBy: source)
    }

    /// Starts the units of a chain.
    private static func chain(_ arguments: ChainArguments, playedBy source: SessionSource) throws -> SessionStart {
        let (complete, registry) = try arguments.completed()
        let divided = try source.song.map { try complete.divided(byPortsOf: $0, in: registry) } ?? complete
        let (arguments, leftOut) = try divided.withoutQuarantined(registry)
        if let text = source.midiSentence {
            // An instrument in quarantine explains the failure better.
            if !leftOut.isEmpty, arguments.effects.isEmpty { throw CommandError.failed(leftOut[0].sentence) }
            try arguments.checkInstruments(of: text, in: registry)
        }
        try arguments.checkMIDIOptions(in: registry)
        return .started(arguments, try arguments.instantiate(from: registry), leftOut: leftOut)
    }

    /// The quarantined effects, which were not started.
    var leftOut: [LeftOut] {
        switch self {
        case .started(_, _, let leftOut): leftOut
        case .resumed(let session, _): session.leftOut
        case .graph: []
        }
    }

    /// True for a chain, whose connections all have the speakers of its source; a graph has connections of its own.
    var isChain: Bool { if case .graph = self { false } else { true } }

    /// The rights that the user allows.
    var allowances: Allowances {
        switch self {
        case .started(let arguments, _, _): return arguments.allowances
        case .resumed(let session, let arguments):
            var allowances = arguments.allowances
            allowances.grant(session.ownUnits, in: session.registry)
            return allowances
        case .graph(let setup): return setup.allowances
        }
    }

    /// The scenes and the name of a kept session; nil for any other start.
    var resumed: ResumedSession? { if case .resumed(let session, _) = self { session } else { nil } }

    /// Tells the engine of the MIDI ports of the graph, so that the driver makes them at once.
    func namePorts(of engine: AudioEngine) {
        switch self {
        case .started: break
        case .resumed(let session, _): engine.midiInput.takePortNames(of: session.file.graph)
        case .graph(let setup): engine.midiInput.takePortNames(of: setup.document)
        }
    }

    /// Makes the graph in an engine, behind the connected source.
    func build(into engine: AudioEngine, behind source: ConnectedSource, _ format: AudioFormat) throws -> BuiltGraph {
        let (kind, songs) = (source.kind, source.songs)
        let ends = GraphEnds.scene("chain", input: source.input, format: format)
        switch self {
        case .started(let arguments, let started, let leftOut):
            let (document, units) = try arguments.graph(of: started, leftOut: leftOut, playedBy: kind)
            return try document.build(into: engine, starting: units, songs: songs, at: ends)
        case .resumed(var session, let arguments):
            // The session may have played another file.
            if let song = songs.first, session.file.graph.midi?.files.isEmpty == false {
                session.file.graph.midi?.files[0].path = FilePath.absolute(song.path)
            }
            return try session.build(into: engine, allowing: arguments.allowances, at: ends)
        case .graph(let setup): return try setup.build(into: engine, at: .scene("graph"))
        }
    }
}

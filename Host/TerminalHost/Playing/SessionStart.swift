// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a playing command begins with: the chain of its arguments, or a session that was kept. Main thread.

import AudioGraph
import GraphDocuments
import PluginHosting

/// The graph that a session begins with, before it is made in an engine.
enum SessionStart {
    /// A chain whose units have been started.
    case started(ChainArguments, [HostedUnit], leftOut: [LeftOut])
    /// A session from a file.
    case resumed(ResumedSession, ChainArguments)

    /// Starts the units of a chain.
    static func chain(_ arguments: ChainArguments, playedBy source: SessionSource) throws -> SessionStart {
        let (complete, registry) = try arguments.completed()
        let (arguments, leftOut) = try complete.withoutQuarantined(registry)
        if let text = source.midiSentence {
            // An instrument in quarantine is the better reason.
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
        }
    }

    /// What the user allows.
    var allowances: Allowances {
        switch self {
        case .started(let arguments, _, _): return arguments.allowances
        case .resumed(let session, let arguments):
            var allowances = arguments.allowances
            allowances.grant(session.ownUnits)
            return allowances
        }
    }

    /// Makes the graph in an engine.
    func build(
        into engine: AudioEngine, playedBy source: ChainSource, _ songs: [MIDISongFile], at ends: GraphEnds
    ) throws -> BuiltGraph {
        switch self {
        case .started(let arguments, let started, let leftOut):
            let (document, units) = try arguments.graph(of: started, leftOut: leftOut, playedBy: source)
            return try document.build(into: engine, starting: units, songs: songs, at: ends)
        case .resumed(var session, let arguments):
            // The session may have been played with another file.
            if let song = songs.first, session.file.graph.midi?.files.isEmpty == false {
                session.file.graph.midi?.files[0].path = FilePath.absolute(song.path)
            }
            return try session.build(into: engine, allowing: arguments.allowances, at: ends)
        }
    }
}

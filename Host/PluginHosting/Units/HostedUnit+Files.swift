// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Files that a unit's texts name: it may read those, and has to be started anew to be able to. Control threads.

import AudioUnits
import ControlMessages
import LinuxSystem

extension HostedUnit {
    /// The files that texts name, among those texts that are paths.
    private func files(in texts: [String: String]) -> Set<String> {
        let paths = self.texts.filter { $0.kind == .path }.compactMap { texts[$0.identifier] }
        return Set(paths.filter(Self.namesAFile))
    }

    private static func namesAFile(_ text: String) -> Bool { text.hasPrefix("/") && text != "/" }

    /// The files that its texts name and its user has named: those that its next process is let read beside what it may read anyway.
    /// If the unit could name any, it would choose its rights by what it says of itself.
    func ownFiles(in texts: [String: String]) -> Set<String> {
        files(in: texts).intersection(state.withLock { $0.namedFiles })
    }

    /// A state as the unit has said it, without the texts that could name files which it cannot have read.
    ///
    /// What is to be kept is the user's word when it is loaded. So it holds no path but those that the user has set, and those that every
    /// process of this plug-in may read whatever its user grants it. That is so for all texts: which of them are paths is for the
    /// unit to say, and it may say so later.
    func credible(_ said: FullState, isToBeKept: Bool = false) -> FullState {
        // In memory it is given back to one that nothing keeps from reading, or that is not started anew.
        guard isToBeKept || unitProcess != nil && component.profile != .off else { return said }
        let (named, set) = state.withLock { ($0.namedFiles, $0.setTexts) }
        let foreign = said.texts.filter { Self.namesAFile($0.value) && !named.contains($0.value) && set[$0.key] != $0.value }
        guard !foreign.isEmpty else { return said }
        var judged = component
        if isToBeKept { (judged.profile, judged.granted) = (ConfinementProfile(for: component.format), []) }
        let confinement = judged.confinement(reading: named)
        var credible = said
        for (identifier, path) in foreign where confinement?.permitsReading(path) == false { credible.texts[identifier] = nil }
        return credible
    }

    /// Asks something that these texts go with, which are the host's user's, and sees to it that the unit can read the files that
    /// they name.
    func ask(
        _ message: HostMessage, admitting texts: [String: String], act: String
    ) throws(HostingError) -> PluginMessage {
        let answer = try moveAndAsk(message, admitting: texts, act: act)
        state.withLock { state in
            state.namedFiles.formUnion(files(in: texts))
            state.setTexts.merge(texts) { $1 }
        }
        return answer
    }

    /// A process that has been confined is never let further out. One that needs more is replaced by one that was born with
    /// it, and whoever lives in it has the same state there; that takes some milliseconds, so not while one of them renders.
    /// They all move, and only when the unit has taken what it was asked: else all of them stay where they are.
    private func moveAndAsk(
        _ message: HostMessage, admitting texts: [String: String], act: String
    ) throws(HostingError) -> PluginMessage {
        guard let unitProcess, component.profile != .off else { return try ask(message, act: act) }
        let residents = unitProcess.residents
        let wanted = residents.reduce(files(in: texts)) { $0.union($1.knownFiles) }
        guard !wanted.isSubset(of: unitProcess.readableFiles) else { return try ask(message, act: act) }
        guard residents.allSatisfy({ $0.isIdle }) else {
            throw .cannotReadWhilePlaying(unit: name, id: component.id, act: act)
        }
        let next = unitProcess.makeSuccessor()
        var moves: [(unit: HostedUnit, connection: ExtensionConnection)] = []
        for unit in residents {
            let state = try unit.currentState(act: act)
            let (connection, _) = try next.open(unit.component, act: act, reading: wanted, mustJoin: !moves.isEmpty)
            _ = try unit.ask(.restoreState(state), act: act, over: connection)
            moves.append((unit, connection))
        }
        let answer = try ask(message, act: act, over: moves.first { $0.unit === self }?.connection)
        unitProcess.become(next)
        for (unit, connection) in moves { unit.state.withLock { $0.connection = connection } }
        return answer
    }

    /// The files that the texts name which it has.
    private var knownFiles: Set<String> { ownFiles(in: state.withLock { $0.texts }) }

    private var isIdle: Bool { state.withLock { $0.lifecycle.state == .instantiated } }

    private func currentState(act: String) throws(HostingError) -> FullState {
        guard case .state(let saved) = try ask(.saveState, act: act) else {
            throw .fault(unit: name, act: act, .protocolViolation("it answered a question with something else"))
        }
        return saved
    }
}

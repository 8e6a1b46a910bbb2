// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The files in a unit's texts: the unit may read them, and is restarted to get that right. Control threads.

import AudioUnits
import ControlMessages
import LinuxSystem

extension HostedUnit {
    /// The files in those texts that are paths.
    private func files(in texts: [String: String]) -> Set<ExactPath> {
        let paths = self.texts.filter { $0.kind == .path }.compactMap { texts[$0.identifier] }
        // The plug-in can read its own folder in any case. An update could make a file there a link, and a right would follow the
        // link.
        let foreign = (Component.folders(of: component.format) + [component.home, component.bundlePath]).map { ExactPath($0) }
        let files = paths.filter(Self.namesAFile).map { ExactPath($0) }
        return Set(files.filter { file in !foreign.contains { file.isBelow($0) } })
    }

    private static func namesAFile(_ text: String) -> Bool { text.hasPrefix("/") && text != "/" }

    /// The files that the unit's next process may read in addition: its texts and the user must both name them.
    ///
    /// If the unit could name any file, it would choose its own rights.
    func ownFiles(in texts: [String: String]) -> Set<ExactPath> {
        files(in: texts).intersection(state.withLock { $0.namedFiles })
    }

    /// The unit's state, without texts that may name files which the unit cannot have read.
    ///
    /// A saved state counts as the user's choice when it is loaded. So it holds only paths that the user has set, and paths that
    /// every process of this plug-in may read without a grant. That applies to all texts: the unit declares which of them are
    /// paths, and may do so later.
    ///
    /// Texts that it has not declared are dropped as well: it could keep any number of them in the host.
    func credible(_ said: FullState, isToBeKept: Bool = false) -> FullState {
        var said = said
        let declared = Set(self.texts.map(\.identifier))
        if !said.texts.keys.allSatisfy(declared.contains) { said.texts = said.texts.filter { declared.contains($0.key) } }
        // A state in memory goes back to a unit that is not confined, or is not restarted.
        guard isToBeKept || unitProcess != nil && component.profile != .off else { return said }
        let (named, set) = state.withLock { ($0.namedFiles, $0.setTexts) }
        let foreign = said.texts.filter { identifier, text in
            Self.namesAFile(text) && !named.contains(ExactPath(text)) && set[identifier].map { ExactPath($0) } != ExactPath(text)
        }
        guard !foreign.isEmpty else { return said }
        var judged = component
        if isToBeKept { (judged.profile, judged.granted) = (ConfinementProfile(for: component.format), []) }
        let confinement = judged.confinement(reading: named)
        var credible = said
        for (identifier, path) in foreign where confinement?.permitsReading(path) == false { credible.texts[identifier] = nil }
        return credible
    }

    /// Sends a request with texts that the user has set, and lets the unit read the files that they name.
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

    /// Moves the units of the process to a new one with more rights, if the files need that, and sends the request there.
    ///
    /// The confinement of a running process is never widened. The move takes some milliseconds, so that no unit may render
    /// meanwhile. All units move with their states, but only if the unit accepts the request; otherwise all stay.
    private func moveAndAsk(
        _ message: HostMessage, admitting texts: [String: String], act: String
    ) throws(HostingError) -> PluginMessage {
        guard let unitProcess, component.profile != .off else { return try ask(message, act: act) }
        let residents = unitProcess.residents
        let wanted = residents.reduce(files(in: texts)) { $0.union($1.knownFiles) }
        // A file in a folder that the plug-in may read needs no right of its own.
        let own = component.confinement()
        guard !wanted.subtracting(unitProcess.readableFiles).allSatisfy({ own?.permitsReading($0.text) == true }) else {
            return try ask(message, act: act)
        }
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

    /// The files in the unit's present texts.
    private var knownFiles: Set<ExactPath> { ownFiles(in: state.withLock { $0.texts }) }

    private var isIdle: Bool { state.withLock { $0.lifecycle.state == .instantiated } }

    private func currentState(act: String) throws(HostingError) -> FullState {
        guard case .state(let saved) = try ask(.saveState, act: act) else {
            throw .fault(unit: name, act: act, .protocolViolation("it answered a question with something else"))
        }
        return saved
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Files that a unit's texts name: it may read those, and has to be started anew to be able to. Control threads.

import AudioUnits
import ControlMessages
import LinuxSystem

extension HostedUnit {
    /// The files that texts name, among those texts that are paths.
    func files(in texts: [String: String]) -> Set<String> {
        let paths = self.texts.filter { $0.kind == .path }.compactMap { texts[$0.identifier] }
        return Set(paths.filter { $0.hasPrefix("/") && $0 != "/" })
    }

    /// Sees to it that the unit can read the files that these texts name.
    ///
    /// A process that has been confined is never let further out. One that needs more is replaced by one that was born with
    /// it, and whoever lives in it has the same state there; that takes some milliseconds, so not while one of them renders.
    func admitFiles(in texts: [String: String], act: String) throws(HostingError) {
        guard let unitProcess, component.profile != .off else { return }
        let residents = unitProcess.residents
        let wanted = residents.reduce(files(in: texts)) { $0.union($1.knownFiles) }
        guard !wanted.isSubset(of: unitProcess.readableFiles) else { return }
        guard residents.allSatisfy({ $0.isIdle }) else {
            throw .refused(
                unit: name, act: act,
                reason: "it cannot be given another file to read while it plays. Set it before, or let it read the folder: "
                    + "bulkhead grant \(ShellWord.quoted(component.id)) --read FOLDER")
        }
        var saved: [(unit: HostedUnit, state: FullState)] = []
        for unit in residents { saved.append((unit, try unit.currentState(act: act))) }
        for (index, (unit, state)) in saved.enumerated() {
            let (connection, _) = try unitProcess.open(unit.component, act: act, reading: wanted, isAnew: index == 0)
            unit.state.withLock { $0.connection = connection }
            _ = try unit.ask(.restoreState(state), act: act)
        }
    }

    /// The files that the texts name which it has.
    private var knownFiles: Set<String> { files(in: state.withLock { $0.texts }) }

    private var isIdle: Bool { state.withLock { $0.lifecycle.state == .instantiated } }

    private func currentState(act: String) throws(HostingError) -> FullState {
        guard case .state(let saved) = try ask(.saveState, act: act) else {
            throw .fault(unit: name, act: act, .protocolViolation("it answered a question with something else"))
        }
        return saved
    }
}

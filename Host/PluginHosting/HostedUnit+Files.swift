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
    /// it and has the same state, which takes some milliseconds; so not while it renders.
    func admitFiles(in texts: [String: String], act: String) throws(HostingError) {
        let wanted = files(in: texts).union(files(in: state.withLock { $0.texts }))
        let (known, isIdle) = state.withLock { ($0.readableFiles, $0.lifecycle.state == .instantiated) }
        guard isolation == .outOfProcess, component.profile != .off, !wanted.isSubset(of: known) else { return }
        guard isIdle else {
            throw .refused(
                unit: name, act: act,
                reason: "it cannot be given another file to read while it plays. Set it before, or let it read the folder: "
                    + "bulkhead grant \(ShellWord.quoted(component.id)) --read FOLDER")
        }
        guard case .state(let saved) = try ask(.saveState, act: act) else {
            throw .fault(unit: name, act: act, .protocolViolation("it answered a question with something else"))
        }
        let connection: ExtensionConnection
        do throws(PluginFault) {
            connection = try ExtensionConnection(
                executable: component.executablePath, confinement: component.confinement(reading: wanted), adding: addition)
        } catch {
            throw .fault(unit: name, act: act, error)
        }
        _ = try Self.greet(connection, component)
        state.withLock { state in
            state.connection = connection
            state.readableFiles = wanted
        }
        _ = try ask(.restoreState(saved), act: act)
    }
}

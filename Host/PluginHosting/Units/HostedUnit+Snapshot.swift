// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The state of a unit, kept while it plays, and given back after its death. Control threads.

import AudioUnits
import ControlMessages
import Synchronization

/// What a unit that is started anew has to be given.
struct RestorableState {
    var state: FullState
    /// What was changed since, in its order.
    var changes: [ParameterSetting]
    /// What to try when the unit refuses its own state: the values alone, as the host knows them.
    var values: FullState
}

extension HostedUnit {
    /// Milliseconds that a unit has to say its state unasked for. One that takes longer is asked again later.
    private static let snapshotTimeout: Int32 = 2000
    /// Changes in one message.
    static let changesInMessage = 1000

    /// Asks the unit for its state, if that has changed since the last time and nothing is on its way to it; what is wrong
    /// with its answer. Nil if it has not been asked.
    func takeSnapshot() -> Result<Void, PluginFault>? {
        guard wantsSnapshot else { return nil }
        let (connection, isWhole) = state.withLock { ($0.connection, $0.isWhole) }
        guard isWhole else { return nil }
        var result = Result<Void, PluginFault>.success(())
        journal.snapshot { () -> FullState? in
            do throws(PluginFault) {
                let answer = try connection.ask(.saveState, descriptors: [], timeoutMilliseconds: Self.snapshotTimeout)
                if case .state(let said) = answer { return credible(said) }
                // It may be unable to say it just now.
                if case .refused = answer { return nil }
                throw .protocolViolation("it answered a question with something else")
            } catch {
                result = .failure(error)
                return nil
            }
        } keep: { (saved: FullState) in
            state.withLock { state in
                // A process that has taken its place meanwhile has not been given its state yet, perhaps.
                guard state.connection === connection, state.isWhole else { return false }
                state.keep(saved)
                return true
            }
        }
        return result
    }

    /// Whether its state has changed since the last snapshot, and all that was to change it has reached it.
    var wantsSnapshot: Bool {
        journal.isDirty && !mailbox.hasPendingCommands && !hasUnsentValues.load(ordering: .acquiring)
    }

    /// What the unit needs to go on where it is, as far as the host knows.
    var restorableState: RestorableState {
        settleSchedule()
        let known = knownState
        var values = known
        values.custom = []
        guard let snapshot = state.withLock({ $0.snapshot }) else {
            return RestorableState(state: known, changes: [], values: values)
        }
        return RestorableState(state: snapshot, changes: journal.changes, values: values)
    }

    /// Gives a new process what the old one had. Before it has resources.
    func giveBack(_ restorable: RestorableState) throws(HostingError) {
        do throws(HostingError) {
            _ = try ask(.restoreState(restorable.state), act: "restore the state of")
        } catch .refused {
            // What a unit says of itself need not be true.
            _ = try ask(.restoreState(restorable.values), act: "restore the state of")
        }
        var rest = restorable.changes[...]
        while !rest.isEmpty {
            _ = try ask(.setParameters(Array(rest.prefix(Self.changesInMessage))), act: "restore the state of")
            rest = rest.dropFirst(Self.changesInMessage)
        }
    }
}

extension HostedUnit.State {
    /// Takes over a credible state that the unit itself has said, unless it is still to be given its own.
    mutating func keep(_ saved: FullState) {
        guard isWhole else { return }
        snapshot = saved
        texts = saved.texts
        custom = saved.custom
    }
}

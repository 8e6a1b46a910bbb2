// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The state of a unit, kept while it renders, and restored after its death. Control threads.

import AudioUnits
import ControlMessages
import Synchronization

/// The state for a restarted unit.
struct RestorableState {
    var state: FullState
    /// The changes since that state, in their order.
    var changes: [ParameterSetting]
    /// The fallback if the unit refuses its own state: only the values, as the host knows them.
    var values: FullState
}

extension HostedUnit {
    /// The milliseconds that a unit has to save its state.
    ///
    /// After that the host asks again later.
    private static let snapshotTimeout: Int32 = 2000
    /// The most changes in one message.
    static let changesInMessage = 1000

    /// Asks the unit for its state, if it has changed since the last snapshot and no change is on its way.
    ///
    /// The result holds the reply's fault; it is nil if the unit was not asked.
    func takeSnapshot() -> Result<Void, PluginFault>? {
        guard wantsSnapshot else { return nil }
        let (connection, isWhole) = state.withLock { ($0.connection, $0.isWhole) }
        guard isWhole else { return nil }
        var result = Result<Void, PluginFault>.success(())
        journal.snapshot { () -> FullState? in
            do throws(PluginFault) {
                let answer = try connection.ask(.saveState, descriptors: [], timeoutMilliseconds: Self.snapshotTimeout)
                if case .state(let said) = answer { return credible(said) }
                // The unit may be unable to save its state at this moment.
                if case .refused = answer { return nil }
                throw .protocolViolation("it answered a question with something else")
            } catch {
                result = .failure(error)
                return nil
            }
        } keep: { (saved: FullState) in
            state.withLock { state in
                // A new process may not have its state yet.
                guard state.connection === connection, state.isWhole else { return false }
                state.keep(saved)
                return true
            }
        }
        return result
    }

    /// True if the state has changed since the last snapshot, and all changes have reached the unit.
    var wantsSnapshot: Bool {
        journal.isDirty && !mailbox.hasPendingCommands && !hasUnsentValues.load(ordering: .acquiring)
    }

    /// The state with which the unit continues after a restart, as the host knows it.
    var restorableState: RestorableState { restorableState(holdingSchedule: false) }

    /// The state with which the unit continues from its present place.
    ///
    /// With `holdingSchedule` no change comes due before `scheduled.release()`.
    func restorableState(holdingSchedule: Bool) -> RestorableState {
        settleSchedule(holding: holdingSchedule)
        let known = knownState
        var values = known
        values.custom = []
        guard let snapshot = state.withLock({ $0.snapshot }) else {
            return RestorableState(state: known, changes: [], values: values)
        }
        return RestorableState(state: snapshot, changes: journal.changes, values: values)
    }

    /// Gives a new process the state of the one before, before it has resources.
    func giveBack(_ restorable: RestorableState) throws(HostingError) {
        do throws(HostingError) {
            _ = try ask(.restoreState(restorable.state), act: "restore the state of")
        } catch .refused {
            // The state that a unit reports need not be valid.
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
    /// Keeps a credible state that the unit has reported, unless the unit still lacks its own.
    mutating func keep(_ saved: FullState) {
        guard isWhole else { return }
        snapshot = saved
        texts = saved.texts
        custom = saved.custom
    }
}

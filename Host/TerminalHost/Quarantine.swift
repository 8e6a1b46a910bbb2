// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plug-ins that died too often: left out of a chain, remembered, brought back. Main thread.

import Console
import PluginHosting

/// An effect that is not started, and why.
struct LeftOut: Encodable, Equatable {
    let id, name, reason: String
    /// Where it would be in the chain, from 0, and what it was when it was saved; nil for one that words ask for.
    let index: Int
    let saved: SavedUnit?

    private enum CodingKeys: CodingKey {
        case id, name, reason
    }

    /// What to say of it.
    var sentence: String {
        "\"\(name)\" is in quarantine: it \(reason). What goes into it is passed on. Bring it back with: "
            + "bulkhead unblock \(ShellWord.quoted(id))"
    }
}

extension ChainArguments {
    /// The effects that may be started, and those that are in quarantine.
    func withoutQuarantined(
        _ registry: ComponentRegistry
    ) throws -> (arguments: ChainArguments, leftOut: [LeftOut]) {
        var leftOut: [LeftOut] = []
        var kept: [EffectRequest] = []
        for (index, effect) in effects.enumerated() {
            let component = try registry.component(named: effect.id)
            if let reason = component.quarantineReason {
                leftOut.append(
                    LeftOut(id: component.id, name: component.name, reason: reason, index: index, saved: effect.saved?.unit))
            } else {
                kept.append(effect)
            }
        }
        return (replacing(effects: kept), leftOut)
    }
}

/// Keeps in the user's settings which units of a chain are in quarantine.
struct QuarantineKeeper {
    private var remembered: Set<String> = []

    /// Remembers those that have been put into quarantine since the last call. What cannot be remembered is said once.
    mutating func remember(_ chain: UnitChain) {
        for member in chain.members where member.isQuarantined && remembered.insert(member.unit.component.id).inserted {
            change { $0.quarantine(member.unit.component.id, because: member.quarantineReason) }
        }
    }

    /// Has all those of a chain started anew, and forgets that they died.
    mutating func release(_ chain: UnitChain) {
        for member in chain.members where member.isQuarantined {
            let id = member.unit.component.id
            remembered.remove(id)
            change { $0.release(id) }
            member.readmit()
        }
    }

    private func change(_ body: (inout PluginSettings) -> Bool) {
        do {
            _ = try Installation.current.changeSettings(isStopped: { Interruption.isRequested }, body)
        } catch {
            Terminal.printError(error)
        }
    }
}

extension ChainMember {
    /// What it did last, to follow its name.
    var quarantineReason: String {
        let last = faults.records.last { !$0.fault.isPassing }
        return "\(last.map { "\($0.fault)" } ?? "died"), after \(faults.restarts) restarts"
    }
}

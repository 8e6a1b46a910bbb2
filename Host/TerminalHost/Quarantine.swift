// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Quarantined plug-ins: leaves them out of a chain, saves them in the settings, and releases them. Main thread.

import AudioGraph
import Console
import GraphDocuments
import PluginHosting

/// An effect that is not started, or that was left out at a rate, with its reason.
struct LeftOut: Encodable, Equatable {
    let id, name, reason: String
    /// The rate at which it was left out, in hertz; nil for a quarantined one.
    var sampleRate: Double?
    /// Its index in the chain, from 0, and its saved state; nil for an effect from the command line.
    let index: Int
    let saved: SavedUnit?

    private enum CodingKeys: CodingKey {
        case id, name, reason, sampleRate
    }

    /// The message about it.
    var sentence: String {
        "\"\(name)\" is quarantined: it \(reason). Its input is passed on. Bring it back with: "
            + "bulkhead unblock \(ShellWord.quoted(id))"
    }
}

extension ChainArguments {
    /// The effects to start, and the quarantined ones.
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

/// Records the quarantined units of a chain in the user's settings.
struct QuarantineRecorder {
    private var remembered: Set<String> = []

    /// Saves the units that were quarantined since the last call.
    ///
    /// A failure to save is printed once.
    mutating func remember(_ chain: BuiltGraph) {
        // A plug-in that was replaced has done nothing wrong: it is left out in this host alone.
        for member in chain.members
        where member.isQuarantined && !member.wasReplaced && remembered.insert(member.unit.component.id).inserted {
            change { $0.quarantine(member.unit.component.id, because: member.quarantineReason) }
        }
    }

    /// Releases and restarts all quarantined units of a chain.
    mutating func release(_ chain: BuiltGraph) {
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

extension UnitResources {
    /// True if it is left out because other code took its place.
    fileprivate var wasReplaced: Bool {
        if case .replaced? = faults.records.last(where: { !$0.fault.isPassing })?.fault { true } else { false }
    }

    /// Its last fault, as the words after its name.
    var quarantineReason: String {
        let last = faults.records.last { !$0.fault.isPassing }
        return "\(last.map { "\($0.fault)" } ?? "died"), after \(faults.restarts) restarts"
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The faults of a chain's units as messages, each once. Main thread.

import AudioGraph
import Console
import GraphDocuments
import PluginHosting

/// Messages on new faults and recoveries since the last call.
struct FaultMessages {
    /// The reported faults of a unit.
    private struct Told {
        var faultCount = 0
        var returnCount = 0
        /// The kinds of fault that can happen in each block and have been reported.
        var frequent: Set<String> = []
        var isQuarantined = false
        /// True once it has been said that the unit drops events.
        var dropsEvents = false
        var lacksMessages = false
    }

    private var told: [ObjectIdentifier: Told] = [:]

    /// Takes the new messages; a new unit has its first ones.
    mutating func take(from chain: BuiltGraph) -> [String] {
        let members = chain.members
        // The reports on a removed unit must not count for a new one at the same address.
        let present = Set(members.map { ObjectIdentifier($0.unit) })
        told = told.filter { present.contains($0.key) }
        return members.flatMap { member in
            let key = ObjectIdentifier(member.unit)
            return take(member.faults.records, member.unit.name, key) + quarantine(of: member, key)
                + dropping(member.droppedEventCount, member.unit.name, key)
                + lacking(member.unkeptMessageCount, member.unit.name, key)
        }
    }

    private mutating func quarantine(of member: UnitResources, _ key: ObjectIdentifier) -> [String] {
        // The unit may come back and be quarantined again.
        let wasQuarantined = told[key]?.isQuarantined ?? false
        told[key, default: Told()].isQuarantined = member.isQuarantined
        guard member.isQuarantined, !wasQuarantined else { return [] }
        let id = ShellWord.quoted(member.unit.component.id)
        return [
            "\(member.unit.name) is quarantined after \(member.faults.restarts) restarts; its input is passed on. "
                + "Bring it back with: bulkhead unblock \(id)"
        ]
    }

    /// Says once of a unit that it drops events; the report and `ctl status` have the count.
    mutating func dropping(_ count: Int, _ name: String, _ key: ObjectIdentifier) -> [String] {
        guard let finding = RenderFindings.dropped(count, by: name), told[key]?.dropsEvents != true else { return [] }
        told[key, default: Told()].dropsEvents = true
        return ["\(finding.description) From now on this is counted only."]
    }

    /// Says once of a unit that MIDI has set more on it than is kept for its next process.
    mutating func lacking(_ count: UInt64, _ name: String, _ key: ObjectIdentifier) -> [String] {
        guard count > 0, told[key]?.lacksMessages != true else { return [] }
        told[key, default: Told()].lacksMessages = true
        return [
            "\(name) heard a MIDI message that is too long to be kept, or one too many. "
                + "It will lack what that set after a crash, in a scene, and in a saved graph."
        ]
    }

    /// Takes the new messages about one unit.
    mutating func take(_ records: [FaultRecord], _ name: String, _ key: ObjectIdentifier) -> [String] {
        var known = told[key] ?? Told()
        defer { told[key] = known }
        var lines: [String] = []
        for record in records.dropFirst(known.faultCount) {
            if !record.fault.mayComeEachBlock {
                lines.append("\(name) \(record.fault) in cycle \(record.cycle)\(record.company).")
            } else if known.frequent.insert(record.fault.kind).inserted {
                // A unit that is too slow for this machine is always late.
                lines.append("\(name) \(record.fault) in cycle \(record.cycle); from now on this is counted only.")
            }
        }
        known.faultCount = records.count
        return lines + Self.returns(records, name, &known)
    }

    private static func returns(_ records: [FaultRecord], _ name: String, _ known: inout Told) -> [String] {
        let returned = records.filter {
            $0.recoveredAfterCycles != nil && (!$0.fault.mayComeEachBlock || $0.restartMilliseconds != nil)
        }
        defer { known.returnCount = returned.count }
        return returned.dropFirst(known.returnCount).map { record in
            let cycles = record.recoveredAfterCycles ?? 0
            let process = record.restartMilliseconds.map { "; a new process was ready after \(Decimal.text($0, 1)) ms" }
            return "\(name) is back after \(cycles) cycle\(cycles == 1 ? "" : "s")\(process ?? "")."
        }
    }
}

extension FaultRecord {
    /// The units that went down with this one, as the end of a sentence.
    ///
    /// Their own records name this unit, too.
    var company: String {
        if case .wentDown = fault { return "" }
        return companions.isEmpty ? "" : ", and with it, in the same process, \(companions.joined(separator: "; "))"
    }
}

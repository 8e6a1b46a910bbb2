// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The faults of a chain's units as messages, each said once. Main thread.

import Console
import PluginHosting

/// Messages on new faults and recoveries since the last call.
struct FaultMessages {
    private var faultCounts: [Int]
    private var returnCounts: [Int]
    /// The kinds of fault that can come in each block and have been reported.
    private var frequent: [Set<String>]
    private var isQuarantined: [Bool]

    init(unitCount: Int) {
        faultCounts = Array(repeating: 0, count: unitCount)
        returnCounts = faultCounts
        frequent = Array(repeating: [], count: unitCount)
        isQuarantined = Array(repeating: false, count: unitCount)
    }

    /// The new messages.
    mutating func take(from chain: some EffectGroup) -> [String] {
        chain.placedMembers.flatMap { index, member in
            take(member.faults.records, member.unit.name, index) + quarantine(of: member, index)
        }
    }

    private mutating func quarantine(of member: ChainMember, _ index: Int) -> [String] {
        // It may come back and be quarantined again.
        defer { isQuarantined[index] = member.isQuarantined }
        guard member.isQuarantined, !isQuarantined[index] else { return [] }
        let id = ShellWord.quoted(member.unit.component.id)
        return [
            "\(member.unit.name) is quarantined after \(member.faults.restarts) restarts; its input is passed on. "
                + "Bring it back with: bulkhead unblock \(id)"
        ]
    }

    /// The new messages on one unit.
    mutating func take(_ records: [FaultRecord], _ name: String, _ index: Int) -> [String] {
        var lines: [String] = []
        for record in records.dropFirst(faultCounts[index]) {
            if !record.fault.mayComeEachBlock {
                lines.append("\(name) \(record.fault) in cycle \(record.cycle)\(record.company).")
            } else if frequent[index].insert(record.fault.kind).inserted {
                // A unit that is too slow for this machine is late all the time.
                lines.append("\(name) \(record.fault) in cycle \(record.cycle); from now on this is counted only.")
            }
        }
        faultCounts[index] = records.count
        return lines + returns(records, name, index)
    }

    private mutating func returns(_ records: [FaultRecord], _ name: String, _ index: Int) -> [String] {
        let returned = records.filter {
            $0.recoveredAfterCycles != nil && (!$0.fault.mayComeEachBlock || $0.restartMilliseconds != nil)
        }
        defer { returnCounts[index] = returned.count }
        return returned.dropFirst(returnCounts[index]).map { record in
            let cycles = record.recoveredAfterCycles ?? 0
            let process = record.restartMilliseconds.map { "; a new process was ready after \(Decimal.text($0, 1)) ms" }
            return "\(name) is back after \(cycles) cycle\(cycles == 1 ? "" : "s")\(process ?? "")."
        }
    }
}

extension FaultRecord {
    /// The units that went down with this one, to end a sentence.
    ///
    /// Their own records say it themselves.
    var company: String {
        if case .wentDown = fault { return "" }
        return companions.isEmpty ? "" : ", and with it, in the same process, \(companions.joined(separator: "; "))"
    }
}

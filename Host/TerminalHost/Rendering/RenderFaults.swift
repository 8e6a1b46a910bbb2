// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Messages about effects that failed while a file was rendered. Main thread.

import AudioGraph
import Console
import GraphDocuments
import PluginHosting

/// Reports faults of a rendering, so that a wrong file does not look like a right one.
struct RenderFaults {
    let output: String
    let answer: FaultAnswer

    /// True if an effect has failed so far.
    static func hasAny(in chain: BuiltGraph) -> Bool {
        chain.members.contains { !$0.faults.records.isEmpty || $0.replacedBlockCount > 0 || $0.isQuarantined }
    }

    /// Prints each fault on standard error, and throws if the file is not the wanted one.
    func complain(of chain: BuiltGraph) throws { try complain(of: chain.members) }

    /// Prints each fault of these effects on standard error, and throws if the file is not the wanted one.
    func complain(of members: [UnitResources]) throws {
        var failures: [String] = []
        PluginMessages.settle()
        for member in members {
            warnOfInvalidAudio(member)
            guard let what = lastFault(of: member) else { continue }
            let replaced = member.replacedBlockCount
            if answer == .stop {
                failures.append("\(what); nothing was written")
            } else if replaced == 0 {
                let loss = member.tailFrameCount > 0 ? ", without the rest of its tail" : ""
                let again = member.faults.records.last?.isOfAnother == true ? "" : " and rendered that block again"
                Terminal.printError("\(what); for \"\(output)\" it was restarted\(again)\(loss).")
            } else if answer == .bypass {
                Terminal.printError("\(what); \"\(output)\" holds its replacement in \(Self.blocks(replaced)).")
            } else {
                failures.append("\(what); it holds a replacement in \(Self.blocks(replaced))")
            }
        }
        guard failures.isEmpty else {
            throw CommandError.failed("Couldn't render \"\(output)\": \(failures.joined(separator: "; ")).")
        }
    }

    /// The last fault of the effect, or a sentence about replaced blocks, by the render thread's count; nil without either.
    private func lastFault(of member: UnitResources) -> String? {
        guard let fault = member.faults.records.last else {
            return member.replacedBlockCount > 0 ? "\"\(member.unit.name)\" could not be heard" : nil
        }
        let what = "\"\(member.unit.name)\" \(fault.fault) in cycle \(fault.cycle)"
        let count = member.faults.records.count
        let all = count == 1 ? what : "\(what), the last of \(count) faults"
        return member.isQuarantined ? "\(all), and was quarantined after \(member.faults.restarts) restarts" : all
    }

    private static func blocks(_ count: UInt64) -> String { count == 1 ? "1 block" : "\(count) blocks" }

    private func warnOfInvalidAudio(_ member: UnitResources) {
        let count = member.invalidStretchCount
        guard count > 0 else { return }
        let times = count == 1 ? "once" : "\(count) times"
        Terminal.printError(
            "\"\(member.unit.name)\" put out NaN or infinity, \(times); \"\(output)\" is silent there, and the plug-in was recreated."
        )
    }
}

extension FaultRecord {
    /// True if the fault was another unit's in the same process.
    fileprivate var isOfAnother: Bool {
        if case .wentDown = fault { true } else { false }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What is said of effects that failed while a file was rendered. Main thread.

import PluginHosting

/// Nobody watches a rendering: a file that is not what was asked for must not pass for it.
struct RenderFaults {
    let output: String

    /// Says each fault on standard error, and throws when an effect was given up.
    func complain(of chain: UnitChain) throws {
        for member in chain.members {
            warnOfInvalidAudio(member)
            guard let fault = member.faults.records.last else { continue }
            let what = "\"\(member.unit.name)\" \(fault.fault) in cycle \(fault.cycle)"
            guard !member.isQuarantined else {
                let end = "after \(member.faults.restarts) restarts, and is left alone"
                throw CommandError.failed("Couldn't render \"\(output)\": \(what), \(end).")
            }
            let count = member.faults.records.count
            let last = count == 1 ? what : "\(what), the last of \(count) faults"
            Terminal.printError("\(last); \"\(output)\" holds what went into it there.")
        }
    }

    private func warnOfInvalidAudio(_ member: ChainMember) {
        let count = member.invalidStretchCount
        guard count > 0 else { return }
        let times = count == 1 ? "once" : "\(count) times"
        Terminal.printError(
            "\"\(member.unit.name)\" put out what is no number, \(times); \"\(output)\" is silent there, and the plug-in was begun anew."
        )
    }
}

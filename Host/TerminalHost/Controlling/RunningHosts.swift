// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which of the hosts that play is meant. Main thread.

import Control

/// Finds the host that a command is about.
enum RunningHosts {
    /// The host of that name, or the only one that plays.
    ///
    /// `option` is how the command line names one, for the message.
    static func address(_ name: String?, option: String) throws -> ControlAddress {
        let running = try ControlAddress.running()
        let names = Arguments.list(running.map { "\"\($0.name)\"" }, "and")
        if let name {
            // A service may listen for a host that does not run yet, which this client starts.
            guard let address = try running.first(where: { $0.name == name }) ?? ControlAddress.answered(name) else {
                throw CommandError.failed(
                    "No host is called \"\(name)\"" + (running.isEmpty ? ", and none plays." : "; \(names) play."))
            }
            return address
        }
        guard let first = running.first else {
            throw CommandError.failed("No host plays. Start one, for example: bulkhead live -e Reverb")
        }
        guard running.count == 1 else { throw CommandError.failed("\(names) play; say which one with \(option).") }
        return first
    }
}

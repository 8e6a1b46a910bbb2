// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the host for a command among those that play. Main thread.

import Control
import Screen

/// Finds the host for a command.
enum RunningHosts {
    /// The host of that name, or the only one that plays.
    ///
    /// `option` is the command line's option for a name, for the message.
    static func address(_ name: String?, option: String) throws -> ControlAddress {
        let running = try ControlAddress.running()
        if let name {
            let names = Arguments.list(running.map { "\"\($0.name)\"" }, "and")
            // A service may listen for a host that does not run yet; this client starts it.
            guard let address = try running.first(where: { $0.name == name }) ?? ControlAddress.answered(name) else {
                throw CommandError.failed(
                    "No host is called \"\(name)\"" + (running.isEmpty ? ", and none plays." : "; \(names) play."))
            }
            return address
        }
        return try onlyOne(of: running, option: option)
    }

    /// The host of that name, or the only one that plays; the user chooses from a list if several play.
    ///
    /// Without a terminal that can show the list, it throws like `address`. It returns nil if the user chooses none.
    static func chosenAddress(_ name: String?, option: String) throws -> ControlAddress? {
        guard name == nil, try ControlAddress.running().count > 1, let terminal = try? TerminalScreen() else {
            return try address(name, option: option)
        }
        return try HostScreen.choose(on: terminal)
    }

    private static func onlyOne(of running: [ControlAddress], option: String) throws -> ControlAddress {
        let names = Arguments.list(running.map { "\"\($0.name)\"" }, "and")
        guard let first = running.first else {
            throw CommandError.failed("No host plays. Start one, for example: bulkhead live -e Reverb")
        }
        guard running.count == 1 else { throw CommandError.failed("\(names) play; say which one with \(option).") }
        return first
    }
}

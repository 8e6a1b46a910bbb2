// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// `bulkhead` without arguments on a terminal: the screen of the host that plays, or of a new one. Main thread.

import Console
import Control
import Glibc

/// The command without arguments.
enum StartScreen {
    /// Shows the host that plays; without one, a new host with an empty chain.
    static func run() throws {
        guard isatty(STDIN_FILENO) == 1, Terminal.isInteractive else { throw CommandError.usage("Say what to do.", command: nil) }
        guard try ControlAddress.running().isEmpty else {
            guard let address = try RunningHosts.chosenAddress(nil, option: "bulkhead attach NAME") else { return }
            return try HostScreen.show(address, ownsHost: false)
        }
        var nothing = Arguments(command: LiveCommand.name, [])
        try LiveCommand(&nothing).run()
    }
}

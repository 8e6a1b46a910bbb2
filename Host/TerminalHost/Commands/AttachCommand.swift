// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead attach: the screen of a host that plays. Main thread.

import Console
import Control
import LinuxSystem
import Screen

struct AttachCommand: Command {
    static let name = "attach"
    static let summary = "shows a host that plays on a screen, where it is built and played"
    static let synopsis = "[NAME] [--stop]"
    static let operands = [Operand("NAME", .text, .optional)]
    static var table: [OptionReader<Self>] {
        [.flag("--stop", "End the host when the screen is left") { $0.ownsHost = true }]
    }
    static let details = """
        The screen shows the graph as it flows, the load of each effect, and the parameters of the chosen one. Press ? for the keys. Leaving
        it with q leaves the music on. NAME is one of the hosts that `bulkhead ctl hosts` lists; it may be left out where one plays.

        Without UTF-8 in LC_ALL, LC_CTYPE or LANG the screen is drawn in ASCII, and with NO_COLOR without colours. See bulkhead-screen(7).
        """
    static let examples = ["", "live-2"]

    private var host: String?
    private var ownsHost = false

    mutating func take(_ operand: String) -> Bool {
        guard host == nil else { return false }
        host = operand
        return true
    }

    func run() throws {
        let address = try RunningHosts.address(host, option: "bulkhead attach NAME")
        try HostScreen.show(address, ownsHost: ownsHost)
    }
}

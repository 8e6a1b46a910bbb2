// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead attach: the screen of a host that plays. Main thread.

import AudioUnits
import Console
import Control
import LinuxSystem
import Measuring
import Screen

struct AttachCommand: Command {
    static let name = "attach"
    static let summary = "shows a host that plays on a screen, where it is built and played"
    static let synopsis = "[NAME] [--plain] [--stop | --picture OUT [--size COLUMNSxROWS] [--node NODE] [--view]]"
    static let operands = [Operand("NAME", .text, .optional)]
    static var table: [OptionReader<Self>] {
        [
            .flag("--stop", "End the host when the screen is left") { $0.ownsHost = true },
            .flag("--plain", "Show no list of hosts: where several play, say so and end") { $0.isPlain = true },
            .text("--picture", "OUT", offering: .file, "Save the screen as OUT.svg, OUT.png or OUT.txt instead") {
                $0.picture = $1
            },
            .text("--size", "COLUMNSxROWS", "The size of the picture in characters", default: "100x30") {
                $0.size = try ViewCommand.size($1)
            },
            .text("--node", "NODE", "Choose this node in the picture") { $0.node = $1 },
            .flag("--view", "Show the node by the view that its plug-in draws") { $0.showsView = true },
        ]
    }
    static let details = """
        The screen shows the graph as it flows, the load of each effect, and the parameters of the chosen one. Press ? for the keys. Leaving
        it with q leaves the music on. NAME is one of the hosts that `bulkhead ctl hosts` lists; it may be left out where one plays.
        Where several play, a list of them opens: choose with the arrows and Enter, or press the number; Esc leaves it.

        Without UTF-8 in LC_ALL, LC_CTYPE or LANG the screen is drawn in ASCII, and with NO_COLOR without colours. See bulkhead-screen(7).
        """
    static let examples = ["", "live-2", "--picture screen.svg --node Filter --view"]

    private var host: String?
    private var ownsHost = false
    private var isPlain = false
    private var picture: String?
    private var size: ViewSize?
    private var node: String?
    private var showsView = false

    mutating func take(_ operand: String) -> Bool {
        guard host == nil else { return false }
        host = operand
        return true
    }

    func finish(_ arguments: Arguments) throws(CommandError) {
        if picture == nil, size != nil || node != nil || showsView {
            throw arguments.usage("--size, --node and --view are for a picture: add --picture OUT.svg.")
        }
        guard let picture else { return }
        if ownsHost { throw arguments.usage("--picture leaves the host as it is: leave --stop out.") }
        if PlotFile(path: picture) == nil, !picture.lowercased().hasSuffix(".txt") {
            throw arguments.usage("--picture takes the name of a file that ends in .svg, .png or .txt, not \"\(picture)\".")
        }
        if let size, size.columnCount < ScreenLayout.leastColumns || size.rowCount < ScreenLayout.leastRows {
            throw arguments.usage("A screen has at least \(ScreenLayout.leastColumns) by \(ScreenLayout.leastRows) characters.")
        }
    }

    func run() throws {
        let option = "bulkhead attach NAME"
        if let picture {
            let address = try RunningHosts.address(host, option: option)
            let size = size ?? ViewSize(columnCount: 100, rowCount: 30)
            return try ScreenPicture.write(
                address, columns: size.columnCount, rows: size.rowCount, node: node, showsView: showsView, to: picture)
        }
        let address = try isPlain ? RunningHosts.address(host, option: option) : RunningHosts.chosenAddress(host, option: option)
        if let address { try HostScreen.show(address, ownsHost: ownsHost) }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead window: opens the own window of an LV2 plug-in in a running host. Main thread.

import Console
import Control
import FoundationEssentials
import JSON
import PluginHosting

struct WindowCommand: Command {
    static let name = "window"
    static let summary = "opens the own window of an LV2 plug-in that plays"
    static let synopsis = "NODE [--name HOST] [--nested]"
    static let operands = [Operand("NODE", .text)]
    static var table: [OptionReader<Self>] {
        [
            .text("--name", "HOST", "A node of this host, see bulkhead ctl hosts", default: "the only one that plays") {
                $0.host = $1
            },
            .flag("--nested", "Open it in an X server of its own, Xephyr") { $0.isNested = true },
        ]
    }
    static let details = """
        NODE is a unit of a `bulkhead live`, `play` or `graph play` that runs; `bulkhead ctl status` lists them. What is set in the
        window is heard, and what is set elsewhere shows in the window. Close the window, or press Ctrl-C.

        The window has a process of its own, beside the one that plays and the one of the plug-in. It may crash or hang: that is
        not heard. It shows the plug-in's knobs; files, and what displays draw from the sound, are left out.

        That process is not confined. It can do whatever you may do, and as a client of the X server it can watch your other
        windows and type into them. So each plug-in needs your consent first: `bulkhead grant ID --window`.

        With `--nested` it has an X server in which nothing else is, and is confined as the plug-in itself is: it reads no files
        but those that the plug-in may read, and reaches no other windows and no network.
        """
    static let examples = ["ZamComp", "Compressor --nested"]

    private var node: String?
    private var host: String?
    private var isNested = false

    mutating func take(_ operand: String) -> Bool {
        guard node == nil else { return false }
        node = operand
        return true
    }

    func finish(_ arguments: Arguments) throws(CommandError) {
        if node == nil { throw arguments.usage("Say which node of the host: bulkhead ctl status lists them.") }
    }

    func run() throws {
        let address = try RunningHosts.address(host, option: "--name")
        let status = try ControlClient(address).call("status")
        let (node, id) = try unit(in: status)
        let component = try component(id, node)
        try checkConsent(component, node)
        let environment = ProcessInfo.processInfo.environment
        guard !(environment["DISPLAY"] ?? "").isEmpty else {
            throw CommandError.failed("Couldn't open the window of \"\(node)\": there is no X server, because DISPLAY is not set.")
        }
        let server = isNested ? try NestedServer(environment, title: node) : nil
        try PluginWindow(
            node, of: address, component, sampleRate: status["sampleRate"]?.number ?? 48_000, server: server,
            environment: environment
        ).run()
    }

    /// The wanted unit, and the ID of its plug-in.
    private func unit(in status: JSONValue) throws -> (node: String, plugin: String) {
        let units = (status["nodes"]?.list ?? []).compactMap { row -> (node: String, plugin: String)? in
            guard let node = row["id"]?.text, let plugin = row["plugin"]?.text else { return nil }
            return (node, plugin)
        }
        let wanted = self.node ?? ""
        if let unit = units.first(where: { $0.node == wanted }) { return unit }
        let ofPlugin = units.filter { $0.plugin == wanted }
        if ofPlugin.count == 1 { return ofPlugin[0] }
        let names = Arguments.list((ofPlugin.isEmpty ? units : ofPlugin).map { "\"\($0.node)\"" }, "and")
        if !ofPlugin.isEmpty { throw CommandError.failed("\(names) are units of \"\(wanted)\"; say which one.") }
        throw CommandError.failed("The host has no unit \"\(wanted)\". " + (units.isEmpty ? "It has none." : "It has \(names)."))
    }

    private func component(_ id: String, _ node: String) throws -> Component {
        guard id.hasPrefix("lv2:") else {
            throw CommandError.failed(
                "\"\(node)\" has no window of its own: only LV2 plug-ins have. See it on the terminal with: bulkhead attach")
        }
        return try InstalledPlugins.registry(wanting: [id]).component(named: id)
    }

    /// Throws unless the user has allowed the plug-in's window.
    private func checkConsent(_ component: Component, _ node: String) throws {
        guard !component.isBlocked else {
            throw CommandError.failed(
                "Couldn't open the window of \"\(component.name)\": you have blocked the plug-in. "
                    + "Let it be used again with: bulkhead unblock \(ShellWord.quoted(component.id))")
        }
        guard component.rights?.windowed == nil else { return }
        let change = component.lapsedRights == nil ? "" : " What you had allowed ended when its files changed."
        let reason =
            isNested
            ? "that needs your consent, because what it shows, and what you type there, is its own affair."
            : "that needs your consent, because the window's process is not confined. It reads what you may read, and as a client of X "
                + "it can watch other windows and type into them."
        let advice =
            isNested
            ? "."
            : ". Then open it, or confine it to an X server of its own with: bulkhead window \(ShellWord.quoted(node)) --nested"
        throw CommandError.failed(
            "Couldn't open the window of \"\(component.name)\": \(reason)\(change) "
                + "Allow it with: bulkhead grant \(ShellWord.quoted(component.id)) --window\(advice)")
    }
}

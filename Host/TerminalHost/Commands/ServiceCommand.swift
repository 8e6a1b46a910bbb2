// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead service: lets the user's systemd start a chain again, without a display. Main thread.

import Console
import Control
import FoundationEssentials
import Glibc
import PluginHosting

struct ServiceCommand: Command {
    static let name = "service"
    static let summary = "has systemd play a chain whenever you are logged in"
    static let synopsis =
        "install NAME [--on-demand] [--sink] [OPTION …] | start NAME | stop NAME | status NAME | uninstall NAME | show NAME"
    static let operands = [Operand("ACTION", .choice(Action.allCases.map(\.rawValue))), Operand("NAME", .text)]
    static var table: [OptionReader<Self>] {
        [
            .flag("--on-demand", "Start when a client such as bulkhead ctl asks, and not at login") {
                $0.isOnDemand = true
            }.limited(to: "install", "show")
        ] + passed
    }

    /// The options that go to `live`.
    private static var passed: [OptionReader<Self>] {
        let names = [
            "--sink", "--source", "--input", "--output", "--channels", "--quantum", "--osc", "--osc-address", "--midi-scenes",
            "--skip-missing",
        ]
        return LiveCommand.table.filter { names.contains($0.option.name) }.map { row in
            var option = row.option
            option.section = Option.ownSection
            let (name, takesValue) = (option.name, option.value != nil)
            return OptionReader<Self>(option: option) { (service, arguments) throws(CommandError) in
                service.options += takesValue ? [name, try arguments.value()] : [name]
            }.limited(to: "install", "show")
        }
    }

    static let details = """
        First play the chain under its name: `bulkhead live --name NAME -e ID`. Then `install` writes a unit of your own systemd, starts it,
        and has it start at each login. It runs `bulkhead live --resume --name NAME` with the options that you give here, needs no display
        and no terminal, and waits for devices and for PipeWire. If the host fails, it is started again after five seconds, with the
        chain as it was a second before.

        With `--on-demand` systemd listens at the host's control socket, and starts the host when a client comes.

        `show` prints the units and changes nothing. The units are `bulkhead-NAME.service` and `bulkhead-NAME.socket`, in
        `$XDG_CONFIG_HOME/systemd/user`. What the host said is in your journal, under the unit's name.
        """
    static let examples = [
        "install desktop --sink", "install guitar --quantum 128 --input alsa_input.usb-Card", "show guitar --on-demand",
        "uninstall guitar",
    ]

    private enum Action: String, CaseIterable { case install, uninstall, start, stop, status, show }

    private var action = Action.show
    private var unitName: String?
    private var options: [String] = []
    private var isOnDemand = false

    mutating func begin(_ arguments: inout Arguments) throws(CommandError) { action = try arguments.action(Action.self) }

    mutating func take(_ operand: String) -> Bool {
        guard unitName == nil else { return false }
        unitName = operand
        return true
    }

    func finish(_ arguments: Arguments) throws(CommandError) {
        guard let unitName else { throw arguments.usage("Say the name under which the chain was played.") }
        guard unitName.utf8.count <= 60, unitName.unicodeScalars.allSatisfy(\.isASCII) else {
            throw arguments.usage("The name of a service has up to 60 characters of ASCII, unlike \"\(unitName)\".")
        }
        // Arguments that `live` refuses are an error before systemd starts it.
        var live = Arguments(command: LiveCommand.name, ["--resume", "--name", unitName] + options)
        _ = try LiveCommand(&live)
    }

    func run() throws {
        let name = unitName ?? ""
        let unit = ServiceUnit(name: name, options: options, isOnDemand: isOnDemand)
        if action == .show { return Terminal.print(unit.files.map { "# \($0.name)\n\($0.text)" }.joined(separator: "\n")) }
        try SystemdManager.check(name)
        guard let folder = ServiceUnit.folder else {
            throw CommandError.failed("There is no folder for units: neither XDG_CONFIG_HOME nor HOME is set. Set one of them.")
        }
        if action == .install { return try install(unit, in: folder) }
        guard FilePath.isFile("\(folder)/\(unit.service)") else {
            throw CommandError.failed("There is no service \"\(name)\". Make it with: bulkhead service install \(name)")
        }
        // The installed socket shows that a client starts the service.
        let isOnDemand = FilePath.isFile("\(folder)/\(unit.socket)")
        let installed = ServiceUnit(name: name, options: [], isOnDemand: isOnDemand)
        let all = [installed.service] + (isOnDemand ? [installed.socket] : [])
        switch action {
        // The socket first, because systemd does not listen for a service that runs already.
        case .start: for unit in all.reversed() { try SystemdManager.act(["start", unit], "Couldn't start \"\(name)\"") }
        case .stop: try SystemdManager.act(["stop"] + all, "Couldn't stop \"\(name)\"")
        case .status: try status(installed)
        case .uninstall: try uninstall(installed, in: folder)
        case .install, .show: break
        }
    }

    private func install(_ unit: ServiceUnit, in folder: String) throws {
        guard let path = SessionKeeper.path(of: LiveCommand.sessionName(unit.name)), FilePath.isFile(path) else {
            throw CommandError.failed(
                "No chain has been played as \"\(unit.name)\" yet. Play it first: bulkhead live --name \(unit.name) -e ID")
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try remove(unit, in: folder)
        if try ControlAddress.running().contains(where: { $0.name == unit.name }) {
            throw CommandError.failed(
                "A host called \"\(unit.name)\" plays already. End it first, and its chain is kept: bulkhead ctl stop --name \(unit.name)"
            )
        }
        for (name, text) in unit.files { try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"), options: .atomic) }
        do {
            try SystemdManager.act(["daemon-reload"], "Couldn't make systemd read the new units")
            try SystemdManager.act(["enable", unit.entrance], "Couldn't enable \"\(unit.entrance)\"")
        } catch {
            try remove(unit, in: folder)
            throw error
        }
        try SystemdManager.act(["start", unit.entrance], "Couldn't start \"\(unit.entrance)\"")
        Terminal.print(
            unit.isOnDemand
                ? "\"\(unit.name)\" starts when a client asks, such as: bulkhead ctl status --name \(unit.name)."
                : "\"\(unit.name)\" plays now, and at each login.")
    }

    /// Stops and removes the existing units, the socket first.
    private func remove(_ unit: ServiceUnit, in folder: String) throws {
        for name in [unit.socket, unit.service] where FilePath.isFile("\(folder)/\(name)") {
            _ = SystemdManager.run(["disable", "--now", name], isQuiet: true)
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    private func uninstall(_ unit: ServiceUnit, in folder: String) throws {
        try remove(unit, in: folder)
        try SystemdManager.act(["daemon-reload"], "Couldn't make systemd forget the units")
        Terminal.print("\"\(unit.name)\" is no service any more. Its chain is kept.")
    }

    /// Prints the status; systemctl's exit status 3 means that the unit does not run, which is an answer, too.
    private func status(_ unit: ServiceUnit) throws {
        let status = SystemdManager.run(["status", unit.service] + (unit.isOnDemand ? [unit.socket] : []), isQuiet: false)
        guard status == 0 || status == 3 else {
            throw CommandError.failed("Couldn't read the state of \"\(unit.name)\": systemctl ended with status \(status).")
        }
    }
}

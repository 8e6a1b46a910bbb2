// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead ctl: sends requests to a host that plays. Main thread.

import Console
import Control
import JSON

struct CtlCommand: Command {
    static let name = "ctl"
    static let summary = "asks and changes a host that plays"
    static let synopsis = "ACTION [ARGUMENT]… [--name HOST] [--json]"
    static let operands = [
        Operand("ACTION", .choice(ControlAction.allCases.map(\.rawValue))),
        Operand("ARGUMENT", .text, .many, actions: ControlAction.allCases.filter(\.takesWords).map(\.rawValue)),
    ]
    static var table: [OptionReader<Self>] {
        [
            .text("--name", "HOST", "Ask this host, one of those that the action hosts lists", default: "the only one that plays") {
                $0.host = $1
            },
            .text("--after", "NODE", "Put the node behind this one") { $0.fields["after"] = .text($1) }.limited(to: "add", "move"),
            .text("--before", "NODE", "Put the node in front of this one") { $0.fields["before"] = .text($1) }
                .limited(to: "add", "move"),
            .text("--id", "NAME", "Call the node NAME") { $0.fields["id"] = .text($1) }.limited(to: "add"),
            .text("--preset", "NAME", "Begin with this preset") { $0.fields["preset"] = .text($1) }.limited(to: "add"),
            .flag("--alone", "Put the node in without connections") { $0.fields["alone"] = true }.limited(to: "add"),
            .number("--volume", "GAIN", in: 0...1000, "The gain of the connection, as a factor") {
                $0.fields["volume"] = .number($1)
            }.limited(to: "connect"),
            .number("--pan", "P", in: -1...1, "The pan of the connection, from -1 to 1") { $0.fields["pan"] = .number($1) }
                .limited(to: "connect"),
            .number("--interval", "S", in: 0.01...3600, "Seconds between two lines of meters and load") {
                $0.fields["interval"] = .number($1)
            }.limited(to: "watch"),
            .number("--minimum", "VALUE", in: -1e9...1e9, "The value at the low end of the knob") {
                $0.fields["minimum"] = .number($1)
            }.limited(to: "learn", "map"),
            .number("--maximum", "VALUE", in: -1e9...1e9, "The value at the high end of the knob") {
                $0.fields["maximum"] = .number($1)
            }.limited(to: "learn", "map"),
            .text("--curve", "CURVE", "linear, logarithmic, switch or toggle", default: "what suits the parameter") {
                $0.fields["curve"] = .text($1)
            }.limited(to: "learn", "map"),
            .flag("--no-pick-up", "Let the value jump to where the knob is") { $0.fields["pickUp"] = false }
                .limited(to: "learn", "map"),
            .flag("--json", "Print the answer as JSON") { $0.isJSON = true },
        ]
    }
    static var details: String {
        let rows = ControlAction.allCases.map { "- `\($0.form)`: \($0.summary)" }
        return """
            A host is a `bulkhead live`, `play` or `graph play` that runs. It listens at a socket in `$XDG_RUNTIME_DIR/bulkhead`, to
            programs of the same user alone. The actions:

            \(rows.joined(separator: "\n"))

            A path is the name of a node, a point, and a parameter: `Reverb.mix`. Mixers, players and the input have `volume` and
            `pan`, and `main.volume` is the gain of everything. A scene is a whole graph: `scene` builds it beside the one that
            plays, goes over to it, and lets the former one ring out.

            `learn` waits until a knob, a key or a program of a MIDI controller moves, and maps it to the path, to "bypass NODE", to
            "scene NAME" or to "panic". `map` does it without waiting: a SOURCE is cc:CHANNEL:NUMBER, cc14:CHANNEL:NUMBER, bend:CHANNEL,
            pressure:CHANNEL, note:CHANNEL:NUMBER, program:CHANNEL:NUMBER or nrpn:CHANNEL:NUMBER; an encoder that sends steps is
            rel-twos:CHANNEL:NUMBER, rel-offset:… or rel-sign:…. Link the controller to the node's port `midi_in`.
            """
    }
    static let examples = [
        "status", "set Reverb.mix=40 Delay.time=0.3", "add Delay --before Reverb", "move Reverb --after Delay",
        "save-scene Verse", "scene Verse", "learn Reverb.mix", "map cc:1:74 Filter.cutoff --minimum 200 --maximum 5000",
        "watch faults parameters --json",
    ]

    private var action = ControlAction.status
    private var words: [String] = []
    private var fields: [String: JSONValue] = [:]
    private var host: String?
    private var isJSON = false

    mutating func begin(_ arguments: inout Arguments) throws(CommandError) { action = try arguments.action(ControlAction.self) }

    mutating func take(_ operand: String) -> Bool {
        words.append(operand)
        return true
    }

    func finish(_ arguments: Arguments) throws(CommandError) { _ = try calls() }

    func run() throws {
        if action == .hosts { return try printHosts() }
        if action == .schema { return Terminal.print(ControlSchema.value.lines) }
        let client = try ControlClient(try RunningHosts.address(host, option: "--name"))
        for call in try calls() {
            let answer = try client.call(call.method, call.fields)
            guard !isJSON else {
                Terminal.print(answer.line)
                continue
            }
            let lines = ControlText.lines(of: answer, to: action)
            if !lines.isEmpty { Terminal.print(lines: lines.map { StyledText($0) }) }
        }
        if action == .watch { try follow(client) }
    }

    /// The requests, one after the other.
    private func calls() throws(CommandError) -> [ControlCall] {
        do throws(ControlUsage) { return try action.calls(words, fields) } catch { throw Self.usage(error.sentence) }
    }

    private func printHosts() throws {
        let names = try ControlAddress.running().map(\.name)
        if isJSON { return Terminal.print(JSONValue.list(names.map { .text($0) }).line) }
        Terminal.print(names.isEmpty ? "No host plays." : names.joined(separator: "\n"))
    }

    private func follow(_ client: ControlClient) throws {
        while !Interruption.isRequested {
            let next: JSONValue?
            do {
                next = try client.event { Interruption.isRequested }
            } catch let error as ControlError where error.code == .ending {
                return Terminal.print("The host has ended.")
            }
            guard let event = next else { return }
            Terminal.print(isJSON ? event.line : ControlText.line(of: event))
            try Terminal.checkOutput()
        }
    }
}

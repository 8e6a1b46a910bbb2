// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The help of a command, and the overview of all of them. Main thread.

import Console

/// The facts about a command for help and manual, read from its type.
struct CommandFacts {
    let name, summary, synopsis: String
    let options: [Option]
    let operands: [Operand]
    let details: Markup
    let examples: [String]

    init<Kind: Command>(_ type: Kind.Type) {
        (name, summary, synopsis) = (type.name, type.summary, type.synopsis)
        (options, operands) = (type.options, type.operands)
        details = Markup(trusted: type.details)
        examples = type.examples
    }

    /// The summary as a sentence.
    var sentence: String { "\(summary.prefix(1).uppercased())\(summary.dropFirst())." }

    /// The options under their headings, in the order of the table; those of the command itself come last.
    var sections: [(title: String, options: [Option])] {
        var titles: [String] = []
        for option in options where !titles.contains(option.section) { titles.append(option.section) }
        if let own = titles.firstIndex(of: Option.ownSection) { titles.append(titles.remove(at: own)) }
        return titles.map { title in
            let shown = title == Option.ownSection && titles.count > 1 ? "Other options" : title
            return (shown, options.filter { $0.section == title })
        }
    }

    /// The command lines that serve as examples.
    var calls: [String] { examples.map { "bulkhead \(name)\($0.isEmpty ? "" : " ")\($0)" } }

    /// The text of `bulkhead NAME --help`.
    var help: String {
        var lines = [sentence, ""] + Self.usage("bulkhead \(name) \(synopsis)")
        for section in sections {
            lines += ["", "\(section.title):"] + PlainText.columns(section.options.map { ($0.signature, $0.sentence) })
        }
        let text = PlainText.lines(of: details)
        if !text.isEmpty { lines += [""] + text }
        if !calls.isEmpty { lines += ["", "Examples:"] + calls.map { "    \($0)" } }
        return (lines + ["", "The manual: man bulkhead-\(name)"]).joined(separator: "\n")
    }

    private static func usage(_ call: String) -> [String] {
        let lines = PlainText.wrapped(call, indent: 7)
        return lines.enumerated().map { index, line in index == 0 ? "Usage: \(line.dropFirst(7))" : line }
    }
}

extension Option {
    /// The names and the placeholder of the value.
    var signature: String { names.joined(separator: ", ") + (value.map { " \($0.placeholder)" } ?? "") }
}

/// Commands under a heading.
struct CommandGroup {
    let title: String
    let commands: [any Command.Type]

    /// All commands that people use.
    static var all: [CommandGroup] {
        [
            CommandGroup(
                title: "Play",
                commands: [
                    DemoCommand.self, PlayCommand.self, LiveCommand.self, RenderCommand.self, ReplayCommand.self, GraphCommand.self,
                    SurroundCommand.self, CtlCommand.self, AttachCommand.self, WindowCommand.self, ServiceCommand.self,
                    ListenCommand.self,
                ]),
            CommandGroup(
                title: "Find plug-ins", commands: [ListCommand.self, InfoCommand.self, ViewCommand.self, ScanCommand.self]),
            CommandGroup(title: "Keep sounds", commands: [PresetCommand.self, ChainCommand.self]),
            CommandGroup(
                title: "Decide what a plug-in can do",
                commands: [
                    BlockCommand.self, UnblockCommand.self, TrustCommand.self, UntrustCommand.self, GrantCommand.self,
                    RevokeCommand.self, ConfineCommand.self, UnconfineCommand.self,
                ]),
            CommandGroup(
                title: "Test and measure",
                commands: [DoctorCommand.self, ValidateCommand.self, TraceCommand.self, MeasureCommand.self]),
            CommandGroup(title: "Build plug-ins", commands: [NewCommand.self, BundleCommand.self]),
        ]
    }

    static let introduction = "Bulkhead hosts audio plug-ins, each in its own process. When one crashes, the music plays on."

    static let examples = [
        "bulkhead demo", "bulkhead play song.flac -e Equalizer --set band1.gain=3 -e Reverb",
        "bulkhead render drums.wav out.flac -e Reverb --preset \"Large Hall\"",
    ]

    /// The text of `bulkhead --help`.
    static var overview: String {
        let width = all.flatMap(\.commands).map { $0.name.count }.max() ?? 0
        var lines = PlainText.wrapped(introduction) + ["", "Usage: bulkhead COMMAND [ARGUMENTS]"]
        for group in all {
            let rows = group.commands.map { (left: $0.name.padded(to: width), right: $0.summary) }
            lines += ["", "\(group.title):"] + PlainText.columns(rows)
        }
        lines += ["", "Examples:"] + examples.map { "    \($0)" }
        return (lines + ["", "Help on a command:  bulkhead COMMAND --help", "The manual:         man bulkhead"]).joined(
            separator: "\n")
    }
}

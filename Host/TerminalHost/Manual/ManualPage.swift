// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The pages of the manual: one for the program, one for each command and one for each topic. Main thread.

/// One manual page.
struct ManualPage: Equatable {
    let name: String
    let section: Int
    /// The text in the macros of man(7).
    let text: String

    /// The name of its file.
    var fileName: String { "\(name).\(section)" }

    /// Makes a page from the lines after its heading and its NAME section.
    fileprivate init(_ name: String, _ section: Int, summary: String, lines: [String], seeAlso: [String]) {
        (self.name, self.section) = (name, section)
        let heading = [name.uppercased(), "\(section)", "", "Bulkhead \(TerminalHost.version)", "Bulkhead manual"]
        let start = [
            ".TH \(heading.map(Roff.argument).joined(separator: " "))", Roff.section("Name"),
            "\(Roff.escaped(name, isCode: true)) \\- \(Roff.escaped(summary))",
        ]
        let end = seeAlso.isEmpty ? [] : [Roff.section("See also"), seeAlso.joined(separator: ",\n")]
        text = Self.withoutLooseParagraphs(start + lines + end).joined(separator: "\n") + "\n"
    }

    /// The lines without empty paragraphs, because a heading begins a paragraph itself.
    private static func withoutLooseParagraphs(_ lines: [String]) -> [String] {
        zip([""] + lines, lines).filter { last, line in line != ".PP" || !last.hasPrefix(".S") }.map(\.1)
    }

    /// A reference to a page, without hyphenation.
    fileprivate static func reference(_ name: String, _ section: Int) -> String { "\\%\(Roff.bold(name))(\(section))" }
}

/// A topic of the manual, in the markup of `Markup`.
struct ManualTopic {
    /// The name of its file without ".md".
    let name: String
    let text: Markup

    /// The section of its page.
    ///
    /// The topics `chain` and `graph` describe files, whose section is 5.
    var section: Int { ["chain", "graph"].contains(name) ? 5 : 7 }
    var pageName: String { "bulkhead-\(name)" }

    /// The first title, as the summary of a page.
    ///
    /// For the title "Isolation: which effects share a process" it is the second half.
    var summary: String {
        for case .title(let title) in text.blocks {
            return title.firstRange(of: ": ").map { String(title[$0.upperBound...]) } ?? title
        }
        return name
    }
}

/// All pages.
struct ManualPages {
    let topics: [ManualTopic]

    var all: [ManualPage] {
        [overview] + TerminalHost.commands.map { page(of: CommandFacts($0)) } + topics.map(page)
    }

    private var topicReferences: [String] { topics.map { ManualPage.reference($0.pageName, $0.section) } }

    private static let statuses: [(status: String, meaning: String)] = [
        ("0", "The command did what it was asked for."),
        ("1", "It failed, or the result is not what was asked for. One sentence on standard error says why."),
        ("2", "It was called with wrong arguments."),
        ("75", "It failed for a reason that may pass: no memory, no room on a disk, too many processes or open files."),
        ("129, 130, 143", "SIGHUP, Ctrl-C or SIGTERM ended it before its work was done."),
        ("141", "The reader closed the pipe of standard output."),
    ]

    private static let variables: [(name: String, meaning: String)] = [
        ("BULKHEAD_PATH", "Folders with native plug-ins, separated by colons. They are searched before all others."),
        ("LADSPA_PATH, LV2_PATH", "Folders with LADSPA and LV2 plug-ins, instead of the usual ones."),
        ("XDG_DATA_HOME", "Saved chains and presets are in `bulkhead` below it (default: `~/.local/share`)."),
        ("XDG_CONFIG_HOME", "Decisions about plug-ins are in `bulkhead` below it (default: `~/.config`)."),
        ("XDG_CACHE_HOME", "The results of scans are in `bulkhead` below it (default: `~/.cache`)."),
        ("XDG_STATE_HOME", "The chains that were played last are in `bulkhead` below it (default: `~/.local/state`)."),
    ]

    private static func tagged(_ rows: [(tag: String, text: String)]) -> [String] {
        rows.flatMap { [".TP", $0.tag, Roff.paragraph($0.text)] }
    }

    private var overview: ManualPage {
        var lines = [Roff.section("Synopsis"), "\(Roff.bold("bulkhead")) \(Roff.italic("COMMAND")) [\(Roff.italic("ARGUMENTS"))]"]
        lines += [".br", "\(Roff.bold("bulkhead")) \(Roff.italic("COMMAND")) \(Roff.bold("--help"))"]
        lines += [".br", Roff.bold("bulkhead --version")]
        lines += [Roff.section("Description"), Roff.paragraph(CommandGroup.introduction), Roff.section("Commands")]
        for group in CommandGroup.all {
            lines += [".SS \(Roff.argument(group.title))"]
            lines += Self.tagged(
                group.commands.map { (ManualPage.reference("bulkhead-\($0.name)", 1), CommandFacts($0).sentence) })
        }
        lines += [Roff.section("Examples")] + Roff.literal(CommandGroup.examples)
        lines += [Roff.section("Exit status")] + Self.tagged(Self.statuses.map { (Roff.bold($0.status), $0.meaning) })
        lines += [Roff.section("Environment")] + Self.tagged(Self.variables.map { (Roff.bold($0.name), $0.meaning) })
        return ManualPage(
            "bulkhead", 1, summary: "hosts audio plug-ins, each in its own process", lines: lines,
            seeAlso: TerminalHost.commands.map { ManualPage.reference("bulkhead-\($0.name)", 1) } + topicReferences)
    }

    private func page(of command: CommandFacts) -> ManualPage {
        let name = "bulkhead-\(command.name)"
        var lines = [
            Roff.section("Synopsis"), "\(Roff.bold("bulkhead \(command.name)")) \(Roff.escaped(command.synopsis, isCode: true))",
        ]
        lines += [Roff.section("Description"), Roff.paragraph(command.sentence)] + Roff.lines(of: command.details)
        if !command.options.isEmpty { lines.append(Roff.section("Options")) }
        for section in command.sections {
            if command.sections.count > 1 { lines.append(".SS \(Roff.argument(section.title))") }
            lines += Self.tagged(section.options.map { (Self.tag(of: $0), $0.sentence) })
        }
        if !command.calls.isEmpty { lines += [Roff.section("Examples")] + Roff.literal(command.calls) }
        lines += [Roff.section("Exit status")] + Self.tagged(Self.statuses.prefix(5).map { (Roff.bold($0.status), $0.meaning) })
        return ManualPage(
            name, 1, summary: command.summary, lines: lines, seeAlso: [ManualPage.reference("bulkhead", 1)] + topicReferences)
    }

    private static func tag(of option: Option) -> String {
        option.names.map(Roff.bold).joined(separator: ", ") + (option.value.map { " \(Roff.italic($0.placeholder))" } ?? "")
    }

    private func page(of topic: ManualTopic) -> ManualPage {
        var lines = Roff.lines(of: topic.text)
        // Text before the first section is the description.
        if lines.first?.hasPrefix(".SH") == false { lines.insert(Roff.section("Description"), at: 0) }
        let others = topics.filter { $0.name != topic.name }.map { ManualPage.reference($0.pageName, $0.section) }
        return ManualPage(
            topic.pageName, topic.section, summary: topic.summary, lines: lines,
            seeAlso: [ManualPage.reference("bulkhead", 1)] + others)
    }
}

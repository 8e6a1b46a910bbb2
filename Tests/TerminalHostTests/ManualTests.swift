// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The pages of the manual say what the commands take, in roff that is right. Any thread.

import FoundationEssentials
import Testing

@testable import TerminalHost

@Suite struct ManualTests {
    static let topic = """
        # Isolation: how plug-ins are isolated

        A plug-in runs in its own process; see `bulkhead list --json`.
        It isn't "free": a hand-off takes 5 µs … or more.

        ## Sharing a process

        - `together`: all of them.
          A crash ends them all.
        - .dots and 'quotes' at the start of a line

        Then:

            bulkhead play a.wav \\
                -e Gain   # two spaces

            second block

        .PP is text here.
        """

    private static func pages() throws -> [ManualPage] {
        ManualPages(topics: [
            ManualTopic(name: "isolation", text: try Markup(topic)),
            ManualTopic(name: "chain", text: try Markup("# Chain files\n\nText.")),
        ]).all
    }

    /// The lines that man(7) takes for requests.
    private static let macros: Set = [".TH", ".SH", ".SS", ".PP", ".TP", ".IP", ".RS", ".RE", ".nf", ".fi", ".br"]

    @Test func thereIsAPageForTheProgramEachCommandAndEachTopic() throws {
        let names = Set(try Self.pages().map(\.fileName))
        let commands = TerminalHost.commands.map { "bulkhead-\($0.name).1" }
        #expect(names == Set(["bulkhead.1", "bulkhead-isolation.7", "bulkhead-chain.5"] + commands))
    }

    @Test(arguments: TestedCommand.listed) func thePageHasTheOptionsOfTheTableAndNoOthers(command: TestedCommand) throws {
        let page = try #require(try Self.pages().first { $0.name == "bulkhead-\(command.name)" })
        let lines = page.text.split(separator: "\n").map(String.init)
        let tags = zip(lines, lines.dropFirst()).filter { $0.0 == ".TP" && $0.1.hasPrefix("\\fB\\-") }.map(\.1)
        let plain = tags.map { $0.replacing("\\fB", with: "").replacing("\\fI", with: "").replacing("\\fR", with: "") }
        let names = plain.map { $0.replacing("\\-", with: "-").replacing("...", with: "…") }
        #expect(names.sorted() == command.facts.options.map(\.signature).sorted())
    }

    @Test func everyLineIsTextOrAKnownMacro() throws {
        for page in try Self.pages() {
            var depth = 0
            for line in page.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                #expect(!line.isEmpty, "\(page.fileName) has an empty line")
                #expect(line.utf8.allSatisfy { $0 < 0x80 }, "\(page.fileName): \(line)")
                guard line.hasPrefix(".") || line.hasPrefix("'") else { continue }
                let macro = String(line.prefix { $0 != " " })
                #expect(Self.macros.contains(macro), "\(page.fileName): \(line)")
                depth += macro == ".RS" ? 1 : macro == ".RE" ? -1 : 0
                #expect((0...1).contains(depth))
            }
            #expect(page.text.hasPrefix(".TH \"\(page.name.uppercased())\" \"\(page.section)\""), "\(page.text.prefix(80))")
            #expect(page.text.contains(".SH \"NAME\"\n") && page.text.contains(".SH \"SEE ALSO\"\n"))
        }
    }

    @Test func aTopicBecomesAPage() throws {
        let page = try #require(try Self.pages().first { $0.name == "bulkhead-isolation" })
        #expect(page.text.contains("bulkhead\\-isolation \\- how plug-ins are isolated\n"))
        let description = "see \\fBbulkhead list \\-\\-json\\fR. It isn't\n\"free\": a hand-off takes 5 \\(mcs ... or more.\n"
        #expect(page.text.contains(".SH \"DESCRIPTION\"\nA plug-in runs in its own process; \(description)"))
        #expect(
            page.text.contains(".SH \"SHARING A PROCESS\"\n.IP \\(bu 2\n\\fBtogether\\fR: all of them. A crash ends them all.\n"))
        #expect(page.text.contains(".IP \\(bu 2\n\\&.dots and 'quotes'"))
        #expect(page.text.contains("\n\\&.PP is text here.\n"))
        let literal = ".RS 4\n.nf\nbulkhead play a.wav \\e\n    \\-e Gain   # two spaces\n\\&\nsecond block\n.fi\n.RE\n.PP\n"
        #expect(page.text.contains(literal))
    }

    private static let topicFolder =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Host/Manual/topics"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: topicFolder), "there are no topics in Host/Manual"))
    func everyTopicOfTheManualBecomesAPage() throws {
        let topics = try ManualCommand.topics(in: Self.topicFolder)
        #expect(!topics.isEmpty && ManualPages(topics: topics).all.count == topics.count + TerminalHost.commands.count + 1)
        let options = Set(TestedCommand.all.flatMap { $0.facts.options.flatMap(\.names) }).union(["--help"])
        for topic in topics {
            #expect(topic.text.blocks.first.map { if case .title = $0 { true } else { false } } == true, "\(topic.name)")
            let text = PlainText.lines(of: topic.text).joined(separator: "\n")
            let calls = text.split(separator: "\n").filter { $0.hasPrefix("    bulkhead ") }
            for call in calls {
                for option in ShellLine.options(in: String(call)) { #expect(options.contains(option), "\(topic.name): \(call)") }
            }
        }
    }

    @Test(arguments: ["### Deep", "```", "| a | b |", "* star", "1. one"]) func markupThatThereIsNotIsRefusedWithItsLine(
        line: String
    ) {
        #expect(throws: Markup.Unsupported.self) { try Markup("# Title\n\n\(line)\n") }
        do throws(Markup.Unsupported) {
            _ = try Markup("# Title\n\n\(line)\n")
        } catch {
            #expect(error.line == 3 && "\(error)".hasPrefix("line 3: "))
        }
    }

    @Test func helpFitsInEightyColumns() {
        for command in TestedCommand.all {
            for line in command.facts.help.split(separator: "\n") where !line.hasPrefix("    bulkhead ") {
                #expect(line.count <= 80 && !line.contains("`"), "\(command.name): \(line)")
            }
        }
        for line in CommandGroup.overview.split(separator: "\n") { #expect(line.count <= 80) }
    }

    @Test func theOverviewGroupsAllCommandsAndTeachesWithThreeExamples() throws {
        let overview = CommandGroup.overview
        for command in TestedCommand.listed { #expect(overview.contains("\n  \(command.name) ")) }
        for command in TerminalHost.hiddenCommands { #expect(!overview.contains("\n  \(command.name) ")) }
        #expect(CommandGroup.examples.count == 3 && overview.contains("man bulkhead"))
        for example in CommandGroup.examples {
            let arguments = ShellLine.arguments(of: example)
            let command = try #require(TestedCommand.listed.first { $0.name == arguments[1] })
            #expect(command.complaint(Array(arguments.dropFirst(2))) == nil)
        }
    }
}

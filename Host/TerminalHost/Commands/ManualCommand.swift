// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead manual: writes manual pages and completions into a folder. For packagers; a hidden command. Main thread.

import AudioFiles
import Console
import FoundationEssentials
import PluginHosting

struct ManualCommand: Command {
    static let name = "manual"
    static let summary = "writes the manual pages and the completions of shells"
    static let synopsis = "--folder DIR [--topics DIR]"
    static var table: [OptionReader<Self>] {
        [
            .text("--folder", "DIR", offering: .folder, "Write to this folder, which is laid out like /usr/share") {
                $0.folder = $1
            },
            .text("--topics", "DIR", offering: .folder, "Also make pages of the topics in this folder, NAME.md") {
                $0.topicFolder = $1
            },
        ]
    }
    static let details = """
        The pages are made of the commands' own tables of options. A topic may have titles, sections, paragraphs, bullets,
        literal lines and code in backticks. `make install` calls this command.
        """
    static let examples = ["--folder /usr/local/share --topics Host/Manual/topics"]

    private var folder: String?
    private var topicFolder: String?

    func finish(_ arguments: Arguments) throws(CommandError) {
        if folder == nil { throw arguments.usage("Say where to write the manual: --folder DIR.") }
    }

    func run() throws {
        let pages = ManualPages(topics: try topicFolder.map(Self.topics) ?? []).all
        for page in pages { try write(page.text, to: "man/man\(page.section)", page.fileName) }
        for shell in CompletionShell.allCases { try write(shell.script, to: shell.folder, shell.fileName) }
    }

    private func write(_ text: String, to subfolder: String, _ name: String) throws {
        let path = "\(folder ?? "")/\(subfolder)"
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandError.failed("Couldn't make the folder \"\(path)\": \(FilePath.reason(of: error)).")
        }
        try ReplacementFile.replace("\(path)/\(name)", with: text)
    }

    /// The topics in a folder, by name.
    static func topics(in folder: String) throws -> [ManualTopic] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") && $0 != "README.md" }
                .sorted()
        } catch {
            throw CommandError.failed("Couldn't read the folder of topics \"\(folder)\": \(FilePath.reason(of: error)).")
        }
        return try names.map { name in
            let path = "\(folder)/\(name)"
            guard let data = FileManager.default.contents(atPath: path) else {
                throw CommandError.failed("Couldn't read the topic \"\(path)\".")
            }
            do throws(Markup.Unsupported) {
                return ManualTopic(name: String(name.dropLast(3)), text: try Markup(String(decoding: data, as: UTF8.self)))
            } catch {
                throw CommandError.failed("Couldn't make a page of \"\(path)\": \(error).")
            }
        }
    }
}

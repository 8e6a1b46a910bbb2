// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead grant, revoke: what a plug-in can read beside its own files. Main thread.

import PluginHosting

/// A command that saves what a plug-in can read: an ID, and `--read PATH`.
protocol FileDecisionCommand: DecisionCommand {
    var path: String? { get set }
}

extension FileDecisionCommand {
    fileprivate static func read(_ help: String, default fallback: String? = nil) -> OptionReader<Self> {
        .text("--read", "PATH", offering: .file, help, default: fallback) { command, path in
            guard command.path == nil else { throw CommandError.usage("One --read at a time.", command: nil) }
            command.path = FilePath.absolute(path)
        }
    }
}

struct GrantCommand: FileDecisionCommand {
    static let name = "grant"
    static let summary = "lets a plug-in read one of your files or folders"
    static let synopsis = "ID --read PATH"
    static var table: [OptionReader<Self>] { [read("A file, or a folder with all that is in it")] }
    static let details = """
        A plug-in can always read a file that you set with `--set ir=hall.wav`, and no other of yours. A sampler whose
        instrument names further files needs their folder. Write access cannot be granted. The grant holds for this plug-in as
        it is now, and ends when its files change. `bulkhead info ID` shows the grants.
        """
    static let examples = ["lv2:http://example.org/sampler --read ~/Samples"]

    var plugin: String?
    var path: String?

    func decide(_ installation: Installation) throws -> String {
        guard let path else { throw CommandError.usage("Say what it can read: --read PATH.", command: Self.name) }
        guard let resolved = FilePath.resolved(path) else {
            throw CommandError.failed("Couldn't let it read \"\(path)\": there is no such file or folder.")
        }
        guard resolved != "/" else {
            throw CommandError.failed(
                "Couldn't let it read \"/\", which is everything. To lift its confinement: bulkhead unconfine")
        }
        let component = try component()
        let code = try component.code()
        let isChange = try change(installation) { $0.grant(component.id, code, reading: resolved) }
        return "\"\(component.name)\" \(isChange ? "can" : "could already") read \"\(resolved)\". Undo that with: "
            + "bulkhead revoke \(ShellWord.quoted(component.id)) --read \(ShellWord.quoted(resolved))"
    }
}

struct RevokeCommand: FileDecisionCommand {
    static let name = "revoke"
    static let summary = "takes back the right to read a file or folder"
    static let synopsis = "ID [--read PATH]"
    static var table: [OptionReader<Self>] { [read("The file or folder to revoke", default: "all of them")] }
    static let examples = ["lv2:http://example.org/sampler"]

    var plugin: String?
    var path: String?

    func decide(_ installation: Installation) throws -> String {
        let resolved = path.map { FilePath.resolved($0) ?? $0 }
        if try change(installation, { $0.revoke(id, reading: resolved) }) { return "\(id) can no longer read that." }
        let component = try component()
        let isChange = try change(installation) { $0.revoke(component.id, reading: resolved) }
        return "\"\(component.name)\" \(isChange ? "can no longer read that" : "was not granted that")."
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead grant, revoke: what a plug-in may read beside its own files. Main thread.

import Console
import PluginHosting

/// A command that remembers what a plug-in may read: an ID, and `--read PATH`.
protocol FileDecisionCommand: Command {
    var id: String { get }
    var path: String? { get }
    init(id: String, path: String?)
    func decide(_ installation: Installation) throws -> String
}

extension FileDecisionCommand {
    init(_ arguments: inout Arguments) throws {
        var id: String?
        var path: String?
        while let word = arguments.next() {
            if word == "--read" {
                guard path == nil else { throw arguments.usage("One --read at a time.") }
                path = FilePath.absolute(try arguments.value(of: word))
            } else if id == nil, !word.hasPrefix("-") {
                id = word
            } else {
                throw arguments.unknown(word, among: Self.options)
            }
        }
        guard let id else { throw arguments.usage("Say which plug-in: an ID, or a name.") }
        self.init(id: id, path: path)
    }

    func run() throws { Terminal.print(try decide(Installation.current)) }

    fileprivate func component() throws -> Component { try InstalledPlugins.registry(wanting: [id]).component(named: id) }

    fileprivate func change(_ installation: Installation, _ body: (inout PluginSettings) -> Bool) throws -> Bool {
        try installation.changeSettings(isStopped: { Interruption.isRequested }, body)
    }
}

struct GrantCommand: FileDecisionCommand {
    static let name = "grant"
    static let summary = "lets a plug-in read a file or a folder of yours"
    static let synopsis = "ID --read PATH"
    static let options = [Option("--read", "PATH", "what it may read; of a folder all that is in it")]
    static let details = """
        Files that you set (--set ir=hall.wav) a plug-in may read anyhow, and those alone. A sampler whose instrument names
        further files needs their folder. Nothing can be granted for writing. What is granted: bulkhead info ID
        """
    static let examples = ["lv2:http://example.org/sampler --read ~/Samples"]

    let id: String
    let path: String?

    func decide(_ installation: Installation) throws -> String {
        guard let path else { throw CommandError.usage("Say what it may read: --read PATH.", command: Self.name) }
        guard let resolved = FilePath.resolved(path) else {
            throw CommandError.failed("Couldn't let it read \"\(path)\": there is no such file or folder.")
        }
        guard resolved != "/" else {
            throw CommandError.failed(
                "Couldn't let it read \"/\", which is everything. To confine it no longer: bulkhead unconfine")
        }
        let component = try component()
        let isNews = try change(installation) { $0.grant(component.id, reading: resolved) }
        return "\"\(component.name)\" \(isNews ? "may" : "might already") read \"\(resolved)\". Take that back with: "
            + "bulkhead revoke \(ShellWord.quoted(component.id)) --read \(ShellWord.quoted(resolved))"
    }
}

struct RevokeCommand: FileDecisionCommand {
    static let name = "revoke"
    static let summary = "takes back what a plug-in may read"
    static let synopsis = "ID [--read PATH]"
    static let options = [Option("--read", "PATH", "only this; without it, everything")]
    static let examples = ["lv2:http://example.org/sampler"]

    let id: String
    let path: String?

    func decide(_ installation: Installation) throws -> String {
        let resolved = path.map { FilePath.resolved($0) ?? $0 }
        if try change(installation, { $0.revoke(id, reading: resolved) }) { return "\(id) may no longer read that." }
        let component = try component()
        let isNews = try change(installation) { $0.revoke(component.id, reading: resolved) }
        return "\"\(component.name)\" \(isNews ? "may no longer read that" : "was not granted that")."
    }
}

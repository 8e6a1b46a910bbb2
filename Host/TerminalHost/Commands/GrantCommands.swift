// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead grant, revoke: a plug-in's rights to read more than its own files, and to open a window. Main thread.

import PluginHosting

/// A command that saves a plug-in's rights beside its own files: an ID, `--read PATH`, and `--window`.
protocol ReachDecisionCommand: DecisionCommand {
    var path: String? { get set }
    var isAboutWindow: Bool { get set }
}

extension ReachDecisionCommand {
    fileprivate static func read(_ help: String, default fallback: String? = nil) -> OptionReader<Self> {
        .text("--read", "PATH", offering: .file, help, default: fallback) { command, path in
            guard command.path == nil else { throw CommandError.usage("One --read at a time.", command: nil) }
            command.path = FilePath.absolute(path)
        }
    }

    fileprivate static func window(_ help: String) -> OptionReader<Self> { .flag("--window", help) { $0.isAboutWindow = true } }
}

struct GrantCommand: ReachDecisionCommand {
    static let name = "grant"
    static let summary = "lets a plug-in read one of your files or folders, or open a window"
    static let synopsis = "ID [--read PATH] [--window]"
    static var table: [OptionReader<Self>] {
        [read("A file, or a folder with all that is in it"), window("Let the plug-in's own window be opened")]
    }
    static let details = """
        A plug-in can always read a file that you set with `--set ir=hall.wav`, and no other of yours. A sampler whose
        instrument names further files needs their folder. Write access cannot be granted. The grant holds for this plug-in as
        it is now, and ends when its files change. `bulkhead info ID` shows the grants.

        An LV2 plug-in may bring a window of its own, which `bulkhead window` opens. The window's process is not confined: it can
        do whatever you may do, and as a client of the X server it can watch your other windows and type into them. Opened with
        `--nested` it is confined, and sees no other windows.
        """
    static let examples = ["lv2:http://example.org/sampler --read ~/Samples", "lv2:http://example.org/sampler --window"]

    var plugin: String?
    var path: String?
    var isAboutWindow = false

    func decide(_ installation: Installation) throws -> String {
        guard path != nil || isAboutWindow else {
            throw CommandError.usage("Say what it can read: --read PATH. Or let it open a window: --window.", command: Self.name)
        }
        let resolved = try path.map(Self.resolved)
        let component = try component()
        if isAboutWindow, component.format != .lv2 {
            throw CommandError.failed(
                "Couldn't let \"\(component.name)\" open a window: only LV2 plug-ins have windows of their own.")
        }
        let code = try component.code()
        var sentences: [String] = []
        if let resolved { sentences.append(try grant(resolved, component, code, installation)) }
        if isAboutWindow { sentences.append(try grantWindow(component, code, installation)) }
        return sentences.joined(separator: "\n")
    }

    private static func resolved(_ path: String) throws -> String {
        guard let resolved = FilePath.resolved(path) else {
            throw CommandError.failed("Couldn't let it read \"\(path)\": there is no such file or folder.")
        }
        guard resolved != "/" else {
            throw CommandError.failed(
                "Couldn't let it read \"/\", which is everything. To lift its confinement: bulkhead unconfine")
        }
        return resolved
    }

    private func grant(
        _ path: String, _ component: Component, _ code: PluginCode, _ installation: Installation
    ) throws -> String {
        let isChange = try change(installation) { $0.grant(component.id, code, reading: path) }
        return "\"\(component.name)\" \(isChange ? "can" : "could already") read \"\(path)\". Undo that with: "
            + "bulkhead revoke \(ShellWord.quoted(component.id)) --read \(ShellWord.quoted(path))"
    }

    private func grantWindow(_ component: Component, _ code: PluginCode, _ installation: Installation) throws -> String {
        let isChange = try change(installation) { $0.grantWindow(component.id, code) }
        return "\"\(component.name)\" \(isChange ? "can" : "could already") open its window, which can do whatever you may do. "
            + "Undo that with: bulkhead revoke \(ShellWord.quoted(component.id)) --window"
    }
}

struct RevokeCommand: ReachDecisionCommand {
    static let name = "revoke"
    static let summary = "takes back the right to read a file or folder, or to open a window"
    static let synopsis = "ID [--read PATH] [--window]"
    static var table: [OptionReader<Self>] {
        [read("The file or folder to revoke", default: "all grants, the window included"), window("Open its window no more")]
    }
    static let examples = ["lv2:http://example.org/sampler", "lv2:http://example.org/sampler --window"]

    var plugin: String?
    var path: String?
    var isAboutWindow = false

    func decide(_ installation: Installation) throws -> String {
        let resolved = path.map { FilePath.resolved($0) ?? $0 }
        let what = isAboutWindow ? resolved == nil ? "open a window" : "do that" : "read that"
        if try change(installation, { take(id, resolved, from: &$0) }) { return "\(id) can no longer \(what)." }
        let component = try component()
        let isChange = try change(installation) { take(component.id, resolved, from: &$0) }
        return "\"\(component.name)\" \(isChange ? "can no longer \(what)" : "was not granted that")."
    }

    private func take(_ id: String, _ path: String?, from settings: inout PluginSettings) -> Bool {
        guard path != nil || isAboutWindow else { return settings.revokeAll(id) }
        let hadFile = path.map { settings.revoke(id, reading: $0) } ?? false
        return isAboutWindow && settings.revokeWindow(id) || hadFile
    }
}

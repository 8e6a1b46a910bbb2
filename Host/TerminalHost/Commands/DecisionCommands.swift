// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead block, unblock, trust, untrust: what the user decides about single plug-ins. Main thread.

import Console
import PluginHosting

/// A command that remembers a decision about one plug-in.
protocol DecisionCommand: Command {
    var id: String { get }
    init(id: String)
    /// Changes what is remembered; the sentence to print.
    func decide(_ installation: Installation) throws -> String
}

extension DecisionCommand {
    static var synopsis: String { "ID" }
    static var options: [Option] { [] }

    init(_ arguments: inout Arguments) throws {
        var id: String?
        while let word = arguments.next() {
            guard id == nil, !word.hasPrefix("-") else { throw arguments.unknown(word, among: []) }
            id = word
        }
        guard let id else { throw arguments.usage("Say which plug-in: an ID, or a name.") }
        self.init(id: id)
    }

    func run() throws { Terminal.print(try decide(Installation.current)) }

    /// Changes what is remembered, unless the user ends the command while it waits for another.
    func change(_ installation: Installation, _ body: (inout PluginSettings) -> Bool) throws -> Bool {
        try installation.changeSettings(isStopped: { Interruption.isRequested }, body)
    }

    /// The plug-in that the command line means.
    func component() throws -> Component { try InstalledPlugins.registry(wanting: [id]).component(named: id) }
}

struct BlockCommand: DecisionCommand {
    static let name = "block"
    static let summary = "has a plug-in refused from now on"
    static let details = "What is blocked: bulkhead list --blocked"
    static let examples = ["ladspa:amp_1181:amp"]

    let id: String

    func decide(_ installation: Installation) throws -> String {
        let component = try component()
        let isNews = try change(installation) { $0.block(component.id) }
        return "\"\(component.name)\" \(isNews ? "is blocked now" : "was blocked already"). Use it again with: "
            + "bulkhead unblock \(ShellWord.quoted(component.id))"
    }
}

struct UnblockCommand: DecisionCommand {
    static let name = "unblock"
    static let summary = "lets a plug-in be used again that was blocked or died too often"
    static let examples = ["ladspa:amp_1181:amp"]

    let id: String

    func decide(_ installation: Installation) throws -> String {
        // A plug-in that is no longer installed is unblocked by the ID that it had.
        if try change(installation, { Self.free(id, in: &$0) }) { return "\(id) can be used again." }
        let component = try component()
        let isNews = try change(installation) { Self.free(component.id, in: &$0) }
        return "\"\(component.name)\" \(isNews ? "can be used again" : "was not blocked")."
    }

    private static func free(_ id: String, in settings: inout PluginSettings) -> Bool {
        let wasBlocked = settings.block(id, false)
        return settings.release(id) || wasBlocked
    }
}

struct TrustCommand: DecisionCommand {
    static let name = "trust"
    static let summary = "lets a classic plug-in be loaded into the host"
    static let details = """
        In-process loading takes two consents, the host's (--in-process) and the plug-in's. LADSPA and LV2 plug-ins cannot
        say whether they consent; you say it for them. That holds for the plug-in in the library or folder where it is now;
        one of the same ID elsewhere is not trusted. Native plug-ins say it in their manifests.
        """
    static let examples = ["ladspa:amp_1181:amp"]

    let id: String

    func decide(_ installation: Installation) throws -> String {
        let component = try component()
        guard component.format != .native, let placePath = component.placePath else {
            let answer = component.consentsToInProcess ? "consents to it" : "does not, and nobody can do so for it"
            return "\"\(component.name)\" needs no trust: a native plug-in says itself whether it may be loaded into the host. "
                + "It \(answer)."
        }
        let isNews = try change(installation) { $0.trust(component.id, at: placePath) }
        return "\"\(component.name)\" \(isNews ? "may" : "might already") be loaded into the host, with --in-process. "
            + "A fault of it can take the host down then. Take that back with: "
            + "bulkhead untrust \(ShellWord.quoted(component.id))"
    }
}

struct UntrustCommand: DecisionCommand {
    static let name = "untrust"
    static let summary = "keeps a classic plug-in out of the host again"
    static let examples = ["ladspa:amp_1181:amp"]

    let id: String

    func decide(_ installation: Installation) throws -> String {
        if try change(installation, { $0.distrust(id) }) { return "\(id) stays out of the host." }
        let component = try component()
        let isNews = try change(installation) { $0.distrust(component.id) }
        return "\"\(component.name)\" \(isNews ? "stays out of the host" : "was not trusted")."
    }
}

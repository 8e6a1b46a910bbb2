// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead block, unblock, trust, untrust: the user's decisions about single plug-ins. Main thread.

import Console
import PluginHosting

/// A command that saves a decision about one plug-in.
protocol DecisionCommand: Command {
    /// The plug-in's name on the command line.
    var plugin: String? { get set }
    /// Changes the settings, and returns the sentence to print.
    func decide(_ installation: Installation) throws -> String
}

extension DecisionCommand {
    static var synopsis: String { "ID" }
    static var operands: [Operand] { [Operand("ID", .plugin)] }

    var id: String { plugin ?? "" }

    mutating func take(_ operand: String) -> Bool {
        guard plugin == nil else { return false }
        plugin = operand
        return true
    }

    func finish(_ arguments: Arguments) throws(CommandError) {
        if plugin == nil { throw arguments.usage("Say which plug-in: an ID, or a name.") }
    }

    func run() throws { Terminal.print(try decide(Installation.current)) }

    /// Changes the settings; returns false if nothing changed.
    ///
    /// The user can stop the command while it waits for another one.
    func change(_ installation: Installation, _ body: (inout PluginSettings) -> Bool) throws -> Bool {
        try installation.changeSettings(isStopped: { Interruption.isRequested }, body)
    }

    /// The plug-in with the name on the command line.
    func component() throws -> Component { try InstalledPlugins.registry(wanting: [id]).component(named: id) }
}

struct BlockCommand: DecisionCommand {
    static let name = "block"
    static let summary = "keeps a plug-in from being used"
    static let details = "`bulkhead list --blocked` lists the blocked plug-ins."
    static let examples = ["ladspa:amp_1181:amp"]

    var plugin: String?

    func decide(_ installation: Installation) throws -> String {
        let component = try component()
        let isChange = try change(installation) { $0.block(component.id) }
        return "\"\(component.name)\" \(isChange ? "is blocked now" : "was blocked already"). Use it again with: "
            + "bulkhead unblock \(ShellWord.quoted(component.id))"
    }
}

struct UnblockCommand: DecisionCommand {
    static let name = "unblock"
    static let summary = "allows a plug-in that was blocked or quarantined"
    static let examples = ["ladspa:amp_1181:amp"]

    var plugin: String?

    func decide(_ installation: Installation) throws -> String {
        // For a plug-in that is no longer installed, the ID is enough.
        if try change(installation, { Self.free(id, in: &$0) }) { return "\(id) can be used again." }
        let component = try component()
        let isChange = try change(installation) { Self.free(component.id, in: &$0) }
        return "\"\(component.name)\" \(isChange ? "can be used again" : "was not blocked")."
    }

    private static func free(_ id: String, in settings: inout PluginSettings) -> Bool {
        let wasBlocked = settings.block(id, false)
        return settings.release(id) || wasBlocked
    }
}

struct TrustCommand: DecisionCommand {
    static let name = "trust"
    static let summary = "allows a plug-in to run in the host's process"
    static let details = """
        A plug-in runs in the host's process only if you trust it, the command asks for it (`--in-process`), and the plug-in
        consents. A native plug-in consents in its manifest. LADSPA and LV2 plug-ins cannot, so your trust is enough for them.
        The decision holds for this plug-in as it is now. It ends when the files of the plug-in change, and it is not for a
        plug-in of the same ID elsewhere.
        """
    static let examples = ["ladspa:amp_1181:amp"]

    var plugin: String?

    func decide(_ installation: Installation) throws -> String {
        let component = try component()
        guard component.consentsToInProcess else {
            throw CommandError.failed(
                "Couldn't trust \"\(component.name)\": its manifest does not consent to running in the host's process.")
        }
        let code = try component.code()
        let isChange = try change(installation) { $0.trust(component.id, code) }
        return "\"\(component.name)\" \(isChange ? "can" : "could already") run in the host's process, with --in-process. "
            + "Its crash then ends the host. Undo that with: "
            + "bulkhead untrust \(ShellWord.quoted(component.id))"
    }
}

struct UntrustCommand: DecisionCommand {
    static let name = "untrust"
    static let summary = "keeps a plug-in out of the host's process again"
    static let examples = ["ladspa:amp_1181:amp"]

    var plugin: String?

    func decide(_ installation: Installation) throws -> String {
        if try change(installation, { $0.distrust(id) }) { return "\(id) stays out of the host." }
        let component = try component()
        let isChange = try change(installation) { $0.distrust(component.id) }
        return "\"\(component.name)\" \(isChange ? "stays out of the host" : "was not trusted")."
    }
}

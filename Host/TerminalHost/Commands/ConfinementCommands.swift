// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead confine, unconfine: the confinement of a plug-in's process. Main thread.

import PluginHosting

struct UnconfineCommand: DecisionCommand {
    static let name = "unconfine"
    static let summary = "lifts the confinement of a plug-in's process"
    static let details = """
        The process of a plug-in can read its own files and the system's libraries. It has no network and sees no other
        process. If a plug-in needs another folder, `bulkhead grant` is enough. An unconfined plug-in can do whatever you can.
        The decision holds for this plug-in as it is now, and ends when its files change. `bulkhead list` shows unconfined
        plug-ins in red.
        """
    static let examples = ["ladspa:amp_1181:amp"]

    var plugin: String?

    func decide(_ installation: Installation) throws -> String {
        let component = try component()
        let code = try component.code()
        let isChange = try change(installation) { $0.unconfine(component.id, code) }
        return "\"\(component.name)\" \(isChange ? "can" : "could already") do whatever you can, to your files too. "
            + "Undo that with: bulkhead confine \(ShellWord.quoted(component.id))"
    }
}

struct ConfineCommand: DecisionCommand {
    static let name = "confine"
    static let summary = "confines a plug-in's process again"
    static let examples = ["ladspa:amp_1181:amp"]

    var plugin: String?

    func decide(_ installation: Installation) throws -> String {
        // For a plug-in that is no longer installed, the ID is enough.
        if try change(installation, { $0.confine(id) }) { return "\(id) is confined." }
        let component = try component()
        let isChange = try change(installation) { $0.confine(component.id) }
        return "\"\(component.name)\" \(isChange ? "is confined" : "was confined already")."
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead confine, unconfine: whether a plug-in's process is confined. Main thread.

import PluginHosting

struct UnconfineCommand: DecisionCommand {
    static let name = "unconfine"
    static let summary = "lets a plug-in's process do whatever you may do"
    static let details = """
        The process of a plug-in reaches its own files and the machine's libraries, no network and no other process. One that
        cannot work like that may need no more than to read another folder: see bulkhead grant --help. The decision holds for
        the plug-in where it is now; one of the same ID elsewhere is confined. bulkhead list names the unconfined in red.
        """
    static let examples = ["ladspa:amp_1181:amp"]

    let id: String

    func decide(_ installation: Installation) throws -> String {
        let component = try component()
        let isNews = try change(installation) { $0.unconfine(component.id, at: component.home) }
        return "\"\(component.name)\" \(isNews ? "may" : "might already") do whatever you may do, to your files too. "
            + "Take that back with: bulkhead confine \(ShellWord.quoted(component.id))"
    }
}

struct ConfineCommand: DecisionCommand {
    static let name = "confine"
    static let summary = "confines a plug-in's process again"
    static let examples = ["ladspa:amp_1181:amp"]

    let id: String

    func decide(_ installation: Installation) throws -> String {
        // A plug-in that is no longer installed is confined by the ID that it had.
        if try change(installation, { $0.confine(id) }) { return "\(id) is confined." }
        let component = try component()
        let isNews = try change(installation) { $0.confine(component.id) }
        return "\"\(component.name)\" \(isNews ? "is confined" : "was confined already")."
    }
}

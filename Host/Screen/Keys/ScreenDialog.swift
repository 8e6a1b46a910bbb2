// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A list or a line of text over the screen. The screen's thread.

/// A dialog over the screen.
package struct ScreenDialog: Equatable, Sendable {
    package enum Kind: Hashable, Sendable {
        case help, log
        /// The installed plug-ins.
        case browser
        case presets(node: String)
        case scenes
        /// The name of a new scene.
        case sceneName
        /// The connections.
        case patch
        /// The possible sources of a new connection.
        case patchFrom
        /// The possible destinations of a new connection.
        case patchTo(from: String)
        /// The values of a list.
        case choices(path: String)
        /// A value that is typed.
        case value(path: String)
        /// The running hosts, one of which can be shown.
        case hosts
        /// The question whether the host must end.
        case stop
    }

    package var kind: Kind
    /// The chosen row.
    package var index = 0
    /// The typed text: a search, a name or a value.
    package var text = ""

    package init(_ kind: Kind, index: Int = 0, text: String = "") { (self.kind, self.index, self.text) = (kind, index, text) }

    /// True if letters are text in this dialog.
    package var takesText: Bool {
        switch kind {
        case .browser, .sceneName, .value: true
        default: false
        }
    }
}

/// A row of a dialog's list.
package struct ScreenItem: Equatable, Sendable {
    package var text: String
    /// The text at the right edge.
    package var note = ""
    /// True if this is the present choice.
    package var isCurrent = false
    /// True if it is fainter than others.
    package var isDim = false
}

extension ScreenModel {
    /// The rows of a dialog's list.
    package func items(of dialog: ScreenDialog) -> [ScreenItem] {
        switch dialog.kind {
        case .help, .log, .sceneName, .value, .stop: []
        case .browser: found(dialog.text).map { ScreenItem(text: $0.name, note: note($0), isDim: $0.isQuarantined) }
        case .presets(let node):
            presets?.node == node
                ? (presets?.names ?? []).map { ScreenItem(text: $0.name, note: $0.isFactory ? "factory" : "yours") } : []
        case .hosts: hosts.enumerated().map { ScreenItem(text: "\($0 + 1)  \($1.name)", note: $1.units.joined(separator: ", ")) }
        case .scenes: scenes.enumerated().map { ScreenItem(text: "\($0 + 1)  \($1)", isCurrent: $1 == scene) }
        case .patch: connections.map { ScreenItem(text: "\($0.from) → \($0.to)") }
        case .patchFrom: nodes.filter { $0.kind != "main" }.map { ScreenItem(text: $0.id, note: $0.kind) }
        case .patchTo(let from):
            nodes.filter { $0.id != from && !["input", "player"].contains($0.kind) }.map { ScreenItem(text: $0.id, note: $0.kind) }
        case .choices(let path):
            parameter(path).map { parameter in
                parameter.choices.enumerated().map {
                    ScreenItem(text: $1, isCurrent: parameter.minimum + Double($0) == parameter.value)
                }
            } ?? []
        }
    }

    private func note(_ plugin: ScreenPlugin) -> String {
        (plugin.isQuarantined ? "quarantined  " : "") + "\(String(plugin.manufacturer.prefix(24)))  \(plugin.format)"
    }

    /// The plug-ins that match all words of a search; names that begin with it come first.
    package func found(_ search: String) -> [ScreenPlugin] {
        let words = search.lowercased().split(separator: " ")
        guard let plugins, !words.isEmpty else { return plugins ?? [] }
        let matching = plugins.filter { plugin in words.allSatisfy { plugin.searched.contains($0) } }
        return matching.filter { $0.searched.hasPrefix(words[0]) } + matching.filter { !$0.searched.hasPrefix(words[0]) }
    }

    /// The parameter or level at a path.
    package func parameter(_ path: String) -> ScreenParameter? {
        for list in parameters.values { if let found = list.first(where: { $0.path == path }) { return found } }
        return nil
    }
}

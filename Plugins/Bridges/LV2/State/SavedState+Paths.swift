// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Paths in a plug-in's own state. Control thread.

import CLilv

extension SavedState {
    /// True if it holds a path under any key, or a copy of a file under this one.
    func holds(_ path: String, for key: String) -> Bool {
        properties.contains { property in
            guard property.isText else { return false }
            let text = property.bytes.prefix { $0 != 0 }
            let isCopy = property.key == key && !text.isEmpty && !FileName.isAbsolute(text)
            return isCopy || text.elementsEqual(path.utf8)
        }
    }

    /// The possible keys of a property that the bundle calls `uri`: this one, and those of paths with the same end.
    ///
    /// In the bundles of LSP the URI lacks the plug-in's part: `http://lsp-plug.in//ports#ifn` for `PLUGIN/ports#ifn`.
    func keys(like uri: String) -> [String] {
        let name = Names.lastComponent(of: uri)
        let others = properties.filter { $0.isText && $0.key != uri && Names.lastComponent(of: $0.key) == name }
        let gap = uri.ranges(of: "//").dropFirst().first
        return [uri] + (gap.map { ["\(plugin)/\(uri[$0.upperBound...])"] } ?? []) + others.map(\.key)
    }

    /// The state with another path under a key.
    func with(_ path: String, for key: String) -> SavedState {
        var state = self
        state.properties.removeAll { $0.key == key }
        let flags = LV2_STATE_IS_POD.rawValue | LV2_STATE_IS_PORTABLE.rawValue
        state.properties.append(Property(key: key, type: Names.atom + "Path", flags: flags, bytes: Array(path.utf8) + [0]))
        return state
    }
}

extension SavedState.Property {
    fileprivate var isText: Bool { type == Names.atom + "Path" || type == Names.atom + "String" }
}

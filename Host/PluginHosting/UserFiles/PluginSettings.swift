// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Decisions about single plug-ins: blocked, trusted and unconfined ones, what they may read, and those in
// quarantine. Any thread.

/// The user's decisions, by component ID.
package struct PluginSettings: Hashable, Sendable {
    /// Plug-ins that are not instantiated.
    package private(set) var blocked: Set<String> = []
    /// Classic plug-ins that may be loaded into the host, each with its library or folder at the time of the decision.
    ///
    /// They cannot consent themselves, so the user does. Another plug-in that takes such an ID is not trusted.
    package private(set) var trusted: [String: String] = [:]

    /// Plug-ins that died too often, each with its last fault, to follow its name.
    package private(set) var quarantined: [String: String] = [:]
    /// Plug-ins whose processes are not confined, each with its path at the time of the decision.
    package private(set) var unconfined: [String: String] = [:]
    /// Files and folders that plug-ins may read beside their own.
    package private(set) var granted: [String: [String]] = [:]

    package func blocks(_ id: String) -> Bool { blocked.contains(id) }

    /// Whether the plug-in of this ID and this path is trusted.
    package func trusts(_ id: String, at locationPath: String) -> Bool { Self.names(trusted[id], locationPath) }

    /// Whether the plug-in of this ID and this path is unconfined.
    package func unconfines(_ id: String, at locationPath: String) -> Bool { Self.names(unconfined[id], locationPath) }

    /// Compares paths byte by byte: two texts may be equal and name two files.
    private static func names(_ known: String?, _ locationPath: String) -> Bool {
        known.map { $0.utf8.elementsEqual(locationPath.utf8) } ?? false
    }

    /// Blocks a plug-in or lets it be used again; false when that changes nothing.
    package mutating func block(_ id: String, _ isBlocked: Bool = true) -> Bool {
        isBlocked ? blocked.insert(id).inserted : blocked.remove(id) != nil
    }

    /// Trusts a plug-in at its present path, and no longer at an earlier one; false when that changes nothing.
    package mutating func trust(_ id: String, at locationPath: String) -> Bool {
        guard !trusts(id, at: locationPath) else { return false }
        trusted[id] = locationPath
        return true
    }

    /// Trusts a plug-in no longer; false when that changes nothing.
    package mutating func distrust(_ id: String) -> Bool { trusted.removeValue(forKey: id) != nil }

    /// Puts a plug-in into quarantine; false when that changes nothing.
    package mutating func quarantine(_ id: String, because reason: String) -> Bool {
        guard quarantined[id] == nil else { return false }
        quarantined[id] = String(PrintableText.cleaned(reason).prefix(200))
        return true
    }

    /// Takes a plug-in out of quarantine; false when that changes nothing.
    package mutating func release(_ id: String) -> Bool { quarantined.removeValue(forKey: id) != nil }

    /// Stops confining a plug-in at its present path; false when that changes nothing.
    package mutating func unconfine(_ id: String, at locationPath: String) -> Bool {
        guard !unconfines(id, at: locationPath) else { return false }
        unconfined[id] = locationPath
        return true
    }

    /// Confines a plug-in again; false when that changes nothing.
    package mutating func confine(_ id: String) -> Bool { unconfined.removeValue(forKey: id) != nil }

    /// Lets a plug-in read a file, or a folder and all below it; false when that changes nothing.
    package mutating func grant(_ id: String, reading path: String) -> Bool {
        guard granted[id]?.contains(path) != true else { return false }
        granted[id, default: []].append(path)
        granted[id]?.sort()
        return true
    }

    /// Takes one grant back, or all of them; false when that changes nothing.
    package mutating func revoke(_ id: String, reading path: String?) -> Bool {
        guard let known = granted[id] else { return false }
        let left = path.map { path in known.filter { $0 != path } } ?? []
        granted[id] = left.isEmpty ? nil : left
        return left != known
    }
}

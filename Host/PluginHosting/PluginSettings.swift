// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What has been decided about single plug-ins: blocked ones, trusted ones, and those in quarantine. Any thread.

/// The user's decisions, by component ID.
public struct PluginSettings: Hashable, Sendable {
    /// Plug-ins that are not instantiated.
    public private(set) var blocked: Set<String> = []
    /// Classic plug-ins that may be loaded into the host, each with the library or folder that it was in when the user said
    /// so. They cannot consent themselves; the user does. Whatever else takes such an ID is not what was meant.
    public private(set) var trusted: [String: String] = [:]

    /// Plug-ins that died too often to be started again, each with what it did last, to follow its name.
    public private(set) var quarantined: [String: String] = [:]

    public func blocks(_ id: String) -> Bool { blocked.contains(id) }

    /// Whether the plug-in of this ID is trusted that is in this place.
    public func trusts(_ id: String, at placePath: String) -> Bool {
        // Byte by byte: two texts may be equal and name two files.
        trusted[id].map { $0.utf8.elementsEqual(placePath.utf8) } ?? false
    }

    /// Blocks a plug-in or lets it be used again; false when that changes nothing.
    public mutating func block(_ id: String, _ isBlocked: Bool = true) -> Bool {
        isBlocked ? blocked.insert(id).inserted : blocked.remove(id) != nil
    }

    /// Trusts a plug-in where it is now, and no longer where it was; false when that changes nothing.
    public mutating func trust(_ id: String, at placePath: String) -> Bool {
        guard !trusts(id, at: placePath) else { return false }
        trusted[id] = placePath
        return true
    }

    /// Trusts a plug-in no longer; false when that changes nothing.
    public mutating func distrust(_ id: String) -> Bool { trusted.removeValue(forKey: id) != nil }

    /// Puts a plug-in into quarantine; false when it is there already.
    public mutating func quarantine(_ id: String, because reason: String) -> Bool {
        guard quarantined[id] == nil else { return false }
        quarantined[id] = String(PrintableText.cleaned(reason).prefix(200))
        return true
    }

    /// Takes a plug-in out of quarantine; false when it was not there.
    public mutating func release(_ id: String) -> Bool { quarantined.removeValue(forKey: id) != nil }
}

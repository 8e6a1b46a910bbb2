// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The user's decisions about single plug-ins: blocked ones, ones in quarantine, and rights. Any thread.

import Printing

/// The user's decisions, by component ID.
package struct PluginSettings: Hashable, Sendable {
    /// Plug-ins that are not instantiated.
    package private(set) var blocked: Set<String> = []
    /// Plug-ins that died too often, each with its last fault as a clause after its name.
    package private(set) var quarantined: [String: String] = [:]
    /// The rights that the user gave, each with the code that has them.
    package private(set) var rights: [String: PluginRights] = [:]

    package func blocks(_ id: String) -> Bool { blocked.contains(id) }

    /// Blocks a plug-in or lets it be used again; false if that changes nothing.
    package mutating func block(_ id: String, _ isBlocked: Bool = true) -> Bool {
        isBlocked ? blocked.insert(id).inserted : blocked.remove(id) != nil
    }

    /// Puts a plug-in into quarantine; false if that changes nothing.
    package mutating func quarantine(_ id: String, because reason: String) -> Bool {
        guard quarantined[id] == nil else { return false }
        quarantined[id] = String(PrintableText.cleaned(reason).prefix(200))
        return true
    }

    /// Takes a plug-in out of quarantine; false if that changes nothing.
    package mutating func release(_ id: String) -> Bool { quarantined.removeValue(forKey: id) != nil }

    /// Lets exactly this code be loaded into the host, and no earlier one; false if that changes nothing.
    package mutating func trust(_ id: String, _ code: PluginCode) -> Bool {
        give(id, code) { $0.trusted = $0.trusted ?? PluginRights.today }
    }

    /// Ends the trust in a plug-in; false if that changes nothing.
    package mutating func distrust(_ id: String) -> Bool { take(id) { $0.trusted = nil } }

    /// Stops confining exactly this code; false if that changes nothing.
    package mutating func unconfine(_ id: String, _ code: PluginCode) -> Bool {
        give(id, code) { $0.unconfined = $0.unconfined ?? PluginRights.today }
    }

    /// Confines a plug-in again; false if that changes nothing.
    package mutating func confine(_ id: String) -> Bool { take(id) { $0.unconfined = nil } }

    /// Lets exactly this code read a file, or a folder and all below it; false if that changes nothing.
    package mutating func grant(_ id: String, _ code: PluginCode, reading path: String) -> Bool {
        give(id, code) { $0.granted[path] = $0.granted[path] ?? PluginRights.today }
    }

    /// Lets exactly this code open a window of its own; false if that changes nothing.
    package mutating func grantWindow(_ id: String, _ code: PluginCode) -> Bool {
        give(id, code) { $0.windowed = $0.windowed ?? PluginRights.today }
    }

    /// Takes one grant of a file back; false if that changes nothing.
    package mutating func revoke(_ id: String, reading path: String) -> Bool { take(id) { $0.granted[path] = nil } }

    /// Takes the grant of a window back; false if that changes nothing.
    package mutating func revokeWindow(_ id: String) -> Bool { take(id) { $0.windowed = nil } }

    /// Takes all grants back, of files and of a window; false if that changes nothing.
    package mutating func revokeAll(_ id: String) -> Bool {
        take(id) { rights in
            rights.granted = [:]
            rights.windowed = nil
        }
    }

    /// Adds a right.
    ///
    /// Rights of other code of that ID end: the user has now decided about this code.
    private mutating func give(_ id: String, _ code: PluginCode, _ body: (inout PluginRights) -> Void) -> Bool {
        let old = rights[id].flatMap { $0.code.isSame(as: code) ? $0 : nil }
        var new = old ?? PluginRights(code)
        body(&new)
        guard new != old else { return false }
        rights[id] = new
        return true
    }

    private mutating func take(_ id: String, _ body: (inout PluginRights) -> Void) -> Bool {
        guard let old = rights[id] else { return false }
        var new = old
        body(&new)
        rights[id] = new.isEmpty ? nil : new
        return new != old
    }
}

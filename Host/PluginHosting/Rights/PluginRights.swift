// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The rights that the user gave to one plug-in, each since a day. Any thread.

import FoundationEssentials
import LinuxSystem
import Printing

/// The rights of one plug-in, and the code to which they belong.
///
/// They do not hold for a plug-in that takes the same ID, or whose files have changed.
package struct PluginRights: Codable, Hashable, Sendable {
    /// The code that the user decided about.
    package let code: PluginCode
    /// The day since which it may be loaded into the host's process, such as `2026-11-25`; nil if it may not.
    package internal(set) var trusted: String?
    /// The day since which its process is not confined; nil if it is.
    package internal(set) var unconfined: String?
    /// The day since which its own window may be opened; nil if it may not.
    ///
    /// Only on an X server of its own is the window confined.
    package internal(set) var windowed: String?
    /// The files and folders that it may read beside its own, each with the day of the grant.
    package internal(set) var granted: [String: String]

    init(_ code: PluginCode) {
        self.code = code
        granted = [:]
    }

    /// True if it has no rights at all.
    var isEmpty: Bool { trusted == nil && unconfined == nil && windowed == nil && granted.isEmpty }

    /// Today's date, as the file of decisions writes it.
    static var today: String { Date.now.formatted(.iso8601.year().month().day()) }
}

/// Rights that the user gave to another plug-in of the same ID, or to this one before its files changed.
public struct LapsedRights: Codable, Hashable, Sendable {
    /// The change since the decision.
    public let change: CodeChange
    /// The rights that the user had given, each as the end of a sentence: "read \"/srv/samples\"".
    public let allowances: [String]

    init(_ rights: PluginRights, _ change: CodeChange) {
        self.change = change
        var allowances: [String] = []
        if rights.trusted != nil { allowances.append("be loaded into the host") }
        if rights.unconfined != nil { allowances.append("run unconfined") }
        if rights.windowed != nil { allowances.append("open a window of its own") }
        allowances += rights.granted.keys.sorted().map { "read \"\(PrintableText.cleaned($0))\"" }
        self.allowances = allowances
    }
}

extension Component {
    /// `[control]` The plug-in's present code, for a decision about it.
    ///
    /// It reads all files of the plug-in.
    package func code() throws(HostingError) -> PluginCode {
        do throws(SystemError) {
            return try PluginCode(at: home)
        } catch {
            throw .system(error)
        }
    }

    /// Takes the rights that the user gave to exactly this plug-in.
    mutating func take(_ rights: PluginRights?) {
        guard let rights else { return }
        if let change = rights.code.change(at: home) {
            lapsedRights = LapsedRights(rights, change)
            return
        }
        self.rights = rights
        isTrusted = rights.trusted != nil
        // The user chose the target of the path. A link that is in the path now may lead anywhere.
        granted = rights.granted.keys.filter { FilePath.resolved($0) == $0 }.sorted()
        if rights.unconfined != nil { profile = .off }
    }
}

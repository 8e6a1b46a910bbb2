// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The permissions of a plug-in's process with reasons and dates, for the user to read. Control thread.

import Confinement
import Printing

/// One act that a plug-in may or may not do.
package struct PluginPermission: Encodable, Sendable {
    /// True if the plug-in may do it.
    package let isAllowed: Bool
    /// The act, to follow "may" or "may not".
    package let act: String
    /// The reason, as the end of a sentence.
    package let reason: String
    /// The day of the user's decision, such as `2026-11-25`; nil without a decision.
    package let since: String?

    init(_ isAllowed: Bool, _ act: String, _ reason: String, since: String? = nil) {
        self.isAllowed = isAllowed
        self.act = act
        self.reason = reason
        self.since = since
    }
}

extension Component {
    /// `[control]` Everything that decides what the plug-in can reach.
    ///
    /// The list includes rights that have ended, and walls that this machine lacks.
    package var permissions: [PluginPermission] {
        use + loading + window + (profile == .off ? unconfined : confined) + lapsed
    }

    private var use: [PluginPermission] {
        if isBlocked { return [PluginPermission(false, "be used", "you have blocked it")] }
        if let quarantineReason {
            return [PluginPermission(false, "be used in a chain", "it is in quarantine: it \(quarantineReason)")]
        }
        return []
    }

    private var loading: [PluginPermission] {
        let act = "be loaded into the host's process, with all of your rights"
        guard consentsToInProcess else { return [PluginPermission(false, act, "its manifest does not consent")] }
        guard isTrusted else { return [PluginPermission(false, act, "you have not trusted it")] }
        return [PluginPermission(true, act, "you trusted it, when a command asks for that", since: rights?.trusted)]
    }

    private var window: [PluginPermission] {
        guard let day = rights?.windowed else { return [] }
        return [PluginPermission(true, "open a window of its own, which can do whatever you may do", "you granted it", since: day)]
    }

    private var unconfined: [PluginPermission] {
        [PluginPermission(true, "do whatever you may do, to your files too", "you unconfined it", since: rights?.unconfined)]
    }

    private var confined: [PluginPermission] {
        guard let confinement = confinement() else { return [] }
        func read(_ paths: [String], _ reason: String) -> PluginPermission {
            PluginPermission(true, "read \(paths.filter { !FilePath.isAbsent($0) }.joined(separator: ", "))", reason)
        }
        var list = [read([home], "it is the plug-in")]
        if format != .native {
            list.append(read([FilePath.folder(of: executablePath)], "it is the bridge that makes a unit of it"))
            list.append(read(Self.folders(of: format), "plug-ins of its format may need each other's files"))
        }
        list.append(read(MachinePaths.loading.map(\.path), "every program needs that to be loaded"))
        if profile == .standard { list.append(read(MachinePaths.data.map(\.path), "libraries of classic plug-ins read that")) }
        list += granted.map { PluginPermission(true, "read \($0)", "you granted it", since: rights?.granted[$0]) }
        list.append(PluginPermission(true, "read files that you set as its texts", "you name them; it cannot"))
        if confinement.temporaryByteCount > 0 {
            let size = Self.mebibytes(confinement.temporaryByteCount)
            list.append(PluginPermission(true, "keep \(size) of temporary files", "they are private, and go with the process"))
        }
        let limits = confinement.limits
        let most =
            "\(Self.mebibytes(limits.memoryByteCount)) of memory, \(limits.descriptorCount) descriptors, \(limits.threadCount) threads"
        list.append(PluginPermission(true, "use \(most)", "that is the limit of its kind"))
        let never = "no plug-in may"
        return list + [
            PluginPermission(false, "write to your files", never), PluginPermission(false, "reach the network", never),
            PluginPermission(false, "see, start or signal other processes", never),
        ] + HostConfiguration.confinementGaps.map { PluginPermission(true, "go where a wall is missing on this machine", "\($0)") }
    }

    private var lapsed: [PluginPermission] {
        guard let lapsedRights else { return [] }
        let reason =
            switch lapsedRights.change {
            case .moved(let from, _): "you allowed that to the one in \(PrintableText.cleaned(from))"
            case .altered: "you allowed that before its files changed"
            }
        return lapsedRights.allowances.map { PluginPermission(false, $0, reason) }
    }

    private static func mebibytes(_ count: UInt64) -> String { "\(count >> 20) MiB" }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What this machine offers to confine a process with, and what it lacks. Any thread.

import CConfinementShims
import Glibc
import LinuxSystem
import Synchronization

/// A part of confinement that cannot be had here.
public enum ConfinementGap: Hashable, Sendable {
    case namespace(Namespace, code: Int32)
    /// The keeper of processes is not installed at any of these paths.
    case keeper(paths: [String])
    case landlock
    /// Landlock is there and too old for these things.
    case oldLandlock(version: Int, lacks: [String])
    case systemCallFilter
    /// The kernel refuses a /proc of the processes of a PID namespace.
    case ownProcessFolder
}

/// What can be had.
public struct ConfinementOffer: Sendable {
    public private(set) var namespaces: Set<Namespace>
    public private(set) var landlockVersion: Int
    public private(set) var filtersSystemCalls: Bool
    /// The program that is the first process of a PID namespace, or where there are none one of every process's group.
    let keeperPath: String?
    public private(set) var gaps: [ConfinementGap]
    /// The kernel's answer where something was short while this was found out, and nobody can say what else there is.
    let shortage: Int32?

    /// That of this machine, for this user. Found out once, unless something is short: for nobody knows how long.
    public static var current: ConfinementOffer {
        found.withLock { found in
            if let found { return found }
            let offer = ConfinementOffer()
            if offer.shortage == nil { found = offer }
            return offer
        }
    }

    private static let found = Mutex<ConfinementOffer?>(nil)

    /// Whether the same may be had a moment later. A limit on namespaces (ENOSPC) is none: it may be that of 0.
    static func isShortage(_ code: Int32) -> Bool { [EAGAIN, ENOMEM, EMFILE, ENFILE].contains(code) }

    private init() {
        let refusals = Namespace.refusals()
        shortage = refusals.values.first(where: Self.isShortage)
        let candidates = Self.keeperPaths
        keeperPath = candidates.first { access($0, X_OK) == 0 }
        var had = Set(Namespace.allCases.filter { refusals[$0] == nil })
        var gaps = Namespace.allCases.compactMap { namespace in
            refusals[namespace].map { ConfinementGap.namespace(namespace, code: $0) }
        }
        if keeperPath == nil {
            had.remove(.process)
            gaps.append(.keeper(paths: candidates))
        }
        landlockVersion = Landlock.version
        filtersSystemCalls = CConfinementShims_hasSystemCallFilters() != 0
        let lacks = Landlock.gaps(ofVersion: landlockVersion)
        if landlockVersion == 0 { gaps.append(.landlock) }
        if landlockVersion > 0, !lacks.isEmpty { gaps.append(.oldLandlock(version: landlockVersion, lacks: lacks)) }
        if !filtersSystemCalls { gaps.append(.systemCallFilter) }
        namespaces = had
        self.gaps = gaps
    }

    /// What its processes have in common instead of a network namespace each: where two walls beside it, the filter of system calls
    /// and Landlock, keep them from reaching each other through abstract sockets in there.
    var commonNetwork: CommonNetwork? {
        let isWalledOff = filtersSystemCalls && landlockVersion >= Landlock.versionOfScopes
        return isWalledOff && namespaces.isSuperset(of: [.user, .network]) ? CommonNetwork.current : nil
    }

    /// What a machine would offer that lacked this: to try the walls one by one.
    func lacking(
        _ lacked: Set<Namespace> = [], landlock: Bool = false, systemCallFilter: Bool = false
    ) -> ConfinementOffer {
        var offer = self
        for namespace in Namespace.allCases where offer.namespaces.contains(namespace) && lacked.contains(namespace) {
            offer.namespaces.remove(namespace)
            offer.gaps.append(.namespace(namespace, code: EPERM))
        }
        if landlock {
            offer.landlockVersion = 0
            offer.gaps.append(.landlock)
        }
        if systemCallFilter {
            offer.filtersSystemCalls = false
            offer.gaps.append(.systemCallFilter)
        }
        return offer
    }

    /// Where the keeper is looked for.
    private static let supportFolders = Mutex<[String]?>(nil)

    /// The folder of this program, as in a build; the library folder of an installation beside it; and those of other installations.
    package static var defaultSupportFolders: [String] {
        let folder = OwnExecutable.folder
        return [folder, "\(folder)/../lib/bulkhead", "/usr/local/lib/bulkhead", "/usr/lib/bulkhead"]
    }

    /// Looks for the keeper in these folders from now on.
    package static func setSupportFolders(_ folders: [String]) {
        supportFolders.withLock { $0 = folders }
        found.withLock { $0 = nil }
    }

    private static var keeperPaths: [String] {
        (supportFolders.withLock { $0 } ?? defaultSupportFolders).map { "\($0)/bulkhead-keeper" }
    }
}

extension ConfinementGap: CustomStringConvertible {
    /// What is missing, as a sentence.
    public var description: String {
        switch self {
        case .namespace(let namespace, let code):
            "The kernel makes no \(namespace.rawValue) namespace for you: \(SystemError("", code: code).reason)."
        case .keeper(let paths):
            "There is no keeper, which ends plug-ins when the host is gone, at \(paths.joined(separator: " or "))."
        case .landlock: "The kernel has no Landlock."
        case .oldLandlock(let version, let lacks):
            "The kernel's Landlock is version \(version) and does not restrict \(lacks.joined(separator: ", "))."
        case .systemCallFilter: "The kernel has no seccomp filters."
        case .ownProcessFolder: "The kernel refuses a /proc of an extension's own; extensions have none."
        }
    }
}

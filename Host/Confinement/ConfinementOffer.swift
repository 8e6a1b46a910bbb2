// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The confinement that this machine supports, and the missing parts. Any thread.

import CConfinementShims
import Glibc
import LinuxSystem
import Synchronization

/// `[any]` A part of confinement that this machine lacks.
public enum ConfinementGap: Hashable, Sendable {
    /// The kernel makes no such namespace; `code` is its errno.
    case namespace(Namespace, code: Int32)
    /// The keeper is installed at none of these paths.
    case keeper(paths: [String])
    /// The kernel has no Landlock.
    case landlock
    /// The kernel's Landlock is too old to restrict these things.
    case oldLandlock(version: Int, lacks: [String])
    /// The kernel does not support seccomp filters.
    case systemCallFilter
    /// The kernel refuses a /proc that shows one PID namespace.
    case ownProcessFolder
}

/// `[any]` The parts of confinement that a machine supports.
package struct ConfinementOffer: Sendable {
    /// The namespaces that a process can have of its own.
    package private(set) var namespaces: Set<Namespace>
    /// The kernel's Landlock version (ABI); 0 without Landlock.
    package private(set) var landlockVersion: Int
    /// True if the kernel supports seccomp filters.
    package private(set) var filtersSystemCalls: Bool
    /// The program that becomes the first process of a PID namespace, or otherwise a member of each process's group.
    let keeperPath: String?
    /// The parts that are missing.
    package private(set) var gaps: [ConfinementGap]
    /// The control group that is divided among the processes, or the reason why there is none.
    ///
    /// Few sessions delegate one, so its lack is no gap.
    package private(set) var groups: Result<DelegatedGroup, DelegatedGroup.Refusal>
    /// The kernel's errno, if a shortage prevented the search for further parts.
    let shortage: Int32?

    /// The confinement that this machine supports for this user.
    ///
    /// It is searched once. After a shortage the next use searches again, because a shortage may pass.
    package static var current: ConfinementOffer {
        found.withLock { found in
            if let found { return found }
            let offer = ConfinementOffer()
            if offer.shortage == nil { found = offer }
            return offer
        }
    }

    private static let found = Mutex<ConfinementOffer?>(nil)

    /// True if an error may be temporary.
    ///
    /// ENOSPC, a limit on namespaces, does not count: the limit may be 0.
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
        groups = Result { () throws(DelegatedGroup.Refusal) in try DelegatedGroup() }
    }

    var delegatedGroup: DelegatedGroup? { try? groups.get() }

    /// The network namespace that extensions share; nil if each must have its own.
    ///
    /// Sharing is safe only if the filter of system calls and Landlock both bar processes from each other's abstract sockets.
    var commonNetwork: CommonNetwork? {
        let isWalledOff = filtersSystemCalls && landlockVersion >= Landlock.versionOfScopes
        return isWalledOff && namespaces.isSuperset(of: [.user, .network]) ? CommonNetwork.current : nil
    }

    /// The same without some parts, so that tests can try the walls one by one.
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

    /// The same with another group to divide, for tests.
    func dividing(_ group: DelegatedGroup) -> ConfinementOffer {
        var offer = self
        offer.groups = .success(group)
        return offer
    }

    /// The folders in which the keeper is searched.
    private static let supportFolders = Mutex<[String]?>(nil)

    /// The program's folder, as in a build; the library folder of its installation; and those of other installations.
    package static var defaultSupportFolders: [String] {
        let folder = OwnExecutable.folder
        return [folder, "\(folder)/../lib/bulkhead", "/usr/local/lib/bulkhead", "/usr/lib/bulkhead"]
    }

    /// Searches the keeper in these folders from now on.
    package static func setSupportFolders(_ folders: [String]) {
        supportFolders.withLock { $0 = folders }
        found.withLock { $0 = nil }
    }

    private static var keeperPaths: [String] {
        (supportFolders.withLock { $0 } ?? defaultSupportFolders).map { "\($0)/bulkhead-keeper" }
    }
}

extension ConfinementGap: CustomStringConvertible {
    /// The missing part, as a sentence for the user.
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

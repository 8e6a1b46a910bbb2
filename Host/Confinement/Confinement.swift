// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The parts of the machine that a process may reach: files, system calls, memory. Control thread.

import CConfinementShims
import CLinuxShims
import Glibc
import LinuxSystem

/// `[control]` The confinement of a process, in force before the first byte of its program runs.
///
/// Every wall is built twice if the kernel supports it. Unnamed files do not exist in the process's own mount namespace, and
/// Landlock would not open them. Its PID namespace does not show other processes, and the filter of system calls forbids acting
/// on them.
package struct Confinement: Hashable, Sendable {
    /// The permitted system calls.
    package enum SystemCalls: Int32, Hashable, Sendable {
        /// Memory, threads, time, and reading files.
        case few = 1
        /// The same, and calls for the process's own files.
        case standard = 2
    }

    /// A file or folder by name, and the access to it.
    package struct NamedPath: Hashable, Sendable {
        /// The absolute path.
        package var path: String
        /// The access to it.
        ///
        /// A folder's access covers everything below it.
        package var access: FileAccess
        /// True if links on the way are followed.
        ///
        /// If the user chose a path by its target, the path is skipped once it has a link.
        package var followsLinks: Bool

        /// Names a file or folder.
        package init(_ path: String, _ access: FileAccess, followingLinks followsLinks: Bool = true) {
            self.path = path
            self.access = access
            self.followsLinks = followsLinks
        }
    }

    /// The files and folders that are visible to the process.
    ///
    /// Missing paths are skipped.
    package var paths: [NamedPath]
    /// Code among these paths that the process sees as the host has read it.
    package var held: [HeldCode] = []
    /// Bytes of a private /tmp in memory that goes away with the process; 0 for none.
    package var temporaryByteCount: UInt64
    /// True if it has a /proc that shows only its own PID namespace.
    package var hasOwnProcesses: Bool
    /// The permitted system calls.
    package var systemCalls: SystemCalls
    /// The limits on the machine's resources.
    package var limits: ResourceLimits

    /// Makes a confinement of all its parts.
    package init(
        paths: [NamedPath], temporaryByteCount: UInt64, hasOwnProcesses: Bool, systemCalls: SystemCalls, limits: ResourceLimits
    ) {
        self.paths = paths
        self.temporaryByteCount = temporaryByteCount
        self.hasOwnProcesses = hasOwnProcesses
        self.systemCalls = systemCalls
        self.limits = limits
    }
}

/// A confinement ready for one process: paths resolved, descriptors open.
struct PreparedConfinement {
    private let confinement: Confinement
    private let offer: ConfinementOffer
    private let visible: VisiblePaths
    /// A folder in the common temporary folder, if no private /tmp is possible.
    ///
    /// Landlock keeps the process inside it.
    let privateFolder: PrivateFolder?
    /// The control group of the process, if the user's session has delegated one.
    let group: ControlGroup?

    /// Removes folders of hosts that were killed.
    ///
    /// It runs once, before this process makes its own first folder.
    private static let abandonedFoldersAreGone: Void = PrivateFolder.removeAbandoned()

    /// The path at which the process finds its folder for temporary files; nil without one.
    var temporaryFolder: String? {
        confinement.temporaryByteCount > 0 ? privateFolder?.path ?? "/tmp" : nil
    }

    init(_ confinement: Confinement, offer: ConfinementOffer = .current) throws(SystemError) {
        // A process that started in spite of it would be confined less as long as it runs.
        if let shortage = offer.shortage { throw SystemError("find out how far a plug-in can be confined", code: shortage) }
        self.offer = offer
        var confinement = confinement
        if offer.namespaces.contains(.mount) {
            privateFolder = nil
            visible = VisiblePaths(
                confinement.paths, holding: confinement.held, mostPaths: Int(CConfinementShims_maximumBindCount))
            // A process that is shown the machine's /tmp has no private one at that path.
            if visible.paths.contains(where: { $0.path == "/tmp" }) { confinement.temporaryByteCount = 0 }
        } else {
            _ = Self.abandonedFoldersAreGone
            privateFolder = confinement.temporaryByteCount == 0 ? nil : try PrivateFolder()
            if let privateFolder { confinement.paths.append(Confinement.NamedPath(privateFolder.path, .keepFiles)) }
            visible = VisiblePaths(confinement.paths)
        }
        group = try offer.delegatedGroup?.makeGroup(
            confinement.limits, temporaryByteCount: confinement.temporaryByteCount)
        self.confinement = confinement
    }

    /// Calls `body` with the C form of the confinement, and with the host's end of the keeper's lifeline or -1.
    ///
    /// If `body` returns, it owns the lifeline.
    func with<Value>(
        _ body: (UnsafePointer<CConfinementShims_Confinement>, _ lifeline: Int32) throws(SystemError) -> Value
    ) throws(SystemError) -> Value {
        var texts: [UnsafeMutablePointer<CChar>] = []
        defer { texts.forEach { free($0) } }
        func text(_ string: String) -> UnsafePointer<CChar> {
            let copy = strdup(string)!
            texts.append(copy)
            return UnsafePointer(copy)
        }
        let binds = visible.paths.map { path in
            CConfinementShims_Bind(
                path: text(path.path), device: path.identity.device, inode: path.identity.inode,
                changeSeconds: path.identity.changeSeconds, changeNanoseconds: path.identity.changeNanoseconds,
                isHeld: path.isHeld ? 1 : 0, isOptional: path.isOptional ? 1 : 0, isFolder: path.isFolder ? 1 : 0,
                isWritable: path.access.isDisjoint(with: [.write, .keepFiles]) ? 0 : 1, isDevice: path.isDevice ? 1 : 0)
        }
        let links = visible.links.sorted { $0.key < $1.key }.map {
            CConfinementShims_Link(path: text($0.key.text), target: text($0.value))
        }
        let folders = visible.folders.sorted().map { Optional(text($0.text)) }
        let limits = confinement.limits.list(countsThreads: offer.namespaces.contains(.user))
        let ruleset = offer.landlockVersion > 0 ? try Landlock.ruleset(allowing: visible.paths) : Descriptor(owning: -1)
        var keeper = Descriptor(owning: -1)
        var watched = Descriptor(owning: -1)
        var lifeline = Descriptor(owning: -1)
        if let path = offer.keeperPath {
            keeper = Descriptor(owning: try SystemError.check(CLinuxShims_openPath(path), "open \"\(path)\""))
            var ends: [Int32] = [-1, -1]
            try SystemError.check(CLinuxShims_pipe(&ends), "make a pipe")
            watched = Descriptor(owning: ends[0])
            lifeline = Descriptor(owning: ends[1])
        }
        let value = try binds.withUnsafeBufferPointer { (binds) throws(SystemError) in
            try links.withUnsafeBufferPointer { (links) throws(SystemError) in
                try folders.withUnsafeBufferPointer { (folders) throws(SystemError) in
                    try limits.withUnsafeBufferPointer { (limits) throws(SystemError) in
                        let network = offer.commonNetwork
                        let namespaces = network == nil ? offer.namespaces : offer.namespaces.subtracting([.network])
                        var prepared = CConfinementShims_Confinement(
                            namespaces: namespaces.reduce(0) { $0 | $1.flag }, network: network?.namespace ?? -1,
                            networkOwner: network?.owner ?? -1, keeper: keeper.number,
                            keeperLifeline: watched.number, binds: binds.baseAddress, bindCount: binds.count,
                            links: links.baseAddress, linkCount: links.count, folders: folders.baseAddress,
                            folderCount: folders.count, temporaryByteCount: confinement.temporaryByteCount,
                            hasProcesses: confinement.hasOwnProcesses ? 1 : 0, ruleset: ruleset.number,
                            rulesetVersion: Int32(offer.landlockVersion),
                            systemCalls: offer.filtersSystemCalls ? confinement.systemCalls.rawValue : 0,
                            limits: limits.baseAddress, limitCount: limits.count,
                            groupEntrance: group?.entrance ?? -1)
                        return try body(&prepared, lifeline.number)
                    }
                }
            }
        }
        _ = lifeline.release()
        return value
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a process may reach: files, system calls, memory. Control thread.

import CConfinementShims
import CLinuxShims
import Glibc
import LinuxSystem

/// `[control]` What a process is confined to before the first byte of its program runs.
///
/// Every wall is built twice where the kernel allows it. Files that are not named do not exist in the process's own mount
/// namespace, and Landlock would not open them if they did. Its PID namespace does not show other processes, and the
/// filter of system calls forbids acting on them.
package struct Confinement: Hashable, Sendable {
    /// Which system calls the process may make.
    package enum SystemCalls: Int32, Hashable, Sendable {
        /// Memory, threads, time, and reading files.
        case few = 1
        /// The same, and keeping files of its own.
        case standard = 2
    }

    /// A file or folder by name, and what may be done with it.
    package struct NamedPath: Hashable, Sendable {
        /// The absolute path.
        package var path: String
        /// What may be done with it.
        ///
        /// A folder's access covers everything below it.
        package var access: FileAccess
        /// Whether links on the way are followed.
        ///
        /// A path that the user chose by what it led to is skipped once there is a link in it.
        package var followsLinks: Bool

        /// Names a file or folder.
        package init(_ path: String, _ access: FileAccess, followingLinks followsLinks: Bool = true) {
            self.path = path
            self.access = access
            self.followsLinks = followsLinks
        }
    }

    /// The files and folders that the process sees.
    ///
    /// A path that does not exist is skipped.
    package var paths: [NamedPath]
    /// Bytes of a private /tmp in memory that goes away with the process; 0 for none.
    package var temporaryByteCount: UInt64
    /// Whether it has a /proc that shows its own PID namespace alone.
    package var hasOwnProcesses: Bool
    /// Which system calls it may make.
    package var systemCalls: SystemCalls
    /// How much of the machine it may use.
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
    /// A folder in the common temporary folder, where no private /tmp can be had.
    ///
    /// Landlock keeps the process inside it.
    let privateFolder: PrivateFolder?
    /// The control group of the process, where the user's session has delegated one.
    let group: ControlGroup?

    /// Removes folders that killed hosts left behind.
    ///
    /// It runs once, before this process makes the first one of its own.
    private static let abandonedFoldersAreGone: Void = PrivateFolder.removeAbandoned()

    /// Where the process finds a folder for its temporary files; nil when it has none.
    var temporaryFolder: String? {
        confinement.temporaryByteCount > 0 ? privateFolder?.path ?? "/tmp" : nil
    }

    init(_ confinement: Confinement, offer: ConfinementOffer = .current) throws(SystemError) {
        // A process that started in spite of it would be confined less for as long as it runs.
        if let shortage = offer.shortage { throw SystemError("find out how far a plug-in can be confined", code: shortage) }
        self.offer = offer
        var confinement = confinement
        if offer.namespaces.contains(.mount) {
            privateFolder = nil
            visible = VisiblePaths(confinement.paths)
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
                path: text(path.path), device: path.device, inode: path.inode, isFolder: path.isFolder ? 1 : 0,
                isWritable: path.access.isDisjoint(with: [.write, .keepFiles]) ? 0 : 1, isDevice: path.isDevice ? 1 : 0)
        }
        let links = visible.links.sorted { $0.key < $1.key }.map {
            CConfinementShims_Link(path: text($0.key), target: text($0.value))
        }
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
                try limits.withUnsafeBufferPointer { (limits) throws(SystemError) in
                    let network = offer.commonNetwork
                    let namespaces = network == nil ? offer.namespaces : offer.namespaces.subtracting([.network])
                    var prepared = CConfinementShims_Confinement(
                        namespaces: namespaces.reduce(0) { $0 | $1.flag }, network: network?.namespace ?? -1,
                        networkOwner: network?.owner ?? -1, keeper: keeper.number,
                        keeperLifeline: watched.number, binds: binds.baseAddress, bindCount: binds.count,
                        links: links.baseAddress, linkCount: links.count, temporaryByteCount: confinement.temporaryByteCount,
                        hasProcesses: confinement.hasOwnProcesses ? 1 : 0, ruleset: ruleset.number,
                        rulesetVersion: Int32(offer.landlockVersion),
                        systemCalls: offer.filtersSystemCalls ? confinement.systemCalls.rawValue : 0,
                        limits: limits.baseAddress, limitCount: limits.count,
                        groupEntrance: group?.entrance ?? -1)
                    return try body(&prepared, lifeline.number)
                }
            }
        }
        _ = lifeline.release()
        return value
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How far a process gets: files, system calls, memory. Control thread.

import CConfinementShims
import CLinuxShims
import Glibc
import LinuxSystem

/// What a process is confined to, from before the first byte of its program on.
///
/// Every wall is built twice where the kernel allows it. Files that are not named here are not there, in a mount namespace
/// of the process's own, and Landlock would not open them if they were. Other processes have no number in its PID
/// namespace, and the filter of system calls lets nothing be done to them.
public struct Confinement: Hashable, Sendable {
    /// Which system calls there are.
    public enum SystemCalls: Int32, Hashable, Sendable {
        /// Memory, threads, time, and reading files.
        case few = 1
        /// The same, and keeping files of its own.
        case standard = 2
    }

    /// A file or folder, as it is named; links on the way are followed.
    public struct NamedPath: Hashable, Sendable {
        public var path: String
        public var access: FileAccess

        public init(_ path: String, _ access: FileAccess) {
            self.path = path
            self.access = access
        }
    }

    public var paths: [NamedPath]
    /// Bytes of a /tmp of its own, in memory, gone with it; 0 for none.
    public var temporaryByteCount: UInt64
    /// Whether it has a /proc, which shows itself alone.
    public var hasOwnProcesses: Bool
    public var systemCalls: SystemCalls
    public var limits: ResourceLimits

    public init(
        paths: [NamedPath], temporaryByteCount: UInt64, hasOwnProcesses: Bool, systemCalls: SystemCalls, limits: ResourceLimits
    ) {
        self.paths = paths
        self.temporaryByteCount = temporaryByteCount
        self.hasOwnProcesses = hasOwnProcesses
        self.systemCalls = systemCalls
        self.limits = limits
    }
}

/// A confinement about to be laid upon a process: paths looked up, descriptors open.
struct PreparedConfinement {
    private let confinement: Confinement
    private let offer: ConfinementOffer
    private let visible: VisiblePaths
    /// Where there is no /tmp of its own to be had: a folder among everybody's, in which Landlock keeps it.
    let privateFolder: PrivateFolder?

    /// Done once, before this process starts the first one that could leave such a folder in its turn.
    private static let abandonedFoldersAreGone: Void = PrivateFolder.removeAbandoned()

    /// Where the process finds a folder for its temporary files; nil when it has none.
    var temporaryFolder: String? {
        confinement.temporaryByteCount > 0 ? privateFolder?.path ?? "/tmp" : nil
    }

    init(_ confinement: Confinement, offer: ConfinementOffer = .current) throws(SystemError) {
        // Whoever is started in spite of it is confined less for as long as it runs.
        if let shortage = offer.shortage { throw SystemError("find out how far a plug-in can be confined", code: shortage) }
        self.offer = offer
        var confinement = confinement
        if offer.namespaces.contains(.mount) {
            privateFolder = nil
            visible = VisiblePaths(confinement.paths.map { ($0.path, $0.access) })
            // One that is shown everybody's has none of its own in that place.
            if visible.paths.contains(where: { $0.path == "/tmp" }) { confinement.temporaryByteCount = 0 }
        } else {
            _ = Self.abandonedFoldersAreGone
            privateFolder = confinement.temporaryByteCount == 0 ? nil : try PrivateFolder()
            if let privateFolder { confinement.paths.append(Confinement.NamedPath(privateFolder.path, .keepFiles)) }
            visible = VisiblePaths(confinement.paths.map { ($0.path, $0.access) })
        }
        self.confinement = confinement
    }

    /// Calls `body` with everything as C has it, and with the end of the keeper's lifeline that `body` is to own if it
    /// returns, or -1.
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
                path: text(path.path), isFolder: path.isFolder ? 1 : 0,
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
                        limits: limits.baseAddress, limitCount: limits.count)
                    return try body(&prepared, lifeline.number)
                }
            }
        }
        _ = lifeline.release()
        return value
    }
}

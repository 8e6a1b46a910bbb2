// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The files and folders that a confined process may see, and the links to them. Control thread.

import Glibc
import LinuxSystem

/// An existing file or folder, by its path without links.
struct VisiblePath: Hashable, Sendable {
    var path: String
    var access: FileAccess
    /// The identity of the file, so that no other file is shown if the path changes.
    var identity: FileIdentity
    var isFolder: Bool
    var isDevice: Bool
    /// True if a file that has changed since then is not shown either.
    var isHeld = false
    /// True for an entry beside held code, which is left out if it goes.
    var isOptional = false

    init(_ path: String, _ status: stat) {
        let kind = status.st_mode & S_IFMT
        (self.path, access, identity) = (path, [], FileIdentity(status))
        (isFolder, isDevice) = (kind == S_IFDIR, kind == S_IFCHR)
    }
}

/// Named paths, resolved into existing files and the links on the way.
struct VisiblePaths {
    private(set) var paths: [VisiblePath] = []
    /// Links by their own paths, and their targets.
    private(set) var links: [ExactPath: String] = [:]
    /// Folders that only the process sees, with entries of the machine's.
    private(set) var folders: Set<ExactPath> = []

    /// Paths that are no links.
    private var plain: Set<ExactPath> = []

    /// The longest chain of links, which is the kernel's limit.
    private static let maximumLinkCount = 40

    /// Resolves named paths; missing ones are skipped, since a machine has only some of the usual folders.
    ///
    /// Held code is shown file by file, if no more than `mostPaths` paths are shown then. Otherwise its folder is shown as it lies
    /// there, like any other.
    init(_ named: [Confinement.NamedPath], holding held: [HeldCode] = [], mostPaths: Int = 0) {
        var found: [ExactPath: VisiblePath] = [:]
        for named in named {
            guard var visible = resolve(named.path, followingLinks: named.followsLinks) else { continue }
            visible.access = named.access.union(found[ExactPath(visible.path)]?.access ?? [])
            found[ExactPath(visible.path)] = visible
        }
        for code in held { hold(code, in: &found, mostPaths) }
        // Outer folders come first. A path inside one is listed separately only if it has more access, or is held.
        paths = found.sorted { $0.key < $1.key }.filter { inner in
            inner.value.isHeld || inner.value.isDevice
                || !found.contains { outer in
                    outer.value.isFolder && inner.key.isBelow(outer.key) && outer.value.access.isSuperset(of: inner.value.access)
                }
        }.map(\.value)
    }

    /// Shows held code instead of the folder around it: the folder's entries are shown one by one, the code's files among them.
    ///
    /// A mount over a file of the machine's own folder would end as soon as another file took its name.
    private mutating func hold(_ code: HeldCode, in found: inout [ExactPath: VisiblePath], _ mostPaths: Int) {
        let home = ExactPath(code.home)
        let around = found.filter { $0.key == home || $0.value.isFolder && home.isBelow($0.key) }
        // A process may see a part of the code alone, such as the folder of its program.
        let within = found.filter { $0.key.isBelow(home) }
        guard var opened = OpenedFolders(from: around.keys.min() ?? home, to: home, around) else { return }
        opened.add(code, around.merging(within) { outer, _ in outer })
        var next = found.filter { around[$0.key] == nil && !$0.key.isBelow(home) }
        next.merge(opened.shown) { known, new in
            // A path that was named on its own must be there.
            var both = new
            both.access.formUnion(known.access)
            both.isOptional = known.isOptional && new.isOptional
            return both
        }
        guard next.count <= mostPaths else { return }
        found = next
        folders.formUnion(opened.folders)
        links.merge(opened.links) { known, _ in known }
    }

    /// Resolves a path part by part.
    ///
    /// The root folder yields nil, even through a link to "/": no process sees the whole machine.
    private mutating func resolve(_ path: String, followingLinks: Bool) -> VisiblePath? {
        guard path.hasPrefix("/") else { return nil }
        var parts = path.split(separator: "/").map(String.init)[...]
        var walked = ""
        var linkCount = 0
        while let part = parts.popFirst() {
            guard part != "." else { continue }
            guard part != ".." else {
                walked = walked.lastIndex(of: "/").map { String(walked[..<$0]) } ?? ""
                continue
            }
            let next = "\(walked)/\(part)"
            guard let target = target(ofLink: next) else {
                walked = next
                continue
            }
            linkCount += 1
            guard followingLinks, linkCount <= Self.maximumLinkCount else { return nil }
            parts = (target.split(separator: "/").map(String.init) + parts)[...]
            if target.hasPrefix("/") { walked = "" }
        }
        var status = stat()
        guard !walked.isEmpty, stat(walked, &status) == 0 else { return nil }
        return VisiblePath(walked, status)
    }

    /// Reads each link once: most paths begin alike.
    private mutating func target(ofLink path: String) -> String? {
        let key = ExactPath(path)
        if let target = links[key] { return target }
        guard !plain.contains(key) else { return nil }
        guard let target = SymbolicLink.target(of: path) else {
            plain.insert(key)
            return nil
        }
        links[key] = target
        return target
    }
}

extension Confinement {
    /// `[control]` True if a process with this confinement may read the file at `path`.
    ///
    /// Links on the way are followed. The result is false if there is no file.
    package func permitsReading(_ path: String) -> Bool {
        guard let wanted = VisiblePaths([NamedPath(path, .read)]).paths.first.map({ ExactPath($0.path) }) else { return false }
        return VisiblePaths(paths).paths.contains { shown in
            let path = ExactPath(shown.path)
            return shown.access.contains(.read) && (path == wanted || shown.isFolder && wanted.isBelow(path))
        }
    }
}

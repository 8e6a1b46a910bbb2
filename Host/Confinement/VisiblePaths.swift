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
    var device: UInt64
    var inode: UInt64
    var isFolder: Bool
    var isDevice: Bool
}

/// Named paths, resolved into existing files and the links on the way.
struct VisiblePaths {
    private(set) var paths: [VisiblePath] = []
    /// Links by their own paths, and their targets.
    private(set) var links: [String: String] = [:]

    /// Paths that are no links.
    private var plain: Set<String> = []

    /// The longest chain of links, which is the kernel's limit.
    private static let maximumLinkCount = 40

    /// Resolves named paths; missing ones are skipped, since a machine has only some of the usual folders.
    init(_ named: [Confinement.NamedPath]) {
        var found: [String: VisiblePath] = [:]
        for named in named {
            guard var visible = resolve(named.path, followingLinks: named.followsLinks) else { continue }
            visible.access = named.access.union(found[visible.path]?.access ?? [])
            found[visible.path] = visible
        }
        // Outer folders come first. A path inside one is listed separately only if it has more access.
        paths = found.values.sorted { $0.path < $1.path }.filter { inner in
            !found.values.contains { outer in
                outer.isFolder && inner.path.hasPrefix(outer.path + "/") && outer.access.isSuperset(of: inner.access)
                    && !inner.isDevice
            }
        }
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
        let kind = status.st_mode & S_IFMT
        return VisiblePath(
            path: walked, access: [], device: UInt64(status.st_dev), inode: UInt64(status.st_ino), isFolder: kind == S_IFDIR,
            isDevice: kind == S_IFCHR)
    }

    /// Reads each link once: most paths begin alike.
    private mutating func target(ofLink path: String) -> String? {
        if let target = links[path] { return target }
        guard !plain.contains(path) else { return nil }
        let target = String(unsafeUninitializedCapacity: Int(PATH_MAX)) { bytes in
            bytes.withMemoryRebound(to: CChar.self) { max(0, readlink(path, $0.baseAddress!, $0.count)) }
        }
        guard !target.isEmpty else {
            plain.insert(path)
            return nil
        }
        links[path] = target
        return target
    }
}

extension Confinement {
    /// `[control]` True if a process with this confinement may read the file at `path`.
    ///
    /// Links on the way are followed. The result is false if there is no file.
    package func permitsReading(_ path: String) -> Bool {
        guard let wanted = VisiblePaths([NamedPath(path, .read)]).paths.first?.path else { return false }
        return VisiblePaths(paths).paths.contains { shown in
            shown.access.contains(.read) && (shown.path == wanted || shown.isFolder && wanted.hasPrefix(shown.path + "/"))
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The folders around held code, taken apart into their entries. Control thread.

import Glibc
import LinuxSystem

/// The entries of all folders from one that a process sees down to held code, which is left out.
struct OpenedFolders {
    private(set) var shown: [ExactPath: VisiblePath] = [:]
    private(set) var links: [ExactPath: String] = [:]
    private(set) var folders: Set<ExactPath> = []

    /// Takes folders apart; nil if one cannot be read, or if the path to the code has a link.
    ///
    /// Each entry has the access of the visible folders `around` it.
    init?(from outermost: ExactPath, to home: ExactPath, _ around: [ExactPath: VisiblePath]) {
        var folder = outermost
        while folder != home {
            guard let next = home.entry(of: folder), let names = FolderEntries.names(in: folder.text) else { return nil }
            folders.insert(folder)
            for name in names {
                let path = ExactPath("\(folder.text)/\(name)")
                if path != next { show(path, Self.access(to: path, around)) }
            }
            folder = next
        }
    }

    private static func access(to path: ExactPath, _ around: [ExactPath: VisiblePath]) -> FileAccess {
        around.reduce(into: FileAccess()) { access, folder in
            if path == folder.key || path.isBelow(folder.key) { access.formUnion(folder.value.access) }
        }
    }

    private mutating func show(_ path: ExactPath, _ access: FileAccess) {
        if let target = SymbolicLink.target(of: path.text) {
            links[path] = target
            return
        }
        var status = stat()
        // Pipes and sockets are not shown: the plug-in's own files have none.
        guard lstat(path.text, &status) == 0, [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return }
        var visible = VisiblePath(path.text, status)
        (visible.access, visible.isOptional) = (access, true)
        shown[path] = visible
    }

    /// Adds the code's files that the process sees, as they were when the host read them.
    mutating func add(_ code: HeldCode, _ visible: [ExactPath: VisiblePath]) {
        for file in code.files {
            let access = Self.access(to: ExactPath(file.path), visible)
            if !access.isEmpty { shown[ExactPath(file.path)] = VisiblePath(file, access) }
        }
        for link in code.links where !Self.access(to: ExactPath(link.path), visible).isEmpty {
            links[ExactPath(link.path)] = link.target
        }
        folders.formUnion(code.folders.map { ExactPath($0) }.filter { !Self.access(to: $0, visible).isEmpty })
    }
}

extension VisiblePath {
    fileprivate init(_ file: HeldCode.File, _ access: FileAccess) {
        (path, self.access, identity) = (file.path, access, file.identity)
        (isFolder, isDevice, isHeld, isOptional) = (false, false, true, false)
    }
}

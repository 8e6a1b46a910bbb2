// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A folder for one process's temporary files, where it cannot have a root folder of its own. Control thread.

import CConfinementShims
import Glibc
import LinuxSystem

/// A folder that nobody else may enter. It goes away with this object, and with everything in it.
///
/// It is locked for as long as its host lives. A host that is killed removes nothing, and leaves folders that nobody has
/// locked: those the next host removes.
final class PrivateFolder: Sendable {
    /// Absolute, without links.
    let path: String
    /// The folder itself, opened and locked.
    private let folder: Descriptor

    private static let prefix = "bulkhead-private-"
    private static let randomCount = 6

    /// The folder that `TMPDIR` names, or else /tmp.
    private static var parent: String {
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return named.isEmpty ? "/tmp" : named
    }

    init() throws(SystemError) {
        while true {
            var template = Array("\(Self.parent)/\(Self.prefix)\(String(repeating: "X", count: Self.randomCount))".utf8CString)
            let act = "make a folder for temporary files in \"\(Self.parent)\""
            guard mkdtemp(&template) != nil else { throw SystemError(act, code: errno) }
            let folder = Descriptor(owning: open(template, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
            guard folder.number >= 0 || errno == ENOENT else { throw SystemError(act, code: errno) }
            // Another host may have found it abandoned before it was locked: then once more. Where nobody can lock a folder
            // nobody finds one abandoned.
            let isLocked = flock(folder.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
            guard isLocked, let resolved = realpath(template, nil) else { continue }
            defer { free(resolved) }
            path = String(cString: resolved)
            self.folder = folder
            return
        }
    }

    deinit {
        CConfinementShims_emptyFolder(folder.number)
        rmdir(path)
    }

    /// Removes what hosts have left behind that were killed.
    static func removeAbandoned() {
        let parent = Descriptor(owning: open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        for name in FolderEntries.names(in: Self.parent) ?? [] {
            guard name.hasPrefix(prefix), name.utf8.count == prefix.utf8.count + randomCount else { continue }
            removeAbandoned(name, in: parent.number)
        }
    }

    /// What is a link, or somebody else's, is none of them, and neither is what somebody has locked.
    private static func removeAbandoned(_ name: String, in parent: Int32) {
        let folder = Descriptor(owning: openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
        var status = stat()
        guard fstat(folder.number, &status) == 0, status.st_uid == geteuid(), flock(folder.number, LOCK_EX | LOCK_NB) == 0 else {
            return
        }
        CConfinementShims_emptyFolder(folder.number)
        unlinkat(parent, name, AT_REMOVEDIR)
    }
}

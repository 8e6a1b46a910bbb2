// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A folder for one process's temporary files, if the process cannot have its own root folder. Control thread.

import CConfinementShims
import Glibc
import LinuxSystem

/// A folder for one process; other users cannot enter it.
///
/// The folder and everything in it go away with this object.
///
/// The host keeps it locked as long as this object lives. A killed host removes nothing, but its locks are gone: the next host
/// removes the unlocked folders.
final class PrivateFolder: Sendable {
    /// The absolute path, without links.
    let path: String
    /// The folder itself, open and locked.
    private let folder: Descriptor

    private static let prefix = "bulkhead-private-"
    private static let randomCount = 6

    /// The folder of `TMPDIR`, or otherwise /tmp.
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
            // Another host may have removed it as abandoned before the lock: then try again. If folders cannot be locked at
            // all, no host treats one as abandoned.
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

    /// Removes the folders of hosts that were killed.
    static func removeAbandoned() {
        let parent = Descriptor(owning: open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        for name in FolderEntries.names(in: Self.parent) ?? [] {
            guard name.hasPrefix(prefix), name.utf8.count == prefix.utf8.count + randomCount else { continue }
            removeAbandoned(name, in: parent.number)
        }
    }

    /// Removes one abandoned folder.
    ///
    /// Links, folders of other users and locked folders stay.
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

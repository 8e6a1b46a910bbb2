// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The location of state folders: they are made, and those of killed processes are removed. Any thread.

import Glibc
import PluginSDK

extension StateFolder {
    /// A folder that has been made.
    struct Place {
        let path: [UInt8]
        /// Locked while the folder is in use; a killed process leaves the folder behind, but no lock.
        private let lock: Int32

        private static let prefix = Array("bulkhead-lv2-".utf8)
        private static let slash = Array("/".utf8)

        private static var parent: [UInt8] {
            let named = getenv("TMPDIR").map { Array(String.bytes($0)) } ?? []
            return named.isEmpty ? Array("/tmp".utf8) : named
        }

        static func make() throws(UnitError) -> Place {
            removeAbandoned()
            var template = parent + slash + prefix + Array("XXXXXX".utf8) + [0]
            let isMade = template.withUnsafeMutableBufferPointer { bytes in
                bytes.withMemoryRebound(to: CChar.self) { mkdtemp($0.baseAddress!) != nil }
            }
            guard isMade else { throw failure() }
            let path = Array(template.dropLast())
            guard let folder = Folder(path) else { throw failure() }
            // The lock gets its name only after it is locked. Otherwise another process could find it open and treat the folder
            // as abandoned.
            let lock = Folder.with(FileName.newLock) {
                openat(folder.descriptor, $0, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            }
            guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0, show(folder) else {
                let error = failure()
                if lock >= 0 { close(lock) }
                empty(folder)
                _ = Folder.with(path) { rmdir($0) }
                throw error
            }
            return Place(path: path, lock: lock)
        }

        private static func show(_ folder: borrowing Folder) -> Bool {
            let descriptor = folder.descriptor
            return Folder.with(FileName.newLock) { new in
                Folder.with(FileName.lock) { renameat(descriptor, new, descriptor, $0) == 0 }
            }
        }

        private static func failure() -> UnitError {
            let reason = String(cString: strerror(errno))
            return .failed("no folder for its files can be made in \"\(String(decoding: parent, as: UTF8.self))\": \(reason)")
        }

        func open() throws(UnitError) -> Folder {
            guard let folder = Folder(path) else {
                throw .failed(
                    "\"\(String(decoding: path, as: UTF8.self))\", where its files lie, is gone: \(String(cString: strerror(errno)))"
                )
            }
            return folder
        }

        /// Removes the folder.
        ///
        /// The folder must not be used after that.
        func remove() {
            if let folder = Folder(path) { Self.empty(folder) }
            _ = Folder.with(path) { rmdir($0) }
            close(lock)
        }

        /// Removes everything, and finally the lock: if the process is killed meanwhile, the next one finds the folder.
        private static func empty(_ folder: borrowing Folder) {
            for name in folder.entries() where name != FileName.lock { folder.remove(name) }
            folder.remove(FileName.lock)
        }

        /// Removes the folders of killed processes: their locks are free.
        ///
        /// Links, and folders of other users, stay.
        private static func removeAbandoned() {
            guard let parent = Folder(resolving: parent) else { return }
            for name in parent.entries() where name.starts(with: prefix) {
                guard let folder = Folder(name, in: parent.descriptor), folder.isOwn else { continue }
                let lock = Folder.with(FileName.lock) {
                    openat(folder.descriptor, $0, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
                }
                guard lock >= 0 else { continue }
                if flock(lock, LOCK_EX | LOCK_NB) == 0 {
                    empty(folder)
                    _ = Folder.with(name) { unlinkat(parent.descriptor, $0, AT_REMOVEDIR) }
                }
                close(lock)
            }
        }
    }
}

extension Folder {
    /// Opens a folder that may be behind a link, as the user's own `TMPDIR` may be.
    fileprivate init?(resolving path: [UInt8]) {
        let descriptor = Self.with(path) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { return nil }
        self.init(adopting: descriptor)
    }
}

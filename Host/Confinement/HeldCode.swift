// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Code that a process sees as it was when the host read it, whatever replaces it meanwhile. Any thread.

import Glibc

/// The identity of a file's contents: another file, or a changed one, has another.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
    /// The time of the last change to the inode, which no program can set.
    package let changeSeconds: Int64
    package let changeNanoseconds: UInt32

    /// Takes the identity from the kernel's answer.
    package init(_ status: stat) {
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
        (changeSeconds, changeNanoseconds) = (Int64(status.st_ctim.tv_sec), UInt32(clamping: status.st_ctim.tv_nsec))
    }

    /// True for the same file, changed or not.
    func isOfSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }
}

/// A library, or all that a folder holds, with the identity of each file when the host read it.
///
/// A process gets exactly these files at their paths: in its own root, each is mounted in a folder that only the process sees. A
/// file that has changed before it is mounted stops the start. Bytes that are written into the same file later are seen.
package struct HeldCode: Hashable, Sendable {
    /// One regular file.
    package struct File: Hashable, Sendable {
        /// The absolute path.
        package let path: String
        package let identity: FileIdentity

        package init(path: String, identity: FileIdentity) { (self.path, self.identity) = (path, identity) }
    }

    /// A symbolic link.
    package struct Link: Hashable, Sendable {
        /// The absolute path.
        package let path: String
        package let target: String

        package init(path: String, target: String) { (self.path, self.target) = (path, target) }
    }

    /// The absolute path of the library or folder, without links.
    package let home: String
    /// The files: the library itself, or those of the folder and its subfolders.
    package var files: [File] = []
    /// The links in the folder.
    package var links: [Link] = []
    /// The folder and its subfolders; empty for a library.
    package var folders: [String] = []

    package init(home: String) { self.home = home }
}

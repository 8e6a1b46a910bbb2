// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Landlock: a list of files that a process reaches, and no others. Control thread.

import CConfinementShims
import CLinuxShims
import Glibc
import LinuxSystem

/// `[any]` The access to a file, or to a folder and everything below it.
package struct FileAccess: OptionSet, Hashable, Sendable {
    /// The access as bits, from the C shim.
    package let rawValue: Int32
    /// Makes a set from bits.
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Reads files and lists folders.
    package static let read = FileAccess(rawValue: Int32(CConfinementShims_accessRead.rawValue))
    /// Writes to existing files.
    package static let write = FileAccess(rawValue: Int32(CConfinementShims_accessWrite.rawValue))
    /// Runs programs.
    package static let run = FileAccess(rawValue: Int32(CConfinementShims_accessRun.rawValue))
    /// Makes, changes and removes files in a folder.
    package static let keepFiles = FileAccess(rawValue: Int32(CConfinementShims_accessKeep.rawValue))
}

/// `[any]` The kernel's Landlock.
package enum Landlock {
    /// The newest version (ABI) that the kernel supports; 0 without Landlock.
    package static let version = Int(CConfinementShims_landlockVersion())

    /// The first version that bars abstract sockets of other processes, and signals to them.
    static let versionOfScopes = 6

    /// The restrictions that a version of Landlock lacks, as phrases for the user.
    package static func gaps(ofVersion version: Int) -> [String] {
        let newer: [(version: Int, what: String)] = [
            (1, "opening files"), (3, "cutting files short"), (4, "TCP ports"), (5, "controlling devices"),
            (versionOfScopes, "abstract sockets and signals"),
        ]
        return newer.filter { $0.version > version }.map(\.what)
    }

    /// Makes a ruleset that allows these files; files that cannot be opened are skipped.
    static func ruleset(allowing paths: [VisiblePath]) throws(SystemError) -> Descriptor {
        let act = "make a list of files for Landlock"
        let ruleset = Descriptor(owning: try SystemError.check(CConfinementShims_landlockRuleset(Int32(version)), act))
        for path in paths {
            let number = CLinuxShims_openPath(path.path)
            guard number >= 0 else { continue }
            let file = Descriptor(owning: number)
            var status = stat()
            // The path may have another target by now.
            guard fstat(number, &status) == 0, FileIdentity(status).isOfSameFile(as: path.identity) else {
                continue
            }
            let result = CConfinementShims_landlockAllow(
                ruleset.number, Int32(version), file.number, path.access.rawValue, path.isFolder ? 1 : 0)
            try SystemError.check(result, "allow \"\(path.path)\" in Landlock")
        }
        return ruleset
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The code that a decision of the user is about: its path and its contents. Control threads.

import LinuxSystem
import Printing

/// A plug-in's library or folder, as it was at the user's decision.
package struct PluginCode: Codable, Hashable, Sendable {
    /// The path without links.
    package let path: String
    /// The SHA-256 of its contents.
    package let digest: String
    /// The SHA-256 of its sizes, times and inodes, which shows without reading that the contents are the same.
    let stamp: String

    /// Takes the code at a path as it is now.
    package init(at path: String) throws(SystemError) {
        let read = try CodeDigest.reading(path, .contents)
        (self.path, stamp, digest) = (path, read.stamp, read.digest ?? "")
    }

    init(path: String, digest: String, stamp: String) {
        self.path = path
        self.digest = digest
        self.stamp = stamp
    }

    /// True if this is the same code, with any stamp.
    func isSame(as other: PluginCode) -> Bool { Self.equal(path, other.path) && digest == other.digest }

    /// The difference between the code at `path` now and this code; nil without one.
    ///
    /// Without a difference, the host's later starts of a plug-in with rights are held to that code: see `DecidedCode`.
    func change(at path: String) -> CodeChange? {
        guard Self.equal(self.path, path) else { return .moved(from: self.path, to: path) }
        // Code that cannot be read is not the same.
        guard var present = try? CodeDigest.reading(path, .stamp).stamp else { return .altered(path: path) }
        if present != stamp {
            // Other files may have taken the names since then: the digest comes with the stamp of the files that were read.
            guard let read = try? CodeDigest.reading(path, .contents), read.digest == digest else { return .altered(path: path) }
            present = read.stamp
        }
        DecidedCode.shared.decide(path, stamp: present, digest: digest)
        return nil
    }

    /// Compares paths byte by byte: two texts may be equal and name two files.
    private static func equal(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}

/// The difference between a plug-in and the one that the user decided about.
public enum CodeChange: Hashable, Codable, Sendable {
    /// The plug-in of this ID now lies in another library or folder.
    case moved(from: String, to: String)
    /// Its files have changed.
    case altered(path: String)

    /// The change as the end of a sentence that begins with "you trusted".
    var clause: String {
        switch self {
        case .moved(let from, let to):
            "the one in \"\(PrintableText.cleaned(from))\", and this is the one in \"\(PrintableText.cleaned(to))\""
        case .altered(let path): "it when \"\(PrintableText.cleaned(path))\" held something else"
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The name of a file in a state, as bytes for the kernel. Any thread.

/// A path relative to the folder of a state, which never leads out of it.
///
/// It consists of bytes, not of text. A text may combine "/" and an accent into one character, where the kernel sees the "/".
/// Also, a name need not be UTF-8.
struct FileName: Hashable, Comparable, CustomStringConvertible {
    let bytes: [UInt8]

    private static let slash = UInt8(ascii: "/")
    /// More nested folders than any plug-in makes, and fewer than there are descriptors.
    private static let maximumDepth = 64
    /// The entry beside the files.
    static let lock = Array(".lock".utf8)
    static let newLock = Array(".lock.new".utf8)
    static let incoming = Array(".incoming".utf8)

    /// Makes a name; nil unless the bytes name a file inside a folder.
    init?(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        let parts = parts
        let reserved = [Self.lock, Self.newLock, Self.incoming]
        guard parts.count <= Self.maximumDepth, !self.bytes.contains(0), !reserved.contains(parts[0]),
            parts.allSatisfy({ !$0.isEmpty && $0 != Array(".".utf8) && $0 != Array("..".utf8) })
        else { return nil }
    }

    /// The folders on the way, and finally the file's own name.
    var parts: [[UInt8]] { bytes.split(separator: Self.slash, omittingEmptySubsequences: false).map(Array.init) }

    var description: String { String(decoding: bytes, as: UTF8.self) }

    static func < (first: FileName, second: FileName) -> Bool { first.bytes.lexicographicallyPrecedes(second.bytes) }

    /// True if the bytes are an absolute path.
    static func isAbsolute(_ path: some Sequence<UInt8>) -> Bool { path.starts(with: [slash]) }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The name of a file that belongs to a state, as the bytes that the kernel sees. Any thread.

/// A path relative to the folder of a state, and never out of it.
///
/// It is bytes and not a text. A text may take a "/" with an accent for one character, where the kernel sees the "/". Nor
/// must a name be UTF-8.
struct FileName: Hashable, Comparable, CustomStringConvertible {
    let bytes: [UInt8]

    private static let slash = UInt8(ascii: "/")
    /// More nested folders than any plug-in makes, and fewer than there are descriptors.
    private static let maximumDepth = 64
    /// What the folder holds beside the files.
    static let lock = Array(".lock".utf8)
    static let newLock = Array(".lock.new".utf8)
    static let incoming = Array(".incoming".utf8)

    /// Nil unless the bytes name a file inside a folder, and nothing outside.
    init?(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        let parts = parts
        let reserved = [Self.lock, Self.newLock, Self.incoming]
        guard parts.count <= Self.maximumDepth, !self.bytes.contains(0), !reserved.contains(parts[0]),
            parts.allSatisfy({ !$0.isEmpty && $0 != Array(".".utf8) && $0 != Array("..".utf8) })
        else { return nil }
    }

    /// The folders on the way, and the file's own name last.
    var parts: [[UInt8]] { bytes.split(separator: Self.slash, omittingEmptySubsequences: false).map(Array.init) }

    var description: String { String(decoding: bytes, as: UTF8.self) }

    static func < (first: FileName, second: FileName) -> Bool { first.bytes.lexicographicallyPrecedes(second.bytes) }

    /// Whether bytes are a path from the root.
    static func isAbsolute(_ path: some Sequence<UInt8>) -> Bool { path.starts(with: [slash]) }
}

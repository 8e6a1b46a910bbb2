// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A path that is compared byte by byte. Any thread.

/// A path that equals only the same bytes.
///
/// Swift takes a composed and a decomposed "é" for the same text. To the kernel they are two names, and may be two files.
public struct ExactPath: Hashable, Comparable, Sendable {
    /// The path as text.
    public let text: String

    /// Takes a path.
    public init(_ text: String) { self.text = text }

    /// True if both have the same bytes.
    public static func == (left: ExactPath, right: ExactPath) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    /// Adds the bytes.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Sorts by bytes, so that a folder comes before its entries.
    public static func < (left: ExactPath, right: ExactPath) -> Bool { left.text.utf8.lexicographicallyPrecedes(right.text.utf8) }

    /// True for a path below a folder, at any depth; false for the folder itself.
    public func isBelow(_ folder: ExactPath) -> Bool {
        let (own, outer) = (text.utf8, folder.text.utf8)
        return own.starts(with: outer) && own.dropFirst(outer.count).first == UInt8(ascii: "/")
    }

    /// The entry of a folder through which a path below that folder leads; nil for a path elsewhere.
    public func entry(of folder: ExactPath) -> ExactPath? {
        guard isBelow(folder) else { return nil }
        let name = text.utf8.dropFirst(folder.text.utf8.count + 1).prefix { $0 != UInt8(ascii: "/") }
        return ExactPath("\(folder.text)/\(String(decoding: name, as: UTF8.self))")
    }
}

extension String {
    /// True if both have the same bytes, and so are one name to the kernel.
    public func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

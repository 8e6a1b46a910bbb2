// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// SHA-256 and HMAC-SHA-256 (FIPS 180-4, RFC 2104), over libmd. Any thread.

import CMessageDigest

/// A SHA-256 that is being computed.
struct SHA256: ~Copyable {
    static let blockByteCount = Int(SHA256_BLOCK_LENGTH)
    static let digestByteCount = Int(SHA256_DIGEST_LENGTH)

    private var context = SHA2_CTX()

    init() { SHA256Init(&context) }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        SHA256Update(&context, start.assumingMemoryBound(to: UInt8.self), bytes.count)
    }

    mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

    mutating func add(_ word: UInt64) { withUnsafeBytes(of: word.littleEndian) { add($0) } }

    /// Adds the number of bytes and the bytes, so that later bytes cannot be mistaken for a part of them.
    mutating func add(counted bytes: UnsafeRawBufferPointer) {
        add(UInt64(bytes.count))
        add(bytes)
    }

    consuming func digest() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Self.digestByteCount)
        SHA256Final(&digest, &context)
        return digest
    }

    /// The authentication code of a message under a key of at most 64 bytes.
    static func authentication(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        let padded = key + [UInt8](repeating: 0, count: blockByteCount - key.count)
        var inner = SHA256()
        inner.add(padded.map { $0 ^ 0x36 })
        inner.add(message)
        var outer = SHA256()
        outer.add(padded.map { $0 ^ 0x5C })
        outer.add(inner.digest())
        return outer.digest()
    }
}

extension [UInt8] {
    /// Two hexadecimal digits for each byte.
    var hexadecimal: String {
        map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
    }
}

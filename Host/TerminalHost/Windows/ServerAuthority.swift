// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The cookie that lets clients into an X server, in a file that only the user can read. Main thread.

import Glibc
import LinuxSystem

/// An authority file for one X server, which is removed with the object.
///
/// Without one, an X server lets every user of the machine in.
final class ServerAuthority {
    /// The file.
    let path: String

    /// Makes a cookie of 16 random bytes; throws `SystemError`.
    init() throws(SystemError) {
        var generator = SystemRandomNumberGenerator()
        let cookie = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        var name = Array("/tmp/bulkhead-window-XXXXXX".utf8CString)
        let file = mkstemp(&name)
        guard file >= 0 else { throw SystemError("make a file for the cookie of an X server") }
        path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let descriptor = Descriptor(owning: file)
        // Any family and any display, because the server has not chosen them yet.
        let entry =
            [0xFF, 0xFF] + Self.field([]) + Self.field([]) + Self.field(Array("MIT-MAGIC-COOKIE-1".utf8)) + Self.field(cookie)
        do throws(SystemError) {
            try Descriptor.write(entry, to: descriptor.number, "write the cookie of an X server")
        } catch {
            unlink(path)
            throw error
        }
    }

    deinit { unlink(path) }

    /// A field: two bytes with its length, the higher one first, and its bytes.
    private static func field(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes all bytes, with as many calls as necessary. Any thread.

import Glibc

extension Descriptor {
    /// Writes all bytes to a descriptor that waits for room; throws `SystemError` with the act.
    public static func write(_ bytes: [UInt8], to number: Int32, _ act: @autoclosure () -> String) throws(SystemError) {
        let code = bytes.withUnsafeBytes { Self.code(ofWriting: $0, to: number) }
        if code != 0 { throw SystemError(act(), code: code) }
    }

    /// Writes all bytes; returns 0, or the errno if some could not be written.
    private static func code(ofWriting bytes: UnsafeRawBufferPointer, to number: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = SystemCall.write(UnsafeRawBufferPointer(rebasing: rest), to: number)
            guard count > 0 else { return count < 0 ? errno : ENOSPC }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}

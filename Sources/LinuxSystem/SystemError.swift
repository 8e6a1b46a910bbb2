// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A failed system call: the attempted act, and the kernel's answer. Any thread.

import Glibc

/// A failed system call, as one sentence.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The attempted act, such as `map shared memory for "Delay" (65536 bytes)`.
    public let act: String
    /// The kernel's answer, an `errno`.
    public let code: Int32

    /// Makes an error from the attempted act and the kernel's answer.
    public init(_ act: String, code: Int32 = errno) {
        self.act = act
        self.code = code
    }

    /// The sentence: `Couldn't`, the act, and the reason.
    public var description: String { "Couldn't \(act): \(reason)." }

    /// The kernel's reason in lower case, such as `permission denied`.
    public var reason: String {
        let text = String(cString: strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// True if the process or the machine had nothing left: memory, processes or descriptors.
    package var isShortage: Bool { Self.isShortage(code: code) }

    /// True for the errors of a shortage.
    package static func isShortage(code: Int32) -> Bool { [ENOMEM, EAGAIN, EMFILE, ENFILE, ENOBUFS].contains(code) }

    /// Returns the result of a call; throws if it is a negative `errno`.
    @discardableResult
    package static func check(_ result: Int32, _ act: @autoclosure () -> String) throws(SystemError) -> Int32 {
        guard result >= 0 else { throw SystemError(act(), code: -result) }
        return result
    }
}

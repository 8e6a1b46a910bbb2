// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What is wrong with a file, as a value. Any thread.

/// What is wrong with a file.
public struct FileDefect: Error, Hashable, Sendable {
    /// The reason as the end of a sentence, to follow a colon.
    public let reason: String
    /// The kernel's error number, where the kernel refused; else nil.
    public let code: Int32?

    package init(_ reason: String, code: Int32? = nil) {
        self.reason = reason
        self.code = code
    }

    /// The kernel's reason for an error number.
    init(code: Int32) { self.init(FilePath.reason(ofCode: code), code: code) }

    /// Why a file operation of Foundation failed.
    package init(_ error: any Error) {
        self.init(FilePath.reason(of: error), code: FilePath.posixError(of: error)?.code.rawValue)
    }
}

extension FileDefect: CustomStringConvertible {
    /// The reason.
    public var description: String { reason }
}

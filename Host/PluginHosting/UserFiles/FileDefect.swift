// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The defect of a file, as a value. Any thread.

/// The defect of a file.
public struct FileDefect: Error, Hashable, Sendable {
    /// The reason as the end of a sentence, to follow a colon.
    public let reason: String
    /// The kernel's error number, if the kernel refused; otherwise nil.
    public let code: Int32?

    package init(_ reason: String, code: Int32? = nil) {
        self.reason = reason
        self.code = code
    }

    /// Takes the kernel's reason for an error number.
    init(code: Int32) { self.init(FilePath.reason(ofCode: code), code: code) }

    /// Makes the defect from the error of a file operation of Foundation.
    package init(_ error: any Error) {
        self.init(FilePath.reason(of: error), code: FilePath.posixError(of: error)?.code.rawValue)
    }
}

extension FileDefect: CustomStringConvertible {
    /// The reason.
    public var description: String { reason }
}

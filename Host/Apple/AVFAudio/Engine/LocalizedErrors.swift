// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The texts of errors, for programs that print them. Any thread.

import AudioGraph
import Foundation

extension AudioEngineError: LocalizedError {
    /// The error in a sentence.
    public var errorDescription: String? { description }
}

extension AudioFileError: LocalizedError {
    /// The error in a sentence.
    public var errorDescription: String? { "\(self)" }
}

extension HostingError: LocalizedError {
    /// The error in a sentence.
    public var errorDescription: String? { "\(self)" }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Why a command ended without doing its work: one sentence and an exit status. Main thread.

import Glibc

/// An error of the command line.
enum CommandError: Error, CustomStringConvertible {
    /// The command was called wrongly; status 2.
    case usage(String, command: String?)
    /// The command failed; status 1.
    case failed(String)
    /// Whoever reads the output has gone, and wants no more of it: nothing is said, and the status is that of a command which
    /// SIGPIPE has ended.
    case unread

    var description: String {
        switch self {
        case .usage(let sentence, let command):
            "\(sentence) See: bulkhead \(command.map { "\($0) " } ?? "")--help"
        case .failed(let sentence): sentence
        case .unread: ""
        }
    }

    var exitStatus: Int32 {
        switch self {
        case .usage: 2
        case .failed: 1
        case .unread: 128 + SIGPIPE
        }
    }
}

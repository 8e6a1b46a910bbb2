// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Why a command ended without doing its work: one sentence and an exit status. Main thread.

/// An error of the command line.
enum CommandError: Error, CustomStringConvertible {
    /// The command was called wrongly; status 2.
    case usage(String, command: String?)
    /// The command failed; status 1.
    case failed(String)

    var description: String {
        switch self {
        case .usage(let sentence, let command):
            "\(sentence) See: bulkhead \(command.map { "\($0) " } ?? "")--help"
        case .failed(let sentence): sentence
        }
    }

    var exitStatus: Int32 {
        switch self {
        case .usage: 2
        case .failed: 1
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Why a command failed: one sentence and an exit status. Main thread.

import Console
import Glibc
import Measuring

/// An error of the command line.
enum CommandError: Error, CustomStringConvertible {
    /// The command was called wrongly; status 2.
    case usage(String, command: String?)
    /// The command failed; status 1.
    case failed(String)
    /// The reader of the output has closed it: nothing is said, and the status is that of a command ended by SIGPIPE.
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

extension CommandError {
    init(_ error: OutputError) {
        switch error {
        case .unread: self = .unread
        case .failed(let cause): self = .failed("\(cause)")
        }
    }

    /// The error in the terms of the options of `measure`.
    init(_ error: MeasurementError) {
        switch error {
        case .spreadWithoutProcessor(let placement):
            let what = MeasurementError.noun(placement)
            self = .failed("Couldn't measure \(what) that are spread with --processor any: the kernel places them.")
        case .notAPeer: self = .usage("\(FloorRing.option) is for the command's own use.", command: FloorRing.command)
        default: self = .failed("\(error)")
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The failure of a command: one sentence and an exit status. Main thread.

import AudioFiles
import Console
import Glibc
import Measuring

/// An error of the command line.
enum CommandError: Error, CustomStringConvertible {
    /// The arguments were wrong; status 2.
    case usage(String, command: String?)
    /// The command failed; status 1.
    case failed(String)
    /// The command failed for a reason that may pass, such as a full disk; status 75, EX_TEMPFAIL of sysexits.h.
    case failedForNow(String)
    /// The user stopped the command before its end; the status is that of a command ended by the signal.
    case stopped(String)
    /// The reader of the output has closed it; the error has no message, and the status of a command ended by SIGPIPE.
    case unread

    var description: String {
        switch self {
        case .usage(let sentence, let command):
            "\(sentence) See: bulkhead \(command.map { "\($0) " } ?? "")--help"
        case .failed(let sentence), .failedForNow(let sentence), .stopped(let sentence): sentence
        case .unread: ""
        }
    }

    var exitStatus: Int32 {
        switch self {
        case .usage: 2
        case .failed: 1
        case .failedForNow: 75
        case .stopped: Interruption.exitStatus
        case .unread: 128 + SIGPIPE
        }
    }
}

extension CommandError {
    /// Makes an error of the command from any error.
    init(_ error: any Error) {
        let known: CommandError =
            switch error {
            case let error as CommandError: error
            case let error as OutputError: CommandError(error)
            case let error as AudioFileError where error.isUnread: .unread
            case let error as MeasurementError: CommandError(error)
            default: CommandError(sentence: Terminal.sentence(of: error), mayPass: PassingFailure.includes(error))
            }
        self = Interruption.isRequested ? known.afterStop(error) : known
    }

    /// Makes a failure, which may pass or not.
    private init(sentence: String, mayPass: Bool) { self = mayPass ? .failedForNow(sentence) : .failed(sentence) }

    /// The same error after the user has stopped the command.
    private func afterStop(_ error: any Error) -> CommandError {
        if case AudioFileError.system(let path, let act, EINTR)? = error as? AudioFileError {
            return .stopped("Stopped while \"\(path)\" was being \(act == .read ? "read" : "written").")
        }
        return switch self {
        case .failed(let sentence), .failedForNow(let sentence): .stopped(sentence)
        default: self
        }
    }

    init(_ error: OutputError) {
        switch error {
        case .unread: self = .unread
        case .failed(let cause): self = CommandError(sentence: "\(cause)", mayPass: PassingFailure.includes(cause))
        }
    }

    /// Makes an error with the option names of `measure`.
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

extension AudioFileError {
    /// True if the reader of a pipe went away while sound was written into it.
    fileprivate var isUnread: Bool {
        switch self {
        case .system(_, .write, EPIPE): true
        case .notKept(let failure, _): failure.isUnread
        default: false
        }
    }
}

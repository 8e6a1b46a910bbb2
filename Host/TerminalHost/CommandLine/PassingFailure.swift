// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds errors that may pass without a change of the command, its files or its plug-ins. Any thread.

import AudioFiles
import AudioGraph
import Glibc
import GraphDocuments
import LinuxSystem
import PluginHosting

/// Distinguishes passing errors from those that would come again.
enum PassingFailure {
    /// The errors of a busy resource or of a full disk, beside those of a shortage.
    private static let codes: Set<Int32> = [EBUSY, ETXTBSY, ENOSPC, EDQUOT]

    /// True if the error may pass.
    static func includes(_ error: any Error) -> Bool {
        switch error {
        case let error as SystemError: includes(code: error.code)
        case let error as AudioFileError: includes(error)
        case let error as HostingError: includes(error)
        case let error as AudioEngineError: includes(error)
        case GraphDocumentError.engine(let error): includes(error)
        case GraphDocumentError.soundFile(_, let error): includes(error)
        case let error as GraphDocumentError: error.hostingError.map { includes($0) } ?? false
        default: false
        }
    }

    static func includes(code: Int32) -> Bool { SystemError.isShortage(code: code) || codes.contains(code) }

    private static func includes(_ error: AudioFileError) -> Bool {
        switch error {
        case .notEnoughMemory, .diskFull: true
        case .system(_, _, let code): includes(code: code)
        default: false
        }
    }

    private static func includes(_ error: HostingError) -> Bool {
        switch error {
        case .system(let cause): includes(code: cause.code)
        case .file(_, let cause): cause.code.map { includes(code: $0) } ?? false
        case .fault(_, _, .notStarted(_, let code?)): includes(code: code)
        case .inChain(_, let cause): includes(cause)
        default: false
        }
    }

    private static func includes(_ error: AudioEngineError) -> Bool {
        switch error {
        case .system(let cause): includes(code: cause.code)
        case .file(_, let cause): includes(cause)
        case .unit(_, let cause): includes(cause)
        default: false
        }
    }
}

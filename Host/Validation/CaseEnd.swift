// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Why a case cannot go on. Thread of the case.

import PluginHosting

/// The end of a case before its last step.
enum CaseEnd: Error, Sendable {
    case crashed(String)
    case hung(String)
    case failed(String)
    /// The case has nothing to say of such a unit; that passes.
    case notApplicable(String)

    /// A unit's fault, while something was tried.
    init(_ fault: PluginFault, _ sentence: String) {
        switch fault {
        case .exited, .signalled, .outOfMemory, .tooManyDescriptors, .tooManyThreads, .outOfProcessorTime,
            .confinementViolation:
            self = .crashed(sentence)
        case .late, .restless, .hung, .stopped, .handshakeTimeout, .unanswered: self = .hung(sentence)
        case .invalidAudio, .protocolViolation, .versionMismatch, .notStarted, .wentDown: self = .failed(sentence)
        }
    }

    init(_ error: HostingError) {
        if case .fault(_, _, let fault) = error {
            self.init(fault, "\(error)")
        } else {
            self = .failed("\(error)")
        }
    }

    /// What a report says of it; nil for what passes.
    var finding: Finding? {
        switch self {
        case .crashed(let sentence): Finding(.crash, sentence)
        case .hung(let sentence): Finding(.hang, sentence)
        case .failed(let sentence): Finding(.fail, sentence)
        case .notApplicable: nil
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The reasons for the early end of a case. Thread of the case.

import AudioGraph
import PluginHosting

/// The reason why a case ends before its last step.
enum CaseEnd: Error, Sendable {
    case crashed(String)
    case hung(String)
    case failed(String)
    /// The case does not apply to this unit, so the unit passes.
    case notApplicable(String)

    /// A bench needs a unit with as many output channels as input channels.
    static let takesNoEqualChannels = notApplicable(
        "Its buses take no equal number of channels in and out, and the bench gives it no others.")

    /// Classifies a unit's fault; `sentence` names the act during which it happened.
    init(_ fault: PluginFault, _ sentence: String) {
        switch fault {
        case .exited, .signalled, .outOfMemory, .tooManyDescriptors, .tooManyThreads, .outOfProcessorTime,
            .confinementViolation:
            self = .crashed(sentence)
        case .late, .restless, .hung, .stopped, .handshakeTimeout, .unanswered: self = .hung(sentence)
        case .invalidAudio, .protocolViolation, .versionMismatch, .notStarted, .replaced, .wentDown: self = .failed(sentence)
        }
    }

    init(_ error: HostingError) {
        if case .fault(_, _, let fault) = error {
            self.init(fault, "\(error)")
        } else {
            self = .failed("\(error)")
        }
    }

    init(_ error: AudioEngineError) {
        if case .unit(_, let error) = error { self.init(error) } else { self = .failed("\(error)") }
    }

    /// The finding for a report; nil for a case that does not apply.
    var finding: Finding? {
        switch self {
        case .crashed(let sentence): Finding(.crash, sentence)
        case .hung(let sentence): Finding(.hang, sentence)
        case .failed(let sentence): Finding(.fail, sentence)
        case .notApplicable: nil
        }
    }
}

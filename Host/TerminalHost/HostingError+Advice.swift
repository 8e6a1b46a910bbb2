// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The advice about a hosting error for the user of a command. Main thread.

import Console
import GraphDocuments
import PluginHosting

extension HostingError {
    /// The error with its advice, for printing.
    var sentenceWithAdvice: String { advice.map { "\(description) \($0)" } ?? description }

    /// A sentence with the command to type; nil if no command helps.
    var advice: String? {
        switch self {
        case .malformedManifest: "Make the bundle anew with: bulkhead bundle LIBRARY"
        case .unknownComponent: "List them with: bulkhead list"
        case .cannotReadWhilePlaying(_, let id, _):
            "Or let it read the folder: bulkhead grant \(ShellWord.quoted(id)) --read FOLDER"
        case .noConsent, .inProcessUnavailable: "Leave --in-process out."
        case .notTrusted(_, let id, _): "Leave --in-process out, or run: bulkhead trust \(ShellWord.quoted(id))"
        case .unconfirmedWishes(_, let wishes):
            "If you know where it comes from, add \(wishes.map(\.option).joined(separator: " "))"
        case .blocked(_, let id): "Use it again with: bulkhead unblock \(ShellWord.quoted(id))"
        case .quarantined(_, let id, _): "Bring it back with: bulkhead unblock \(ShellWord.quoted(id))"
        case .unusableLocation: "Once that is mended, run: bulkhead scan"
        case .unsociable: "Leave --isolation out, or say --isolation individually."
        case .inChain(_, .notTrusted(_, let id, _)): "Run: bulkhead trust \(ShellWord.quoted(id))"
        case .inChain: "Save the chain anew without --in-process."
        default: nil
        }
    }
}

extension RightWish {
    /// The option that allows it.
    var option: String {
        switch self {
        case .read(_, let path, _): "--allow \(ShellWord.quoted(path))"
        case .inProcess: "--allow in-process"
        case .share: "--allow sharing"
        }
    }
}

extension Terminal {
    /// The sentence for an error, with its advice if there is some.
    static func sentence(of error: any Error) -> String {
        let advice = (error as? HostingError ?? (error as? GraphDocumentError)?.hostingError)?.advice
        return advice.map { "\(error) \($0)" } ?? "\(error)"
    }

    /// Prints an error.
    static func printError(_ error: any Error) { printError(sentence(of: error)) }
}

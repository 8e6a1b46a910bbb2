// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A hosting error as one sentence for the user. Any thread.

import Printing

extension HostingError: CustomStringConvertible {
    /// The error as one sentence.
    ///
    /// It quotes paths, names and fields of manifests unchanged, except for a terminal's control characters.
    public var description: String { PrintableText.shown(unfilteredDescription) }

    private var unfilteredDescription: String {
        switch self {
        case .malformedManifest(let path, let reason): "Couldn't read the manifest \"\(path)\": \(reason)."
        case .missingExecutable(let bundle, let executable):
            "Couldn't use the bundle \"\(bundle)\": its executable \"\(executable)\" is not there or may not be run."
        case .missingLibrary(let bundle, let library):
            "Couldn't use the bundle \"\(bundle)\": its library \"\(library)\" is not there or may not be read."
        case .unknownComponent(let name, let nearest): "There is no plug-in \"\(name)\"." + Self.suggestion(nearest)
        case .ambiguousComponent(let name, let matches):
            "\"\(name)\" could be any of \(Self.some(matches)). Say which by its ID."
        case .fault(let unit, let act, let fault): "Couldn't \(act) \"\(unit)\": the plug-in \(fault)."
        case .refused(let unit, let act, let cause, let hint):
            Self.sentence(act, unit, hint.isEmpty ? cause.description : "\(cause); \(hint)")
        case .cannotReadWhilePlaying(let unit, _, let act):
            Self.sentence(act, unit, "it cannot be given another file to read while it plays. Set it before")
        case .noConsent(let unit): Self.loading(unit, "the plug-in does not consent to it")
        case .notTrusted(let unit, _, let change): Self.loading(unit, Self.reason(change))
        case .unconfirmedWishes(let document, let wishes):
            "Couldn't use \(document): it asks for what only you can allow: \(wishes.map(\.description).joined(separator: "; "))."
        case .blocked(let unit, _): Self.sentence("use", unit, "you have blocked it")
        case .quarantined(let unit, _, let reason): Self.sentence("use", unit, "it is in quarantine: it \(reason)")
        case .codeChanged(let unit, let path):
            "Couldn't start \"\(unit)\": you gave it rights when \"\(path)\" held something else. "
                + "Stop this command and start it again, and it asks you anew."
        case .malformedSettings(let path, let reason):
            "Couldn't read what you have blocked and trusted from \"\(path)\": \(reason). Correct the file, or remove it."
        case .unusableLocation(let path, let reason): "Couldn't use \"\(path)\": \(reason)."
        case .inProcessUnavailable(let unit, let reason): Self.loading(unit, reason)
        case .unsociable(let unit, let reason): "Couldn't have \"\(unit)\" share a process: \(reason)."
        case .inChain(let chain, let error): error.description(inChain: chain)
        case .impossibleFormat(let format, let frameCount):
            "Couldn't render \(format) in blocks of \(frameCount) frames: that is beyond the protocol's limits."
        case .incompleteConfinement(let gaps):
            "Couldn't confine plug-ins as this program requires: \(gaps.map(\.description).joined(separator: " "))"
        case .illegalInState(let unit, let act, let hasResources):
            Self.sentence(act, unit, hasResources ? "it has render resources" : "it has no render resources")
        case .file(let act, let cause): Self.ended("Couldn't \(act): \(cause)")
        case .noFolder(let act, let variables):
            "Couldn't \(act): neither \(variables.joined(separator: " nor ")) says where. Set one of them."
        case .interrupted(let path): "Stopped while another command changes \"\(path)\"; nothing has been remembered."
        case .system(let error): error.description
        }
    }

    private static func sentence(_ act: String, _ unit: String, _ reason: String) -> String {
        ended("Couldn't \(act) \"\(unit)\": \(reason)")
    }

    private static func loading(_ unit: String, _ reason: String) -> String {
        ended("Couldn't load \"\(unit)\" into the host: \(reason)")
    }

    /// Ends a sentence with its full stop; a reason may end with a question mark.
    private static func ended(_ sentence: String) -> String { sentence.hasSuffix("?") ? sentence : "\(sentence)." }

    private static func reason(_ change: CodeChange?) -> String {
        change.map { "you trusted \($0.clause)" } ?? "you have not trusted it"
    }

    /// Describes the error as one about the unit's chain.
    private func description(inChain chain: String) -> String {
        let act = "use the chain \"\(chain)\" with"
        return switch self {
        case .noConsent(let unit): Self.sentence(act, unit, "it does not consent to being loaded into the host")
        case .notTrusted(let unit, _, let change): Self.sentence(act, unit, Self.reason(change))
        case .inProcessUnavailable(let unit, let reason): Self.sentence(act, unit, reason)
        default: description
        }
    }

    /// Lists the first few of many.
    private static func some(_ matches: [String]) -> String {
        let shown = matches.prefix(5).joined(separator: ", ")
        return matches.count > 5 ? "\(shown) and \(matches.count - 5) more" : shown
    }

    private static func suggestion(_ nearest: [String]) -> String {
        nearest.isEmpty ? "" : " Did you mean \(nearest.map { "\"\($0)\"" }.joined(separator: " or "))?"
    }
}

extension HostingError {
    /// The bundle that cannot be used; nil for an error about something else.
    var bundlePath: String? {
        switch self {
        case .malformedManifest(let path, _): FilePath.folder(of: path)
        case .missingExecutable(let bundle, _), .missingLibrary(let bundle, _): bundle
        case .unusableLocation(let path, _):
            path.hasSuffix(".\(ComponentRegistry.bundleExtension)") ? path : FilePath.folder(of: path)
        default: nil
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Why something about plug-ins could not be done, as one sentence. Control thread.

import AudioUnits

/// Two places of one ID: where the user trusted the plug-in, and where there is one now.
public struct TrustedElsewhere: Hashable, Sendable {
    public let trusted: String
    public let found: String

    /// What speaks against in-process loading, to follow a colon.
    var reason: String {
        let (trusted, found) = (PrintableText.cleaned(trusted), PrintableText.cleaned(found))
        return "you have trusted the one in \"\(trusted)\", and this is the one in \"\(found)\""
    }
}

/// An error with a sentence for the user.
public enum HostingError: Error, Hashable, Sendable {
    case malformedManifest(path: String, reason: String)
    case missingExecutable(bundle: String, executable: String)
    case missingLibrary(bundle: String, library: String)
    case unknownComponent(String, nearest: [String])
    case ambiguousComponent(String, matches: [String])
    /// The plug-in did something wrong while `act` was tried.
    case fault(unit: String, act: String, PluginFault)
    /// The plug-in turned a request down.
    case refused(unit: String, act: String, reason: String)
    /// In-process loading without the plug-in's consent.
    case noConsent(unit: String)
    /// In-process loading of a classic plug-in that the user has not trusted.
    case notTrusted(unit: String, id: String, elsewhere: TrustedElsewhere? = nil)
    /// The user has blocked it.
    case blocked(unit: String, id: String)
    case malformedSettings(path: String, reason: String)
    /// A library or folder of classic plug-ins.
    case unusableLocation(path: String, reason: String)
    case inProcessUnavailable(unit: String, reason: String)
    /// It cannot live in a process with others.
    case unsociable(unit: String, reason: String)
    case system(String)
}

extension HostingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformedManifest(let path, let reason):
            "Couldn't read the manifest \"\(path)\": \(reason). Make the bundle anew with: bulkhead bundle LIBRARY"
        case .missingExecutable(let bundle, let executable):
            "Couldn't use the bundle \"\(bundle)\": its executable \"\(executable)\" is not there or may not be run."
        case .unknownComponent(let name, let nearest):
            "There is no plug-in \"\(name)\"." + Self.suggestion(nearest) + " List them with: bulkhead list"
        case .ambiguousComponent(let name, let matches):
            "\"\(name)\" could be any of \(Self.some(matches)). Say which by its ID."
        case .missingLibrary(let bundle, let library):
            "Couldn't use the bundle \"\(bundle)\": its library \"\(library)\" is not there or may not be read."
        case .fault(let unit, let act, let fault): "Couldn't \(act) \"\(unit)\": the plug-in \(fault)."
        case .refused(let unit, let act, let reason):
            // A reason may end in a question.
            "Couldn't \(act) \"\(unit)\": \(reason)\(reason.hasSuffix("?") ? "" : ".")"
        case .noConsent(let unit):
            "Couldn't load \"\(unit)\" into the host: the plug-in does not consent to it. Leave --in-process out."
        case .notTrusted(let unit, let id, let elsewhere):
            "Couldn't load \"\(unit)\" into the host: \(elsewhere?.reason ?? "you have not trusted it"). Leave --in-process out, or say: "
                + "bulkhead trust \(ShellWord.quoted(id))"
        case .blocked(let unit, let id):
            "Couldn't use \"\(unit)\": you have blocked it. Use it again with: bulkhead unblock \(ShellWord.quoted(id))"
        case .malformedSettings(let path, let reason):
            "Couldn't read what you have blocked and trusted from \"\(path)\": \(reason). Correct the file, or remove it."
        case .unusableLocation(let path, let reason):
            "Couldn't use \"\(path)\": \(reason). Once that is mended, say: bulkhead scan"
        case .inProcessUnavailable(let unit, let reason):
            "Couldn't load \"\(unit)\" into the host: \(reason). Leave --in-process out."
        case .unsociable(let unit, let reason):
            "Couldn't have \"\(unit)\" share a process: \(reason). Leave --isolation out, or say --isolation individually."
        case .system(let sentence): sentence
        }
    }

    /// The bundle that cannot be used, for errors that are about one.
    var bundlePath: String? {
        switch self {
        case .malformedManifest(let path, _): FilePath.folder(of: path)
        case .missingExecutable(let bundle, _), .missingLibrary(let bundle, _): bundle
        default: nil
        }
    }

    /// The first few of many.
    private static func some(_ matches: [String]) -> String {
        let shown = matches.prefix(5).joined(separator: ", ")
        return matches.count > 5 ? "\(shown) and \(matches.count - 5) more" : shown
    }

    private static func suggestion(_ nearest: [String]) -> String {
        nearest.isEmpty ? "" : " Did you mean \(nearest.map { "\"\($0)\"" }.joined(separator: " or "))?"
    }
}

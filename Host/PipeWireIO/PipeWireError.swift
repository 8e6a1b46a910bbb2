// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The errors of PipeWire as values, each with a sentence for the user. Control thread.

import CPipeWireShims
import Glibc

/// The reason why a node, a private session or a recording could not be started.
///
/// `[any]`
public enum PipeWireError: Error, Sendable, Equatable, CustomStringConvertible {
    /// No daemon at the socket; `code` is an errno.
    case unreachable(code: Int32)
    /// The daemon accepts connections, but then sends nothing or hangs up.
    case noAnswer(reason: String)
    /// PipeWire does not support the configuration.
    case invalidConfiguration(reason: String)
    /// The driver already runs.
    case alreadyStarted(nodeName: String)
    /// PipeWire could not make the node.
    case nodeRefused(nodeName: String, reason: String)
    /// PipeWire could not make the virtual sink or source.
    case deviceRefused(name: String, reason: String)
    /// No such sink.
    ///
    /// `available` has the names of the sinks that exist, quoted and separated by commas.
    case noSink(name: String?, available: String)
    /// No such source.
    ///
    /// `available` has the names of the sources that exist, as in `noSink`.
    case noSource(name: String?, available: String)
    /// The links carried no audio in time.
    case notLinked(nodeName: String, reason: String)
    /// PATH does not lead to the program; the Debian package has it.
    case missingProgram(name: String, package: String)
    /// A child process could not be started, or ended too early.
    case childFailed(name: String, reason: String)

    /// The failure, and the user's options, as one or two sentences.
    public var description: String {
        switch self {
        case .unreachable(let code):
            "Couldn't reach PipeWire: \(code == EHOSTDOWN ? "no daemon is running" : describe(code)). \(advice)"
        case .noAnswer(let reason): "Couldn't reach PipeWire: \(reason). \(advice)"
        case .invalidConfiguration(let reason): "Couldn't set up the PipeWire node: \(reason)."
        case .alreadyStarted(let name): "Couldn't start \"\(name)\": it is running already."
        case .nodeRefused(let name, let reason): "Couldn't make the PipeWire node \"\(name)\": \(reason)."
        case .deviceRefused(let name, let reason):
            "Couldn't make the virtual device \"\(name)\": \(reason). Give it another name."
        case .noSink(let name, let available): missing("sink", name, available)
        case .noSource(let name, let available): missing("source", name, available)
        case .notLinked(let name, let reason):
            "Couldn't link the PipeWire node \"\(name)\": \(reason). `pw-link -l` shows what is linked."
        case .missingProgram(let name, let package):
            "Couldn't find the program \"\(name)\". Debian has it in the package \(package): `apt install \(package)`."
        case .childFailed(let name, let reason): "Couldn't run \"\(name)\": \(reason)."
        }
    }

    private var advice: String {
        "Start it with `systemctl --user start pipewire wireplumber`, or play without it: `bulkhead play --driver null`."
    }

    private func missing(_ what: String, _ name: String?, _ available: String) -> String {
        let subject = name.map { "the audio \(what) \"\($0)\"" } ?? "any audio \(what)"
        let rest = available.isEmpty ? "PipeWire has no \(what) at all" : "there is \(available)"
        return "Couldn't find \(subject): \(rest)."
    }
}

/// The C library's text for an errno, in lower case.
func describe(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    let sentence = String(cString: text)
    return sentence.prefix(1).lowercased() + sentence.dropFirst()
}

extension PipeWireError {
    init(_ error: CPipeWireShims_Error, _ configuration: PipeWireConfiguration) {
        let text = withUnsafeBytes(of: error.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let reason = text.isEmpty ? describe(error.code) : text
        switch error.step {
        case CPipeWireShims_StepConnect: self = .unreachable(code: error.code)
        case CPipeWireShims_StepAnswer: self = .noAnswer(reason: text.isEmpty ? "the daemon doesn't answer" : text)
        case CPipeWireShims_StepSink: self = .noSink(name: configuration.sink.name, available: text)
        case CPipeWireShims_StepSource: self = .noSource(name: configuration.source.name, available: text)
        case CPipeWireShims_StepDevice: self = .deviceRefused(name: configuration.nodeName, reason: reason)
        case CPipeWireShims_StepLink: self = .notLinked(nodeName: configuration.nodeName, reason: reason)
        default: self = .nodeRefused(nodeName: configuration.nodeName, reason: reason)
        }
    }
}

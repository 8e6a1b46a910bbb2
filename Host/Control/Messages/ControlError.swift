// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A refused request: a code for programs and a sentence for people. Any thread.

import AudioUnits
import GraphDocuments
import PluginHosting

/// The reason for which a request was not carried out.
public struct ControlError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of refusal.
    public enum Code: String, Sendable, CaseIterable {
        /// The line is not JSON, or no request.
        case malformed
        /// There is no such method.
        case unknownMethod
        /// A field is missing, unknown, or has the wrong type.
        case badField
        /// There is no such node, parameter, preset, scene or plug-in.
        case notFound
        /// The request is impossible, such as a value out of range or a cycle.
        case refused
        /// A plug-in did not start, or failed.
        case fault
        /// There is nothing to undo or to redo.
        case nothingToDo
        /// The host is about to end.
        case ending
        /// The client may not connect, or has sent too much.
        case forbidden
    }

    /// The kind of refusal.
    public let code: Code
    /// One sentence, or several.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    /// The sentence.
    public var description: String { message }
}

extension ControlError {
    init(_ error: GraphEditError) {
        let code: Code =
            switch error {
            case .noSuchNode, .noSuchConnection: .notFound
            case .connectedAlready, .unclearPlace, .fixed: .refused
            }
        self.init(code, "\(error)")
    }

    init(_ error: GraphDocumentError) {
        guard let cause = error.hostingError else {
            if case .noSuchNode = error { self.init(.notFound, "\(error)") } else { self.init(.refused, "\(error)") }
            return
        }
        self.init(ControlError(cause).code, "\(error)")
    }

    init(_ error: HostingError) {
        let code: Code =
            switch error {
            case .unknownComponent, .ambiguousComponent: .notFound
            case .fault: .fault
            case .refused(_, _, let cause, _):
                switch cause {
                case .unknownParameter, .unknownPreset, .unknownText: .notFound
                default: .refused
                }
            default: .refused
            }
        self.init(code, "\(error)")
    }
}

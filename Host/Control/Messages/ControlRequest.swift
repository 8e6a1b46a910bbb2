// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One line from a client: a method with its fields, checked against the table of methods. Any thread.

import JSON
import PluginHosting
import Printing

/// A request that has exactly the fields of its method.
public struct ControlRequest: Sendable {
    /// The longest line in bytes, which holds a whole graph.
    public static let maximumByteCount = 1 << 20

    /// The client's ID of the request, which the answer repeats.
    public let id: JSONValue
    /// The method.
    public let method: ControlMethod
    private let fields: [String: JSONValue]

    /// The defect of a line, and the request's ID if it was readable.
    public struct Defect: Error {
        let id: JSONValue
        let error: ControlError
    }

    /// Reads a line.
    public init(line: [UInt8]) throws(Defect) {
        guard let read = JSONValue(json: line) else { throw Self.defect("it is not JSON, or cut short") }
        guard case .object(let members) = read else { throw Self.defect("it is not an object") }
        let id = read["id"] ?? .null
        switch id {
        case .null, .number, .text: break
        default: throw Defect(id: .null, error: ControlError(.malformed, "An \"id\" is a number or a text."))
        }
        let method = read["method"] ?? .null
        guard method == .null || method.text != nil else { throw Self.defect("\"method\" has the wrong type") }
        if let key = members.keys.filter({ !Self.keys.contains($0) }).min() {
            let words = "A request has no key \(Self.quoted(key)). Its keys are \"id\", \"method\" and \"params\"."
            throw Defect(id: id, error: ControlError(.malformed, words))
        }
        do throws(ControlError) {
            try self.init(id: id, method: method.text, params: read["params"].flatMap { $0 == .null ? nil : $0 })
        } catch {
            throw Defect(id: id, error: error)
        }
    }

    private static let keys: Set<String> = ["id", "method", "params"]

    private static func defect(_ reason: String) -> Defect {
        Defect(id: .null, error: ControlError(.malformed, "The line is no request: \(reason)."))
    }

    init(id: JSONValue, method name: String?, params: JSONValue?) throws(ControlError) {
        guard let name else { throw ControlError(.malformed, "The request has no \"method\".") }
        guard let method = ControlMethod.named(name) else {
            let near = NearestNames.among(ControlMethod.all.map(\.name), to: name, limit: 1).first
            throw ControlError(
                .unknownMethod,
                "There is no method \(Self.quoted(name)).\(near.map { " Did you mean \"\($0)\"?" } ?? " \"methods\" lists all.")")
        }
        switch params ?? .object([:]) {
        case .object(let fields): self.fields = fields.filter { $0.value != .null }
        default: throw ControlError(.malformed, "\"params\" is an object.")
        }
        (self.id, self.method) = (id, method)
        try check()
    }

    private func check() throws(ControlError) {
        if let name = fields.keys.filter({ name in !method.fields.contains { $0.name == name } }).min() {
            throw ControlError(.badField, "The method \"\(method.name)\" has no field \(Self.quoted(name)).")
        }
        for field in method.fields {
            guard let value = fields[field.name] else {
                guard field.isRequired else { continue }
                throw ControlError(.badField, "The method \"\(method.name)\" needs the field \"\(field.name)\".")
            }
            guard field.kind.holds(value) else {
                throw ControlError(.badField, "The field \"\(field.name)\" of \"\(method.name)\" is \(field.kind.noun).")
            }
        }
    }

    static func quoted(_ text: String) -> String { "\"\(PrintableText.cleaned(text, limit: 80))\"" }
}

extension ControlRequest {
    /// A field as the client sent it.
    subscript(name: String) -> JSONValue? { fields[name] }

    /// A text that the method needs.
    func text(_ name: String) throws(ControlError) -> String {
        guard let text = fields[name]?.text else { throw ControlError(.badField, "The field \"\(name)\" is missing.") }
        return text
    }
}

extension ControlMethod.Field.Kind {
    fileprivate func holds(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.text, .text), (.number, .number), (.flag, .flag), (.object, .object): true
        case (.value, .text), (.value, .number), (.value, .flag): true
        case (.texts, .list(let values)): values.allSatisfy { $0.text != nil }
        default: false
        }
    }

    fileprivate var noun: String {
        switch self {
        case .text: "a text"
        case .number: "a number"
        case .flag: "true or false"
        case .value: "a number, a text, true or false"
        case .texts: "a list of texts"
        case .object: "an object"
        }
    }
}

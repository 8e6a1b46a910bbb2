// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The JSON Schema of the control protocol, made of the table of methods. Any thread.

import JSON

/// The JSON Schema of each line.
public enum ControlSchema {
    /// The schema as a value.
    public static var value: JSONValue {
        .object([
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": .text("A line of Bulkhead's control protocol, version \(ControlLine.version)"),
            "anyOf": .list(["request", "answer", "refusal", "event", "hello"].map { .object(["$ref": .text("#/$defs/\($0)")]) }),
            "$defs": .object([
                "id": .object(["type": .list(["number", "string", "null"])]),
                "request": .object(["oneOf": .list(ControlMethod.all.map(request))]),
                "answer": object(["id": reference("id"), "result": .object([:])], required: ["id", "result"]),
                "refusal": object(["id": reference("id"), "error": error], required: ["id", "error"]),
                "event": object(
                    ["event": names(ControlTopic.allCases.map(\.rawValue) + ["view"]), "data": .object(["type": "object"])],
                    required: ["event", "data"]),
                "hello": object(
                    [
                        "bulkheadControl": .object(["const": .count(ControlLine.version)]), "host": .object(["type": "string"]),
                    ], required: ["bulkheadControl", "host"]),
            ]),
        ])
    }

    private static var error: JSONValue {
        object(
            ["code": names(ControlError.Code.allCases.map(\.rawValue)), "message": .object(["type": "string"])],
            required: ["code", "message"])
    }

    private static func request(_ method: ControlMethod) -> JSONValue {
        let fields = Dictionary(method.fields.map { ($0.name, $0.schema) }) { first, _ in first }
        let required = method.fields.filter(\.isRequired).map(\.name)
        let params = closed(object(fields, required: required))
        return closed(
            object(
                [
                    "id": reference("id"), "method": .object(["const": .text(method.name), "description": .text(method.summary)]),
                    "params": params,
                ],
                required: ["method"] + (required.isEmpty ? [] : ["params"])))
    }

    /// The same type of object, without further members.
    private static func closed(_ object: JSONValue) -> JSONValue {
        guard case .object(var members) = object else { return object }
        members["additionalProperties"] = false
        return .object(members)
    }

    private static func object(_ members: [String: JSONValue], required: [String]) -> JSONValue {
        .object([
            "type": "object", "properties": .object(members), "required": .list(required.map { .text($0) }),
        ])
    }

    private static func reference(_ name: String) -> JSONValue { .object(["$ref": .text("#/$defs/\(name)")]) }

    private static func names(_ names: [String]) -> JSONValue { .object(["enum": .list(names.map { .text($0) })]) }
}

extension ControlMethod.Field {
    fileprivate var schema: JSONValue {
        let type: [String: JSONValue] =
            switch kind {
            case .text: ["type": "string"]
            case .number: ["type": "number"]
            case .flag: ["type": "boolean"]
            case .value: ["type": .list(["number", "string", "boolean"])]
            case .texts: ["type": "array", "items": .object(["type": "string"])]
            case .object: ["type": "object"]
            }
        return .object(type.merging(["description": .text(summary)]) { first, _ in first })
    }
}

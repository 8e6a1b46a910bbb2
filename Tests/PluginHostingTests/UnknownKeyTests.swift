// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A key of a document that no type asks for is found, whatever the shape of the types. Any thread.

import Foundation
import Testing

@testable import PluginHosting

@Suite struct UnknownKeyTests {
    private struct Whole: Codable, Equatable {
        var name: String
        var parts: [Part]?
        var numbers: [String: Double]?
        var nested: [String: [Part]]?
        var bytes: Data?
        var kind: Kind?
    }

    private struct Part: Codable, Equatable {
        var size: Int
        var isLoud: Bool?
    }

    /// A type that reads its object twice, and keys only for one word.
    private struct Kind: Codable, Equatable {
        enum Key: String, CodingKey { case word, length }
        enum Other: String, CodingKey { case color }
        var word: String
        var length: Int?
        var color: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            word = try container.decode(String.self, forKey: .word)
            if word == "rope" { length = try container.decodeIfPresent(Int.self, forKey: .length) }
            color = try decoder.container(keyedBy: Other.self).decodeIfPresent(String.self, forKey: .color)
        }
    }

    private func unknown(_ text: String) throws -> String? {
        let (value, unknown) = try ReadableJSON.document(Whole.self, from: Array(text.utf8))
        // What is read is the same as without notes.
        #expect(try ReadableJSON.value(Whole.self, from: Array(text.utf8)) == value)
        return unknown?.reason()
    }

    @Test func aDocumentWithoutAStrangeKeyHasNone() throws {
        let whole = """
            {"name": "a", "parts": [{"size": 1}, {"size": 2, "isLoud": true}], "numbers": {"x": 1.5, "any key": 2},
            "nested": {"b": [{"size": 3}]}, "bytes": "AQID", "kind": {"word": "rope", "length": 3, "color": "red"}}
            """
        #expect(try unknown(whole) == nil && unknown("{\"name\": \"a\", \"parts\": null}") == nil)
    }

    @Test(arguments: [
        (
            "{\"name\": \"a\", \"nmae\": 1}",
            "it has the key \"nmae\", which there is not; keys are \"bytes\", \"kind\", \"name\", \"nested\", \"numbers\", \"parts\""
        ),
        (
            "{\"name\": \"a\", \"parts\": [{\"size\": 1}, {\"size\": 1, \"loud\": true}]}",
            "\"parts[1]\" has the key \"loud\", which there is not; keys are \"isLoud\", \"size\""
        ),
        ("{\"name\": \"a\", \"nested\": {\"b\": [{\"size\": 1, \"\\u001b\": 1}]}}", "\"nested.b[0]\" has the key \"?\""),
        (
            "{\"name\": \"a\", \"kind\": {\"word\": \"stone\", \"length\": 3}}",
            "\"kind\" has the key \"length\", which there is not; keys are \"color\", \"word\""
        ),
        ("{\"name\": \"a\", \"parts\": [{\"size\": 1, \"x\": 1}], \"y\": 1}", "it has the key \"y\""),
    ])
    func aStrangeKeyIsNamedWithThoseThatThereAre(text: String, reason: String) throws {
        let said = try unknown(text)
        #expect(said?.hasPrefix(reason) == true, "\(said ?? "")")
    }

    @Test(arguments: [
        "{}", "[]", "{\"name\": 1}", "{\"name\": \"a\", \"parts\": 3}", "{\"name\": \"a\", \"parts\": [1]}",
        "{\"name\": \"a\", \"numbers\": {\"x\": \"y\"}}", "{\"name\": \"a\", \"bytes\": \"!\"}", "{\"name\": \"a\", \"kind\": {}}",
        "{\"name\": \"a\", \"numbers\": {\"x\": 1e999}}", "{\"name\": \"a\", \"parts\": [{\"size\": 1.5}]}", "{\"name\": null}",
        "{",
    ])
    func anErrorIsTheSameAsWithoutNotes(text: String) {
        func reason(_ read: () throws -> Void) -> String {
            do { try read() } catch { return ReadableJSON.reason(of: error) }
            return ""
        }
        let bytes = Array(text.utf8)
        let plain = reason { _ = try ReadableJSON.value(Whole.self, from: bytes) }
        #expect(!plain.isEmpty && reason { _ = try ReadableJSON.document(Whole.self, from: bytes) } == plain)
    }
}

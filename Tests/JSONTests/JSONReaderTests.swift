// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Bytes of JSON: right ones and damaged ones are read, and what is written is read again. Test thread.

import JSON
import Testing

@Suite struct JSONReaderTests {
    private func value(_ text: String) -> JSONValue? { JSONValue(json: Array(text.utf8)) }

    @Test func allValuesAreRead() {
        #expect(
            value(#"{"a":[1,-2.5e3,"x\"\\n\u00e9\ud83c\udf9b",true,false,null],"b":{}}"#)
                == .object([
                    "a": .list([1.0, -2500.0, "x\"\\né🎛", true, false, .null]), "b": .object([:]),
                ]))
        #expect(value(" [ ] ") == .list([]))
    }

    @Test func damagedLinesAreNoValues() {
        for text in [
            "", "{", "[1,]", "{\"a\"}", "\"x", "tru", "1 2", #""\u12""#, "nul", "[1", "{\"a\":1,}", "--",
            "01", "+1", "1.", ".5", "1e", "1e999", "-", "\"a\tb\"", #""\x""#, "[1]]", "{1:2}", "NaN", "\u{0}",
            String(repeating: "[", count: 5000),
        ] {
            #expect(value(text) == nil, "\(text.prefix(20))")
        }
        // No UTF-8.
        #expect(JSONValue(json: [0x22, 0xFF, 0x22]) == nil && JSONValue(json: [0x22, 0xC3, 0x22]) == nil)
    }

    @Test func halvesOfCharactersAreReplaced() {
        #expect(value(#""\ud83c""#) == "\u{FFFD}" && value(#""\udf9b!""#) == "\u{FFFD}!")
        // What follows is a character of its own.
        #expect(value(#""\ud83d\u0041""#) == "\u{FFFD}A" && value(#""\ud83c\ud83c\udf9b""#) == "\u{FFFD}🎛")
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let all = JSONValue.object([
            "b": .list([1.0, -0.5, 1e300, 12_345_678_901.0, .null, true]), "a": "\"\\/\n\u{1}é🎛", "": .object([:]), "c": .list([]),
        ])
        #expect(JSONValue(json: all.json) == all && JSONValue(json: all.readableJSON) == all)
        #expect(
            String(decoding: all.json, as: UTF8.self).hasPrefix(#"{"":{},"a":"\"\\/\n\u0001é🎛","b":[1,-0.5,1e+300,12345678901,"#))
        #expect(JSONValue.list([.number(.nan), .number(.infinity)]).json == Array("[null,null]".utf8))
        #expect(JSONValue(json: JSONValue.number(0.1).json) == 0.1)
    }
}

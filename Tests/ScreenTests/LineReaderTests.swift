// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Lines of JSON as the screen reads them: right ones, and damaged ones. Test thread.

import Control
import Testing

@testable import Screen

@Suite struct LineReaderTests {
    private func value(_ text: String) -> JSONValue? { LineReader.value(Array(text.utf8)) }

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
            String(repeating: "[", count: 5000),
        ] {
            #expect(value(text) == nil, "\(text.prefix(20))")
        }
    }
}

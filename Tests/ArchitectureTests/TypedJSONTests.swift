// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Types are read from JSON and written to it in one place, which says what is wrong with a document. Test thread.

import Glibc
import Testing

@Suite struct TypedJSONTests {
    @Test func oneFileHasTheCodersOfJSON() {
        let coders = ["JSONDecoder(", "JSONEncoder(", "JSONSerialization."]
        let files = SourceFile.all().filter { file in !file.isTest && coders.contains { strstr(file.text, $0) != nil } }
        #expect(
            files.map(\.path) == ["Host/PluginHosting/UserFiles/ReadableJSON.swift"],
            "Use ReadableJSON for types, and JSONValue for values whose shape is not known before.")
    }
}

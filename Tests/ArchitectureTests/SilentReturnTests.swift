// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// No test passes by returning early: what cannot run here is skipped, and says why.

import Testing

@Suite struct SilentReturnTests {
    @Test func noTestReturnsEarly() {
        for source in SourceFile.all() where source.isTest { #expect(source.silentReturns.isEmpty) }
    }

    @Test func aTestThatReturnsEarlyIsCaught() {
        func returns(_ text: String) -> [String] { SourceFile(path: "Tests/A/A.swift", text: text).silentReturns }
        #expect(returns("    @Test func a() {\n        guard isReady else { return }\n    }\n") == ["Tests/A/A.swift:2"])
        #expect(
            returns("    @Test(arguments: [1])\n    func a(_: Int) {\n        if !isReady { return }\n    }\n") == [
                "Tests/A/A.swift:3"
            ])
        #expect(returns("    @Test func a() {\n        guard isReady\n        else { return }\n    }\n") == ["Tests/A/A.swift:3"])
        #expect(
            returns("    @Test func a() {\n        if !isReady {\n            return\n        }\n    }\n") == ["Tests/A/A.swift:3"])
        // A closure's own return, and that of a function that is no test.
        #expect(returns("    @Test func a() {\n        run {\n            guard isDue else { return }\n        }\n    }\n").isEmpty)
        #expect(returns("    func a() {\n        guard isReady else { return }\n    }\n").isEmpty)
    }
}

extension SourceFile {
    /// Lines with a bare `return` at the first level of a test, or of a branch there.
    fileprivate var silentReturns: [String] {
        var found: [Int] = []
        var indentation: Int?
        var isTest = false
        for (index, line) in lines.enumerated() {
            let depth = line.prefix { $0 == " " }.count
            if let level = indentation {
                if depth == level, line.holds("}") { indentation = nil }
                let isBranch = depth == level + 8 && lines[index - 1].drop { $0 == " " }.hasPrefix("if ")
                let text = line.drop { $0 == " " }
                if depth == level + 4, text.hasSuffix("{ return }"), ["guard ", "else ", "if "].contains(where: text.hasPrefix) {
                    found.append(index)
                } else if isBranch, text == "return" {
                    found.append(index)
                }
            } else {
                if line.holds("@Test") { isTest = true }
                if line.holds("func ") {
                    if isTest, line.hasSuffix("{") { indentation = depth }
                    isTest = false
                }
            }
        }
        return found.map { "\(path):\($0 + 1)" }
    }
}

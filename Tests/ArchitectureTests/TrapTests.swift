// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The host does not trap on what comes from a file, a flag, a message or a plug-in, as far as its text shows it. Test thread.

import Testing

@Suite struct TrapTests {
    /// Folders and files whose lines need not say why they cannot trap.
    private static let exceptions = [
        "Host/Examples/": "programs that take no numbers from outside, and are short to read",
        "Host/Demonstration/": "it plays its own loop",
        "Host/Measuring/": "it counts with its own measurements",
        "Host/Confinement/Confinement.swift": "a copy of a path of a few bytes",
        "Host/PluginHosting/Isolation/UnitProcess.swift": "the closure before it has set the result",
        "Host/PluginHosting/Rights/CodeDigest.swift": "an array that is not empty has an address",
    ]

    private static let traps = SourceFile.all().filter { $0.path.hasPrefix("Host/") }.flatMap(\.unexplainedTraps)

    @Test func whatCannotTrapSaysWhy() {
        let unexplained = Self.traps.filter { trap in !Self.exceptions.keys.contains { trap.hasPrefix($0) } }
        #expect(
            unexplained == [],
            "Use an initializer that checks, such as Int(nearestFrame:), or a guard; or say why behind `// Cannot trap:`.")
    }

    @Test func eachExceptionIsStillOne() {
        #expect(Self.exceptions.keys.filter { key in !Self.traps.contains { $0.hasPrefix(key) } }.sorted() == [])
    }

    @Test(arguments: [
        "let a = b!", "let a = try! b()", "let a = b as! C", "a(b)!.c()", "let a: String!", "d[0]! += 1", "fatalError(\"no\")",
        "precondition(a > 0)", "let a = Int(b.rounded())", "let a = UInt64(seconds * 1e9)", "let a = Int(b * 0.5)",
        "let a = Int32(c.sampleRate)", "print(\"\\(Int(rate)) Hz\")", "a(\"\\(b!)\")", "let a = max(1, Int(pow(2, b)))",
    ])
    func whatMayTrapIsCaught(line: String) {
        func traps(_ text: String) -> [String] { SourceFile(path: "Host/A.swift", text: text).unexplainedTraps }
        #expect(traps(line) == ["Host/A.swift:1"])
        #expect(traps("    // Cannot trap: b is 1.\n    \(line)").isEmpty)
        #expect(traps("// Cannot trap: b is 1.\n\n\n\(line)") == ["Host/A.swift:4"])
    }

    @Test(arguments: [
        "if !a, b != c { d() }", "// Use a!", "let a = \"Stop!\"", "let a = \"\\(b)!\"", "let a = Int(exactly: b.rounded()) ?? 0",
        "let a = Int(nearestFrame: b * 0.5)", "let a = Int(b.clamped(0, 1e6))", "let a = Int(count)", "let a = UInt8(clamping: b)",
        "let a = \"\"\"\n    Int(rate)! and so on\n    \"\"\"",
    ])
    func whatCannotTrapIsNotCaught(text: String) {
        #expect(SourceFile(path: "Host/A.swift", text: text).unexplainedTraps == [])
    }
}

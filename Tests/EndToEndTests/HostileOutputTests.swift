// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What plug-ins print on purpose to deceive the user: it reaches the terminal as plain lines under their names.

import Foundation
import TestSupport
import Testing

extension Commands {
    @Suite struct HostileOutputTests {
        /// A title, the clipboard, a cleared screen, a false prompt, text that runs backwards.
        private static let text =
            "\u{1B}]0;title\u{07}\u{1B}]52;c;c2VjcmV0\u{07}\u{1B}[2J\u{9B}8m\rbulkhead: [sudo] password: \u{202E}drowssap\n"
        private static let control = Set("\u{1B}\u{07}\u{9B}\r\u{202E}".unicodeScalars)

        private func makeScript(_ bench: Workbench) throws -> String {
            let bundle = try bench.makeTeller("cat \"${0%/*}/text\"\ncat \"${0%/*}/text\" >&2")
            try Data(Self.text.utf8).write(to: URL(fileURLWithPath: "\(bundle)/text"))
            return "\(bundle)/run"
        }

        @Test func escapeSequencesOfAPlugInDoNotReachTheTerminal() throws {
            let bench = try Workbench(adding: ["BULKHEAD_PATH": "bundles"])
            let script = try makeScript(bench)
            try bench.run("unconfine", "Teller").expectSuccess()
            let outcome = try bench.run("info", "Teller")
            #expect(outcome.status == 1 && outcome.output.isEmpty)
            let lines = outcome.errors.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines.dropLast().allSatisfy { $0.hasPrefix("bulkhead: Teller:") && $0.hasSuffix("drowssap") })
            #expect(outcome.errors.unicodeScalars.allSatisfy { !Self.control.contains($0) })
            // By itself the script says all of it.
            let pipe = Pipe()
            let process = Process()
            process.executableURL = URL(fileURLWithPath: script)
            (process.standardOutput, process.standardError) = (FileHandle.nullDevice, pipe)
            try process.run()
            let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            #expect(String(decoding: bytes, as: UTF8.self) == Self.text)
        }
    }
}

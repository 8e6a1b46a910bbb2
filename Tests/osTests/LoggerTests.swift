// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Messages of the log: their values, who may read them, and their lines. Test thread.

import Glibc
import Testing

@testable import os

@Suite struct LoggerTests {
    private struct Trouble: Error {}

    private func shown(_ message: OSLogMessage) -> String { message.text(showingPrivate: false) }

    private func line(_ message: OSLogMessage, _ level: OSLogType = .error, _ log: LogOutput? = nil) -> String {
        let log = log ?? LogOutput(level: nil, showsPrivate: false)
        return log.line(message, level, "com.example", "audio", at: timespec(tv_sec: 1_000_000_000, tv_nsec: 45_999_999))
    }

    @Test func textsArePrivateAndNumbersAreNot() {
        let (name, count) = ("Anna", 3)
        #expect(shown("\(name) has \(count), \(0.5), \(true)") == "<private> has 3, 0.500000, true")
        #expect(shown("\(name, privacy: .public) \(count, privacy: .private)") == "Anna <private>")
        #expect(shown("\(Trouble()) \([1, 2]) \(Int.self)") == "<private> <private> <private>")
        #expect(shown("\(Trouble(), privacy: .public) \([1, 2], privacy: .public)") == "Trouble() [1, 2]")
        #expect(shown("no value") == "no value")
    }

    @Test func privateTextsAreShownIfAskedForAndSensitiveOnesNever() {
        let name = "Anna"
        let message: OSLogMessage = "\(name) \(name, privacy: .private) \(name, privacy: .sensitive)"
        #expect(message.text(showingPrivate: true) == "Anna Anna <private>")
        #expect(message.text(showingPrivate: false) == "<private> <private> <private>")
    }

    @Test func aHashTellsEqualValuesFromOthers() {
        let (first, second) = ("Anna", "Otto")
        let texts = [first, first, second].map { shown("\($0, privacy: .private(mask: .hash))") }
        #expect(texts[0] == texts[1] && texts[0] != texts[2] && texts[0].hasPrefix("<mask.hash: "))
        #expect(!texts[0].contains(first) && shown("\(1, privacy: .auto(mask: .hash))") == "1")
        #expect(shown("\(first, privacy: .sensitive(mask: .none))") == "<private>")
    }

    @Test func numbersHaveTheFormsThatAreAskedFor() {
        #expect(shown("\(255, format: .hex) \(255, format: .hex(includePrefix: true, uppercase: true))") == "ff 0xFF")
        #expect(shown("\(-8, format: .octal) \(7, format: .decimal(minDigits: 3))") == "-10 007")
        #expect(shown("\(Int8.min) \(UInt64.max)") == "-128 18446744073709551615")
        #expect(
            shown("\(2.0 / 3, format: .fixed(precision: 2)) \(Float(0.25), format: .exponential(precision: 1))") == "0.67 2.5e-01")
        #expect(
            shown("\(1e9, format: .hybrid) \(1.0, format: .exponential) \(1.5, format: .hybrid(precision: 1))")
                == "1e+09 1.000000e+00 2")
        #expect(shown("\(true, format: .answer)|\(7, align: .right(columns: 3))|\(7, align: .left(columns: 3))|") == "yes|  7|7  |")
        #expect(shown("\(Double.greatestFiniteMagnitude, format: .fixed(precision: 1000))").count == 309 + 1 + 100)
        #expect(shown("\(Double.nan, format: .fixed)") == "nan")
    }

    @Test func aLineHasItsTimeItsLevelAndItsPlace() {
        #expect(line("gone").dropFirst(23) == " error [com.example:audio] gone")
        // Local time, whose minutes differ between some zones.
        #expect(line("gone").prefix(23).wholeMatch(of: /2001-09-0\d \d\d:\d\d:40\.045/) != nil)
        #expect(line("gone", .default).contains(" notice [") && line("gone", .fault).contains(" fault ["))
    }

    @Test func aValueCannotPretendToBeAMessageOfItsOwn() {
        let value = "a\n2001-09-09 01:46:40.045 fault [com.example:audio] b\u{1B}[2J"
        let lines = line("\(value, privacy: .public)").split(separator: "\n")
        #expect(lines.count == 2 && lines[1] == "    2001-09-09 01:46:40.045 fault [com.example:audio] b\u{FFFD}[2J")
    }

    @Test(
        arguments: [
            (nil, [2, 3, 4]), ("debug", [0, 1, 2, 3, 4]), ("info", [1, 2, 3, 4]), ("error", [3, 4]), ("fault", [4]),
            ("loud", [2, 3, 4]),
        ] as [(String?, [Int])])
    func theEnvironmentChoosesTheLeastLevel(word: String?, written: [Int]) {
        let log = LogOutput(level: word, showsPrivate: false)
        let levels = [OSLogType.debug, .info, .default, .error, .fault]
        #expect(levels.indices.filter { log.isWritten(levels[$0]) } == written)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT

import Testing

@testable import Console
@testable import PluginHosting
@testable import TerminalHost

@Suite struct DisplayTests {
    @Test func colouredTextIsCutByWhatIsSeen() {
        let text: StyledText = "ab\(StyledText.red("cdef"))gh"
        #expect(text.visibleCount == 8 && text.plain == "abcdefgh")
        #expect(text.cut(to: 3) == "ab\(StyledText.red("c"))" && text.cut(to: 3).escaped == "ab\u{1B}[31mc\u{1B}[0m")
        #expect(text.cut(to: 100) == text)
    }

    /// A name, and not the host, is what such characters come from.
    @Test(arguments: ["\u{1B}[31m", "\u{1B}]0;x\u{07}", "\u{9B}2J", "\n", "\r", "\u{202E}", "\u{2069}", "\u{E0041}", "\u{2028}"])
    func aTextThatSteersTheTerminalDoesNot(hostile: String) {
        let name = "a\(hostile)b"
        let texts: [StyledText] = [StyledText(name), .red(name), .green(name), "\(name)", "x\(name)y"]
        let steering = hostile.unicodeScalars.filter { !(0x20...0x7E ~= $0.value) }
        for text in texts {
            #expect(text.plain.unicodeScalars.count { $0 == "\u{FFFD}" } == steering.count)
            let foreign = ["31", "32", "0"].reduce(text.escaped) { $0.replacing("\u{1B}[\($1)m", with: "") }
            #expect(!foreign.unicodeScalars.contains { steering.contains($0) })
        }
        let table = Table(headings: ["Name", "ID"]).lines([[name, "1"], ["ab", "2"]])
        #expect(table.count == 3 && Set(table.map(\.visibleCount)).count <= 2)
    }

    @Test func linesThatDoNotFitAreCountedAndTheLastOneStays() {
        let lines = (1...10).map { "line \($0)" as StyledText }
        #expect(InPlaceLines.fit(lines, 10) == lines)
        #expect(InPlaceLines.fit(lines, 5) == ["line 1", "line 2", "line 3", "  and 6 more", "line 10"])
        for height in 1...12 { #expect(InPlaceLines.fit(lines, height).count == min(10, height)) }
    }

    @Test(arguments: [20, 40, 80, 200]) func aMeterFitsTheTerminalAndNeverChangesItsLength(columns: Int) {
        let peaks: [Float] = [0, 1e-9, 0.001, 0.1, 0.5, 1]
        let lengths = Set(peaks.map { PeakMeter.line("L", $0, columns: columns).visibleCount })
        #expect(lengths.count == 1)
        if columns >= 40 { #expect(lengths.allSatisfy { $0 < columns }) }
    }

    @Test func decimalsAreRoundedAndWholeNumbersHaveNoFraction() {
        #expect(Decimal.text(-0.04, 1) == "0.0" && Decimal.text(-0.06, 1) == "-0.1" && Decimal.text(2.5, 0) == "3")
        #expect(Decimal.shortest(3600) == "3600" && Decimal.shortest(0.01) == "0.01")
    }

    private final class Key {}
    private let keys = (Key(), Key())
    private var gain: ObjectIdentifier { ObjectIdentifier(keys.0) }
    private var delay: ObjectIdentifier { ObjectIdentifier(keys.1) }

    private func record(_ fault: PluginFault, recoveredAfterCycles: UInt64? = nil) -> FaultRecord {
        FaultRecord(fault: fault, cycle: 7, sampleTime: 0, recoveredAfterCycles: recoveredAfterCycles)
    }

    @Test func eachFaultAndEachReturnIsSaidOnce() {
        var messages = FaultMessages()
        let died = record(.signalled(signal: 9))
        #expect(messages.take([died], "Gain", gain) == ["Gain was ended by SIGKILL in cycle 7."])
        #expect(messages.take([died], "Gain", gain).isEmpty)
        let back = record(.signalled(signal: 9), recoveredAfterCycles: 1)
        #expect(messages.take([back], "Gain", gain) == ["Gain is back after 1 cycle."])
        #expect(messages.take([back], "Gain", gain).isEmpty)
    }

    @Test func whoWentDownWithWhomIsSaid() {
        var messages = FaultMessages()
        var died = record(.signalled(signal: 11))
        died.companions = ["Delay", "Reverb"]
        #expect(
            messages.take([died], "Gain", gain) == [
                "Gain was ended by SIGSEGV in cycle 7, and with it, in the same process, Delay; Reverb."
            ])
        var fellow = record(.wentDown(with: "Gain"))
        fellow.companions = ["Gain", "Reverb"]
        #expect(messages.take([fellow], "Delay", delay) == ["Delay went down with Gain, which shares its process, in cycle 7."])
    }

    @Test func aUnitThatIsLateAllTheTimeIsNamedOnce() {
        var messages = FaultMessages()
        let late = (0..<500).map { _ in record(.late, recoveredAfterCycles: 2) }
        #expect(messages.take(late, "Gain", gain).count == 1)
        #expect(messages.take(late + late, "Gain", gain).isEmpty)
        #expect(messages.take(late + late + [record(.exited(code: 1))], "Gain", gain).count == 1)
    }
}

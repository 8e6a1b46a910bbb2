// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Medians, verdicts, tables, and the machine in words. Any thread.

import BenchmarkSupport
import Testing

@Suite struct BenchmarkDocumentTests {
    private func document(_ values: [Double], isWhole: Bool = false) -> BenchmarkDocument {
        let rounds = values.map { value in
            var round = RoundFigures()
            round[.peerOverBulkhead] = value
            round.miss(.spinning, BenchmarkError("there is one processor only"))
            return round
        }
        return BenchmarkDocument(
            machine: "a machine", date: "2026-01-01", commit: "abc", rounds: rounds,
            commands: [BenchmarkCommand(["/opt/bin/bulkhead", "measure", "a chain"])], isWhole: isWhole)
    }

    private func row(_ values: [Double]) -> String? {
        document(values).text.split(separator: "\n").first { $0.contains("over Bulkhead |") }.map(String.init)
    }

    @Test func aTargetIsJudgedByTheMedianAndTheRoundsAreCounted() {
        #expect(row([3.5, 9, 3.2])?.hasSuffix("| at least 3.00 × | 3.50 × | 3.20 × … 9.00 × | met |") == true)
        #expect(row([3.5, 2, 3.2])?.hasSuffix("| 3.20 × | 2.00 × … 3.50 × | met, in 2 of 3 rounds |") == true)
        #expect(row([3.5, 2, 2.2])?.hasSuffix("| 2.20 × | 2.00 × … 3.50 × | **missed**; met in 1 of 3 rounds |") == true)
        #expect(row([1, 2])?.hasSuffix("| 1.50 × | 1.00 × … 2.00 × | **missed** |") == true)
    }

    @Test func whatWasNotMeasuredIsNeitherMetNorMissed() {
        let targets = document([4]).targets
        #expect(targets.map(\.isMet) == [nil, true])
        #expect(document([4]).text.contains("1 met, 0 missed, 1 not measured"))
        #expect(document([4]).text.contains("| – | – | not measured: there is one processor only |"))
        #expect(document([4], isWhole: true).targets.count == Figure.allCases.count { $0.limit != nil })
    }

    @Test func aBusyMachineIsTold() throws {
        for isQuiet in [true, false] {
            var round = RoundFigures()
            try round.note(
                one: try Figures.decode(from: MeasuredText.measure(isQuiet: isQuiet), printedBy: "bulkhead measure"))
            var document = document([4])
            document.rounds = [round]
            #expect(document.text.contains("measure again before believing") == !isQuiet)
            #expect(document.text.contains("Quiet: \(isQuiet ? 1 : 0) of 1 runs"))
        }
    }

    @Test func roundsWithoutAFigureAreTold() {
        var gappy = document([4, 5])
        gappy.rounds.append(RoundFigures())
        #expect(gappy.text.contains("| met; figures from 2 of 3 rounds |"))
    }

    @Test func noRoundsNoFigure() {
        #expect(Rounds([]) == nil)
        #expect(Rounds([1, .nan]) == nil)
        #expect(Rounds([4, 1, 3, 2])?.median == 2.5)
    }

    @Test func theCommandsAreThereAsTheyAreTyped() {
        #expect(document([4]).text.contains("    bulkhead measure 'a chain'\n"))
        #expect(!document([4]).text.contains("/opt/bin"))
    }

    @Test func aCellCannotBreakItsTable() {
        let text = MarkdownTable(["a", "b"]).text([["x|y", "two\nlines"], ["alone"]])
        #expect(text == "| a | b |\n| --- | --- |\n| x\\|y | two lines |\n| alone |  |")
    }

    @Test func theMachineIsDescribed() {
        let information = "processor\t: 0\nmodel name\t: Fast 3000\nflags\t\t: fpu hypervisor\nprocessor\t: 1\n"
        let machine = MachineDescription(
            processorInformation: information, kernel: "Linux 6.1", systemRelease: "ID=debian\nPRETTY_NAME=\"Debian 12\"\n")
        #expect(machine.text == "a virtual machine with 2 processors (Fast 3000), Linux 6.1, Debian 12")
        let bare = MachineDescription(processorInformation: "", kernel: "Linux", systemRelease: "")
        #expect(!bare.isVirtual)
        #expect(bare.text.contains("an unknown processor"))
        #expect(MachineDescription.current.processorCount > 0)
    }

    @Test func aCommandThatFailsIsASentence() throws {
        #expect(try BenchmarkCommand(["echo", "it's", "two words"]).output() == "it's two words\n")
        #expect(throws: BenchmarkError("`sh -c 'exit 3'` failed with status 3.")) {
            try BenchmarkCommand(["/bin/sh", "-c", "exit 3"]).output()
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Values of parameters as people read and write them. Test thread.

import AudioUnits
import Testing

@Suite struct ParameterTextTests {
    private let choice = Parameter("shape", name: "Shape", address: 1, choices: ["Sine", "Square", "Saw"], default: 1)
    private let onOff = Parameter("sync", name: "Sync", address: 2, isOn: true)
    private let level = Parameter("level", name: "Level", address: 3, range: -96...24, default: 0, unit: .decibels)

    @Test func choicesShowTheirNames() {
        #expect(choice.string(from: 2) == "Saw")
        #expect(choice.string(from: 0.6) == "Square")
        #expect(choice.range == 0...2 && choice.defaultValue == 1)
        #expect(onOff.string(from: 1) == "on" && onOff.string(from: 0) == "off")
    }

    @Test func choicesAreReadInAnyCaseAndByNumber() {
        #expect(choice.value(from: "square") == 1)
        #expect(choice.value(from: "2") == 2)
        #expect(choice.value(from: "triangle") == nil)
        #expect(onOff.value(from: "ON") == 1)
    }

    @Test func numbersShowTheirUnit() {
        #expect(level.string(from: -6) == "-6 dB")
        #expect(level.string(from: -6.125) == "-6.13 dB" || level.string(from: -6.125) == "-6.12 dB")
        #expect(level.string(from: 0.12345) == "0.1235 dB" || level.string(from: 0.12345) == "0.1234 dB")
    }

    @Test func aNameOutsideTheChoicesShowsItsNumber() { #expect(choice.string(from: 7) == "7") }

    @Test(arguments: [
        Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e300, 9.3e18,
        .leastNonzeroMagnitude,
    ])
    func anyNumberWhateverHasAString(value: Double) {
        #expect(!level.string(from: value).isEmpty)
        #expect(!choice.string(from: value).isEmpty)
    }

    @Test(arguments: ["", "six", "nan", "inf", "-inf", "1e400", "1,5", "6 %", "dB", "inf dB", "6  dB", "6 dB dB"])
    func whatIsNoFiniteNumberIsNotRead(text: String) { #expect(level.value(from: text) == nil) }

    @Test func numbersAreReadAsTheyAreWritten() {
        #expect(level.value(from: "-6.5") == -6.5)
        #expect(level.value(from: "1e1") == 10)
        #expect(level.value(from: "-6.5 dB") == -6.5 && level.value(from: "3db") == 3)
        let ratio = Parameter("ratio", name: "Ratio", address: 4, range: 1...20, default: 4, unit: .ratio)
        #expect(ratio.value(from: ratio.string(from: 4)) == 4)
    }
}

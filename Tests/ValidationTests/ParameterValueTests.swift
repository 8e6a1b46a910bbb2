// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Parameter values in ranges as wide as Double. Test thread.

import AudioUnits
import Testing

@testable import Validation

@Suite struct ParameterValueTests {
    private func parameter(_ range: ClosedRange<Double>) -> Parameter {
        Parameter("x", name: "X", address: 0, range: range, default: range.lowerBound)
    }

    private static let widest = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude

    @Test func aShareOfARangeIsANumberInItHoweverWideItIs() {
        for range in [Self.widest, 0...1, -1...1e308, 5...5] {
            let parameter = parameter(range)
            #expect(parameter.value(at: 0) == range.lowerBound && parameter.value(at: 1) == range.upperBound)
            for step in 0...24 { #expect(range.contains(parameter.value(at: Double(step) / 24))) }
        }
        #expect(parameter(-2...6).value(at: 0.25) == 0)
    }

    @Test func randomValuesAreOfTheRangeHoweverWideItIs() throws {
        let trial = Trial(try Offenders.effect("Gain"), seed: 3, caseName: "tail")
        for range in [Self.widest, -1...1] {
            let values = (0..<100).map { _ in trial.randomValue(of: parameter(range)) }
            #expect(values.allSatisfy(range.contains) && Set(values).count > 90)
        }
    }

    @Test(arguments: [1, 0x1p53, 0x1p60, -0x1p60, .greatestFiniteMagnitude])
    func aValueAboveTheRangeLiesOutsideIt(upperBound: Double) {
        #expect(parameter(-.greatestFiniteMagnitude...upperBound).valueAbove > upperBound)
        #expect(parameter(0...1).valueAbove == 2)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Ranges and defaults of LADSPA ports that follow the sample rate, and ends that are open. Test thread.

import AudioUnits
import Testing

@testable import PluginHosting

@Suite struct LADSPARateTests {
    private func unit(_ label: String) throws -> HostedUnit { try LADSPAUnitTests.unit(label) }
    private let ones = [[Float](repeating: 1, count: 256)]

    @Test func defaultsAreThoseOfTheHeadersFormulas() throws {
        let unit = try unit("defaults")
        func parameter(_ keyPath: String) throws -> Parameter { try #require(unit.parameters[keyPath: keyPath]) }
        #expect(try parameter("zero").defaultValue == 0, "half of the way up a logarithmic scale that begins at 0")
        #expect(try parameter("field").defaultValue == 2, "the lower field, though no flag makes it a bound")
        #expect(try parameter("field").flags.contains(.openBelow) && !parameter("field").flags.contains(.openAbove))
        #expect(try parameter("rate").at(sampleRate: 96_000).defaultValue == 48_000)
        #expect(try parameter("fixed").at(sampleRate: 96_000).defaultValue == 440)
        #expect(try parameter("fixed").at(sampleRate: 800).defaultValue == 400)
    }

    @Test(arguments: [8000.0, 44_100, 48_000, 192_000]) func aDefaultFollowsTheRateThatIsRendered(sampleRate: Double) throws {
        let unit = try unit("defaults")
        let output = try UnitBench(sampleRate: sampleRate).render(unit, ones)
        #expect(output[0][0] == Float(sampleRate / 2))
        #expect(unit.values.byKeyPath["rate"] == sampleRate / 2)
    }

    @Test func aValueThatWasSetDoesNotFollow() throws {
        let unit = try unit("defaults")
        try unit.set("rate", to: 24_000)
        #expect(try UnitBench(sampleRate: 96_000).render(unit, ones)[0][0] == 24_000)
        #expect(try UnitBench(sampleRate: 192_000).render(unit, ones)[0][0] == 24_000)
        #expect(try UnitBench(sampleRate: 8000).render(unit, ones)[0][0] == 4000, "the range ends there")
    }

    @Test func aDefaultFollowsTheNextRate() throws {
        let unit = try unit("defaults")
        #expect(try UnitBench(sampleRate: 96_000).render(unit, ones)[0][0] == 48_000)
        #expect(try UnitBench(sampleRate: 44_100).render(unit, ones)[0][0] == 22_050)
    }

    @Test func valuesAreCheckedAtTheRateThatIsExpected() throws {
        let unit = try unit("defaults")
        unit.expect(sampleRate: 192_000)
        try unit.set("rate", to: 90_000)
        #expect(try UnitBench(sampleRate: 192_000).render(unit, ones)[0][0] == 90_000)
        unit.expect(sampleRate: 8000)
        let error = #expect(throws: HostingError.self) { try unit.set("rate", to: 4001) }
        #expect(error.map { "\($0)" }?.contains("0 to 4000; that is its range at 8000 Hz") == true)
    }

    @Test func whatHasNoBoundTakesAnyNumber() throws {
        let unit = try unit("hints")
        for value in [-1e6, 1e30] { try unit.set("default", to: value) }
        try unit.set("minimum-only", to: 1e9)
        #expect(throws: HostingError.self) { try unit.set("minimum-only", to: 4) }
        #expect(throws: HostingError.self) { try unit.set("default", to: .infinity) }
        #expect(throws: HostingError.self) { try unit.set("default", to: 1e39) }
        #expect(try unit.saveState().values["default"] == 1e30)
        _ = try UnitBench().render(unit, ones)
        #expect(try unit.saveState().values["minimum-only"] == 1e9)
    }
}

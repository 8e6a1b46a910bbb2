// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The effect, rendered in the process of the tests, without a host.

import PluginTesting
import TemplateEffect
import Testing

@Suite struct TemplateEffectTests {
    private let sampleRate = 48_000.0

    /// One second of a constant in two channels, so the output is the effect's gain.
    private let input = Array(repeating: Array(repeating: Float(1), count: 48_000), count: 2)

    @Test func withoutDepthNothingChanges() throws {
        let unit = try RenderedUnit(TemplateEffect.self, sampleRate: sampleRate)
        try unit.set("depth", to: 0)
        unit.reset()
        _ = try unit.render(input)
        #expect(try unit.render(input) == input)
    }

    @Test func theWaveReachesTheDepthAtTheRate() throws {
        let unit = try RenderedUnit(TemplateEffect.self, sampleRate: sampleRate)
        try unit.set("rate", to: 2)
        try unit.set("depth", to: 75)
        // The change is over, and the wave starts again.
        _ = try unit.render(input)
        unit.reset()
        let output = try unit.render(input)[0]
        // Two waves a second: tops at 0 and 0.5 s, bottoms at 0.25 and 0.75 s.
        for top in [0, 24_000] { #expect(abs(output[top] - 1) < 0.001) }
        for bottom in [12_000, 36_000] { #expect(abs(output[bottom] - 0.25) < 0.001) }
    }

    @Test func aChangeMakesNoClick() throws {
        let unit = try RenderedUnit(TemplateEffect.self, sampleRate: sampleRate)
        try unit.set("depth", to: 0)
        _ = try unit.render(input)
        try unit.set("level", to: -60, atFrame: 1000)
        let output = try unit.render(input)[0]
        let steps = zip(output, output.dropFirst()).map { abs($0 - $1) }
        #expect(output[999] == 1 && output[48_000 - 1] < 0.0011)
        #expect(steps.max() ?? 1 < 0.002)
    }

    @Test func theSizeOfBlocksIsNotHeard() throws {
        let large = try RenderedUnit(TemplateEffect.self, sampleRate: sampleRate, maximumFrameCount: 4096)
        let small = try RenderedUnit(TemplateEffect.self, sampleRate: sampleRate, maximumFrameCount: 61)
        #expect(try large.render(input) == small.render(input))
    }

    @Test func presetsSetWhatTheyNameAndNothingElse() throws {
        let unit = try RenderedUnit(TemplateEffect.self, sampleRate: sampleRate)
        try unit.selectPreset("Slow Swell")
        #expect(try unit.values() == ["rate": 0.8, "depth": 90, "level": 0])
    }

    @Test func theViewSetsRateAndDepth() throws {
        let view = try DrawnView(TemplateEffect.self, columns: 41, rows: 12)
        #expect(view.lines.last == "Rate 5 Hz   Depth 60 %")
        view.send(.mouse(.press, column: 9, row: 9, []))
        view.send(.mouse(.drag, column: 40, row: 5, []))
        view.send(.mouse(.release, column: 40, row: 5, []))
        #expect(try view.value(of: "rate") == 20 && view.value(of: "depth") == 50)
        #expect(view.lines.last == "Rate 20 Hz   Depth 50 %")
    }

    @Test func valuesOutOfRangeAreRefused() throws {
        let unit = try RenderedUnit(TemplateEffect.self, sampleRate: sampleRate)
        #expect(throws: (any Error).self) { try unit.set("depth", to: 101) }
        #expect(throws: (any Error).self) { try unit.set("no such parameter", to: 0) }
    }
}

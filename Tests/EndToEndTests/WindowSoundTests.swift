// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a click in a window changes is heard, and the end of the window is not. Test thread.

import AudioFiles
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct WindowSoundTests {
        /// A cycle of 85 ms: one that is late nonetheless says nothing of windows, and the test is tried again.
        private static let quantum = ["--quantum", "4096"]

        /// It plays for some seconds.
        @Test func aClickIsHeardAtOnceAndAKilledWindowNotAtAll() throws {
            #expect(try Patience.succeeds { try wasJudged() }, "the unit was late each time")
        }

        /// Looks at one performance; false if the unit was late in it.
        private func wasJudged() throws -> Bool {
            let windows = try WindowBench("windowed", "--record", "take.wav", Self.quantum[0], Self.quantum[1])
            let bench = windows.bench
            try windows.grant("windowed")
            let window = try windows.open("Windowed")
            let take = try GrowingTake(bench.path("take.wav"))
            try take.reach(24_000)
            let clicked = take.frameCount
            try windows.screen.click(50, 20)
            #expect(try eventually(within: 5) { try windows.value("Windowed.knobs.level") == "Windowed.knobs.level = 0.25\n" })
            try take.reach(take.frameCount + GrowingTake.delay + 24_000)

            let (killed, before) = (take.frameCount, try bench.unit())
            kill(try #require(ProcessTable.identifier(ofProgram: "/bulkhead-window", home: bench.folder)), SIGKILL)
            #expect(window.wait(seconds: 10).errors.contains("was ended by SIGKILL"))
            try take.reach(take.frameCount + GrowingTake.delay + 48_000)
            let (survived, after) = (take.frameCount, try bench.unit())
            guard after.late == 0 else { return false }
            #expect(after.health == before.health)

            // The control: a unit that stands still for some cycles is heard.
            let unit = try #require(after.process)
            kill(unit, SIGSTOP)
            usleep(400_000)
            kill(unit, SIGCONT)
            try take.reach(take.frameCount + GrowingTake.delay + 24_000)
            // The end is faded.
            let ended = take.frameCount
            windows.host.send(SIGINT)
            _ = windows.host.wait(seconds: 10)
            let heard = try bench.load("take.wav").samples(ofChannel: 0)

            // The same level without a window; offline nothing is late.
            try bench.run(
                "render", "in.wav", "same.wav", "-e", WindowBench.id("windowed"), "--set", "knobs.level=0.25"
            ).expectOK()
            let period = Array(try bench.load("same.wav").samples(ofChannel: 0).prefix(24_000))
            let comparison = Comparison(heard: heard, period: period)

            let step = try #require(comparison.step, "no step was heard")
            try #require(step >= clicked && step < killed, "the step is at \(step), between \(clicked) and \(killed)?")
            #expect(abs(comparison.decibels(at: step) + 12.04) < 0.01, "\(comparison.decibels(at: step)) dB")
            #expect(comparison.firstDifference(in: step..<survived, factor: 1) == nil)
            #expect(survived - killed > 48_000)
            #expect(comparison.firstDifference(in: survived..<ended, factor: 1) != nil, "a unit that stood still was not noticed")
            return true
        }
    }
}

/// What was heard with a window, and one period of the lower level without one.
private struct Comparison {
    let heard: [Float]
    private let period: [Float]
    /// Where the sound begins; a host that has just started plays silence for some cycles.
    private let start: Int

    init(heard: [Float], period: [Float]) {
        (self.heard, self.period) = (heard, period)
        // The first frame of a sine is silent.
        start = (heard.firstIndex { $0 != 0 } ?? heard.count) - 1
    }

    /// The first frame that is not as loud as at the start.
    var step: Int? { firstDifference(in: 0..<heard.count, factor: 4) }

    /// The first frame that is not, bit for bit, the factor times the lower level's.
    ///
    /// A factor of four is exact.
    func firstDifference(in frames: Range<Int>, factor: Float) -> Int? {
        frames.first { $0 >= start && heard[$0] != factor * period[($0 - start) % period.count] }
    }

    /// The level from a frame on, relative to that before, over whole periods of the tone.
    func decibels(at step: Int) -> Double {
        func power(_ frames: Range<Int>) -> Double { frames.reduce(0) { $0 + Double(heard[$1]) * Double(heard[$1]) } }
        // 440 Hz has 11 periods in 1200 frames.
        return 10 * log10(power(step..<step + 12_000) / power(step - 12_000..<step))
    }
}

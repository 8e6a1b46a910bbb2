// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT

import AudioFiles
import Glibc
import Testing

@testable import Demonstration

@Suite struct DemoDrumLoopTests {
    @Test func theSameSettingsGiveTheSameBits() throws {
        let loop = DrumLoop(bars: 1, sampleRate: 16_000, seed: 3)
        let (first, second) = (try loop.render(), try loop.render())
        #expect(first[0].elementsEqual(second[0]) && first[1].elementsEqual(second[1]))
        let other = try DrumLoop(bars: 1, sampleRate: 16_000, seed: 5).render()
        #expect(!first[0].elementsEqual(other[0]))
    }

    @Test(arguments: [8_000.0, 22_050, 44_100, 48_000, 96_000])
    func everyRateGivesAFiniteLoopThatPeaksAtMinusThreeDecibels(rate: Double) throws {
        let audio = try DrumLoop(bars: 1, sampleRate: rate).render()
        #expect(audio.frameCount == Int((2.4 * rate).rounded()) && audio.channelCount == 2)
        let samples = Array(audio[0]) + Array(audio[1])
        #expect(samples.allSatisfy { $0.isFinite })
        let peak = samples.reduce(0) { max($0, abs($1)) }
        #expect(abs(20 * log10(Double(peak)) + 3) < 0.001)
    }

    /// A click is a step that the music around it doesn't make.
    @Test(arguments: [1, 2, 4]) func theSeamIsNoLargerThanTheStepsAroundIt(bars: Int) throws {
        let audio = try DrumLoop(bars: bars, sampleRate: 24_000).render()
        for channel in 0..<2 {
            let samples = audio[channel]
            let nearby = Array(samples.suffix(240)) + Array(samples.prefix(240))
            let steps = zip(nearby, nearby.dropFirst()).map { abs($1 - $0) }
            let seam = steps.splitAtSeam()
            #expect(seam.step <= seam.others.max()!)
        }
    }

    @Test func theMeanIsNear0AndBothChannelsAreAlike() throws {
        let audio = try DrumLoop(bars: 2, sampleRate: 24_000).render()
        let power = (0..<2).map { channel in audio[channel].reduce(0.0) { $0 + Double($1) * Double($1) } }
        let mean = audio[0].reduce(0.0) { $0 + Double($1) } / Double(audio.frameCount)
        #expect(abs(mean) < 0.01)
        #expect(abs(10 * log10(power[0] / power[1])) < 1.5)
    }
}

extension [Float] {
    /// The step across the seam, which is in the middle, and all others.
    fileprivate func splitAtSeam() -> (step: Float, others: [Float]) {
        var others = self
        return (others.remove(at: 239), others)
    }
}

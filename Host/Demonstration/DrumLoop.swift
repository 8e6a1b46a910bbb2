// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The drum loop of demonstrations: synthesised here, the same on every machine. Control thread.

import AudioFiles
import Glibc

/// A drum loop with bass and electric piano, at 100 beats a minute, that repeats without a seam.
package struct DrumLoop: Sendable {
    /// The number of bars: two bars take 4.8 seconds, four bars 9.6.
    package var bars: Int
    /// The sample rate in frames a second.
    package var sampleRate: Double
    /// The seed; another one gives another take by the same drummer.
    package var seed: UInt64
    /// True if the bass and the electric piano play, too.
    package var hasHarmony: Bool

    /// The peak of every loop, -3 dB relative to full scale.
    package static let peak = 0.7079457843841379
    static let secondsPerStep = 0.15
    /// The share of the first of a pair of sixteenths; 0.5 is straight.
    static let swing = 0.565

    package init(bars: Int = 4, sampleRate: Double = 48_000, seed: UInt64 = 4, hasHarmony: Bool = true) {
        self.bars = max(1, bars)
        self.sampleRate = min(max(sampleRate, 8_000), 192_000)
        self.seed = seed
        self.hasHarmony = hasHarmony
    }

    /// The length of the loop in frames.
    package var frameCount: Int {
        Int((Double(bars * DrumPattern.stepsPerBar) * Self.secondsPerStep * sampleRate).rounded())
    }

    /// `[control]` Synthesises the loop: two channels, equal for equal settings.
    ///
    /// The call takes some time.
    ///
    /// - Throws: `.notEnoughMemory`.
    package func render() throws(AudioFileError) -> LoadedAudio {
        let mix = mixed()
        let audio = LoadedAudio(channelCount: 2, frameCount: frameCount, sampleRate: sampleRate)
        guard let audio else { throw .notEnoughMemory(path: "drum loop", byteCount: UInt64(frameCount) * 8) }
        for frame in 0..<frameCount {
            audio[0][frame] = Float(mix.left[frame])
            audio[1][frame] = Float(mix.right[frame])
        }
        return audio
    }

    private func mixed() -> StereoLoop {
        var mix = DrumKit(self).recorded()
        if hasHarmony { mix.add(harmony(), gain: 1) }
        var glue = GlueCompressor(threshold: -15, ratio: 2.2, attack: 0.012, release: 0.14, sampleRate: sampleRate)
        mix.mapSettled { glue.process($0, $1) }
        mix.map { _, left, right in (tanh(1.15 * left), tanh(1.15 * right)) }
        let gain = Self.peak / max(mix.peak, 1e-9)
        mix.map { _, left, right in (left * gain, right * gain) }
        return mix
    }

    /// The time of a step in seconds: every second sixteenth comes late.
    static func time(bar: Int, step: Double) -> Double {
        let pair = (step / 2).rounded(.down)
        let within = step - 2 * pair
        let swung = within < 1 ? within * 2 * swing : 2 * swing + (within - 1) * 2 * (1 - swing)
        return (Double(bar * DrumPattern.stepsPerBar) + 2 * pair + swung) * secondsPerStep
    }

    private func harmony() -> StereoLoop {
        var bass = StereoLoop(frameCount: frameCount, sampleRate: sampleRate)
        var piano = bass
        for bar in 0..<bars {
            for note in DrumLoopHarmony.bass(bar: bar) { add(note, bar, to: &bass, 0.34, BassVoice.render) }
            for note in DrumLoopHarmony.chord(bar: bar) { add(note, bar, to: &piano, 0.085, ElectricPianoVoice.render) }
        }
        tremble(&piano)
        bass.add(piano, gain: 1)
        return bass
    }

    private func add(
        _ note: DrumLoopHarmony.Note, _ bar: Int, to loop: inout StereoLoop, _ gain: Double,
        _ voice: (Int, Double, Double, Double) -> [Double]
    ) {
        let sound = voice(note.note, note.length * Self.secondsPerStep, note.velocity, sampleRate)
        loop.add(sound, at: Self.time(bar: bar, step: note.step), gain: gain)
    }

    /// Adds the electric piano's stereo tremolo: twelve turns a bar, 5 Hz, so that it closes with the loop.
    private func tremble(_ piano: inout StereoLoop) {
        let step = 2 * .pi * Double(bars * 12) / Double(frameCount)
        piano.map { frame, left, right in
            let sway = 0.35 * sin(step * Double(frame))
            return (left * (1 + sway), right * (1 - sway))
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Loops, keys and tunings that a WAV file states for samplers, heard from the sampler. Test thread.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct RecordingLoopTests {
    private let folder = ScratchFolder()

    /// A loop of a file: its frames, the last one included, its direction and its passes.
    private struct Loop {
        var frames = 4800...9599
        var kind: UInt32 = 0
        var passCount: UInt32 = 0
    }

    private func words(_ values: UInt32...) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }

    /// Half a second of a sine of 440 Hz at 48 kHz, which belongs to key 69.
    private func file(_ loop: Loop?, fraction: UInt32 = 0) -> String {
        let samples = (0..<24_000).map { Int16(12_000 * sin(2 * .pi * 440 * Double($0) / 48_000)) }
        let data = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let format: [UInt8] = [1, 0, 1, 0] + words(48_000, 96_000) + [2, 0, 16, 0]
        var sampler = words(0, 0, 20_833, 69, fraction, 0, 0, loop == nil ? 0 : 1, 0)
        if let loop {
            sampler += words(0, loop.kind, UInt32(loop.frames.lowerBound), UInt32(loop.frames.upperBound), 0, loop.passCount)
        }
        let body =
            Array("WAVEfmt ".utf8) + words(16) + format + Array("smpl".utf8) + words(UInt32(sampler.count)) + sampler
            + Array("data".utf8) + words(UInt32(data.count)) + data
        return folder.write("tone.wav", Array("RIFF".utf8) + words(UInt32(body.count)) + body)
    }

    private func sound(_ path: String, holding frames: Int = 96_000) throws -> [Float] {
        let sampler = RenderedInstrument("Sampler", isInProcess: true, bank: path)
        return try sampler.renderLeft([MIDIEvent(0, 0x90, 69, 100), MIDIEvent(frames, 0x80, 69, 0)], frameCount: frames + 24_000)
    }

    /// The largest step between two frames, as a multiple of the sine's.
    private func roughness(_ sound: ArraySlice<Float>) -> Float {
        let steps = zip(sound, sound.dropFirst()).map { abs($0 - $1) }.max() ?? 1
        return steps / ((sound.map(abs).max() ?? 0) * Float(2 * Double.pi * 440 / 48_000))
    }

    @Test func aLoopSoundsAsLongAsTheKeyIsHeld() throws {
        let looped = try sound(file(Loop()))
        #expect(Spectrum.level(looped[72_000..<96_000]) > Spectrum.level(looped[4800..<9600]) - 0.5)
        #expect(roughness(looped[4800..<96_000]) < 1.1)
        let found = Spectrum.frequency(of: Array(looped[24_000..<96_000]), near: 440, sampleRate: 48_000)
        #expect(abs(1200 * log2(found / 440)) < 0.2)
        #expect(Spectrum.level(looped[110_000...]) < -80)
        // Without a loop it is over after half a second.
        #expect(Spectrum.level(try sound(file(nil))[26_000..<96_000]) < -80)
    }

    /// The sine turns at its crests, so that the way back fits.
    @Test func aLoopThatTurnsGoesBackAndForth() throws {
        let looped = try sound(file(Loop(frames: 4827...9627, kind: 1)))
        #expect(Spectrum.level(looped[72_000..<96_000]) > Spectrum.level(looped[4800..<9600]) - 0.5)
        #expect(roughness(looped[4800..<96_000]) < 1.2)
    }

    @Test func aLoopWithAnEndGoesOnBehindIt() throws {
        // Five passes of 0.1 s, then the rest of the file.
        let looped = try sound(file(Loop(passCount: 5)))
        #expect(Spectrum.level(looped[36_000..<42_000]) > -40 && Spectrum.level(looped[44_000..<96_000]) < -80)
        #expect(roughness(looped[4800..<42_000]) < 1.1)
    }

    /// A fraction of a quarter: the recording lies 25 cents above its key.
    @Test func theTuningOfTheFileIsTakenBack() throws {
        let tuned = try sound(file(Loop(), fraction: 0x4000_0000))
        let found = Spectrum.frequency(of: Array(tuned[24_000..<96_000]), near: 440 * exp2(-25.0 / 1200), sampleRate: 48_000)
        #expect(abs(1200 * log2(found / 440) + 25) < 0.7)
    }
}

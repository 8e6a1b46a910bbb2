// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A tone that circles a head, against the same filters computed anew for each frame. Test thread.

import Glibc
import Realtime
import Rendering
import TestSupport
import Testing

@testable import Spatial

@Suite struct HeadMotionTests {
    private static let frameCount = 16_384
    private static let responses: HeadResponses? = try? HeadResponses(
        SyntheticHead().measurements(), sampleRate: 48_000, quality: .short, level: .measured)

    private func tone(_ frame: Int) -> Float { frame < 0 ? 0 : Float(sin(2 * Double.pi * 2000 * Double(frame) / 48_000)) }

    /// The place at a frame of a source that circles once a second, as slowly as the ear can follow.
    private func place(_ frame: Int, _ elevation: Double) -> SIMD3<Float> {
        SIMD3<Float>(SyntheticHead.direction(360 * Double(frame) / 48_000 + 30, elevation) * 1.4)
    }

    /// Renders the tone by blocks of 64 frames; places change at each `interval`-th block.
    private func rendered(_ responses: HeadResponses, _ elevation: Double, interval: Int) -> [[Float]] {
        var field = HeadField(transformSize: responses.format.transformSize)
        var voice = HeadVoice(responses.table)
        defer {
            voice.deallocate()
            field.deallocate()
        }
        let output = AudioBuffer(channelCount: 2, frameCapacity: 64)
        var heard: [[Float]] = [[], []]
        for block in 0..<Self.frameCount / 64 {
            let samples = (0..<64).map { tone(block * 64 + $0) }
            let next = (block / interval * interval + interval) * 64 - 1
            voice.aim(at: HeadTarget(place: place(next, elevation), gain: 1), glideFrameCount: block == 0 ? 0 : 64)
            voice.process(samples, 64, into: &field)
            var bus = BusAudio(block: output.block(frameCount: 64), isSilent: true)
            field.finish(into: &bus)
            for ear in 0..<2 { heard[ear] += (0..<64).map { bus.isSilent ? 0 : bus.block[ear][$0] } }
        }
        return heard
    }

    /// The tone through filters that are computed for each frame.
    private func reference(_ responses: HeadResponses, _ elevation: Double) -> [[Float]] {
        var heard = [[Float]](repeating: [Float](repeating: 0, count: HeadField.latencyFrameCount), count: 2)
        for frame in 0..<Self.frameCount - HeadField.latencyFrameCount {
            let filters = responses.response(at: place(frame, elevation))
            for ear in 0..<2 {
                var sum = 0.0
                for (tap, weight) in filters[ear].enumerated() { sum += Double(weight) * Double(tone(frame - tap)) }
                heard[ear].append(Float(sum))
            }
        }
        return heard
    }

    /// The strongest line of a signal, by a transform of all frames behind a Hann window; lines near the tone's own can be left out.
    private func strongestLine(_ samples: [Float], besideTone: Bool = false) -> Double {
        let transform = SpectralTransform(size: Self.frameCount, build: .best)
        let windowed = samples.enumerated().map { index, sample in
            sample * Float(0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(Self.frameCount)))
        }
        let spectrum = transform.spectrum(of: windowed)
        let half = Self.frameCount / 2
        let tone = 2000 * Double(Self.frameCount) / 48_000
        let near = 100 * Double(Self.frameCount) / 48_000
        let lines = (1..<half).filter { !besideTone || abs(Double($0) - tone) > near }
        return lines.map { Double(spectrum[$0] * spectrum[$0] + spectrum[half + $0] * spectrum[half + $0]) }.max() ?? 0
    }

    /// The bound of each elevation: the nearer to 0, the nearer it passes the far point of an ear, where responses change fastest.
    @Test(arguments: [(7.0, -80.0), (2, -77), (-33, -80), (47, -80)])
    func aToneThatCirclesHasNoLinesBesideItsOwn(elevation: Double, bound: Double) throws {
        let responses = try #require(Self.responses)
        let wanted = reference(responses, elevation)
        let (heard, coarse) = (rendered(responses, elevation, interval: 1), rendered(responses, elevation, interval: 8))
        for ear in 0..<2 {
            let carrier = strongestLine(wanted[ear])
            let line = 10 * log10(strongestLine(heard[ear] - wanted[ear], besideTone: true) / carrier)
            Figures.note(
                "a tone of 2 kHz that circles once a second at \(elevation)°, ear \(ear): strongest line beside it", line, "dBc",
                wanted: "-80 at most")
            #expect(line < bound, "\(line) dBc")
            // Places that change at each 512 frames are heard as lines.
            #expect(10 * log10(strongestLine(coarse[ear] - wanted[ear], besideTone: true) / carrier) > line + 6)
        }
    }

    @Test func aFastSourceDoesNotClick() throws {
        let responses = try #require(Self.responses)
        var field = HeadField(transformSize: responses.format.transformSize)
        var voice = HeadVoice(responses.table)
        defer {
            voice.deallocate()
            field.deallocate()
        }
        let output = AudioBuffer(channelCount: 2, frameCapacity: 64)
        var last: (Float, Float) = (0, 0)
        var greatest: Float = 0
        for block in 0..<400 {
            // 100 m/s, past the head at 0.5 m.
            let x = Float(block - 200) * 64 / 48_000 * 100
            let samples = (0..<64).map { Float(sin(2 * Double.pi * 200 * Double(block * 64 + $0) / 48_000)) }
            voice.aim(at: HeadTarget(place: SIMD3(x, 0, -0.5), gain: 1), glideFrameCount: 64)
            voice.process(samples, 64, into: &field)
            var bus = BusAudio(block: output.block(frameCount: 64), isSilent: true)
            field.finish(into: &bus)
            for frame in 0..<64 where !bus.isSilent {
                if block > 10 { greatest = max(greatest, abs(bus.block[0][frame] - 2 * last.1 + last.0)) }
                last = (last.1, bus.block[0][frame])
            }
        }
        // The curvature of the tone itself is 0.0007 of its level; a click would be a hundred times that.
        #expect(greatest < 0.02 && greatest > 0, "\(greatest)")
    }
}

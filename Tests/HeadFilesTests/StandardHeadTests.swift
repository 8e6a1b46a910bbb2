// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// KEMAR, as Debian installs it: sweeps, directions that are left out, levels at each rate. Test thread.

import Glibc
import TestSupport
import Testing

@testable import HeadFiles
@testable import Spatial

@Suite(.enabled(if: hasStandardHead, "libmysofa1 is not installed")) struct StandardHeadTests {
    private static let read = Result { try HeadFile.read(HeadFile.standardPath) }

    private func responses(_ set: HeadMeasurements? = nil, sampleRate: Double = 48_000) throws -> HeadResponses {
        try HeadResponses(try set ?? Self.read.get(), sampleRate: sampleRate, quality: .short, level: .diffuse)
    }

    private func place(_ azimuth: Double, _ elevation: Double) -> SIMD3<Float> {
        let (a, e) = (azimuth * .pi / 180, elevation * .pi / 180)
        return 1.4 * SIMD3<Float>(Float(-sin(a) * cos(e)), Float(sin(e)), Float(-cos(a) * cos(e)))
    }

    private func power(_ samples: [Float]) -> Double { samples.reduce(0) { $0 + Double($1) * Double($1) } }

    private func greatestStep(_ responses: HeadResponses, _ path: [SIMD3<Float>]) -> Double {
        var (greatest, last) = (-200.0, responses.response(at: path[0]))
        for place in path.dropFirst() {
            let next = responses.response(at: place)
            for ear in 0..<2 {
                let step = zip(next[ear], last[ear]).map { $0 - $1 }
                greatest = max(greatest, 10 * log10(max(1e-20, power(step)) / power(last[ear])))
            }
            last = next
        }
        return greatest
    }

    @Test(arguments: [2.5, 45.4, 65.18, 89.9, -75])
    func aSweepHasNoStep(elevation: Double) throws {
        let responses = try responses()
        let step = greatestStep(responses, (0..<3000).map { place(Double($0) * 0.01 + 75, elevation) })
        Figures.note(
            "KEMAR, sweep by 0.01° at elevation \(elevation)°: greatest step beside the filter", step, "dB", wanted: "below -40")
        #expect(step < -40)
        #expect(abs(elevation) > 70 || greatestStep(responses, (0..<10).map { place(Double($0) * 5 + 75, elevation) }) > -20)
    }

    @Test func aSweepOverThePolesHasNoStep() throws {
        let responses = try responses()
        for pole in [90.0, -90] {
            let step = greatestStep(responses, (-300...300).map { place(20, pole + Double($0) * 0.01) })
            Figures.note("KEMAR, sweep by 0.01° over the pole at \(pole)°: greatest step", step, "dB", wanted: "below -40")
            #expect(step < -40)
        }
    }

    @Test func measuredDirectionsHaveTheirMeasuredResponses() throws {
        let set = try Self.read.get()
        let responses = try HeadResponses(set, sampleRate: 44_100, quality: .whole, level: .measured)
        var greatest = -300.0
        for index in stride(from: 0, to: set.positions.count, by: 41) {
            let found = responses.response(at: SIMD3<Float>(set.positions[index]))
            for ear in 0..<2 {
                let wanted = Array(set.response(index, ear: ear)) + [Float](repeating: 0, count: found[ear].count)
                let rest = 10 * log10(power(zip(found[ear], wanted).map { $0 - $1 }) / power(wanted))
                greatest = max(greatest, rest)
                #expect(rest < -120, "measurement \(index)")
                #expect(10 * log10(power(zip(found[ear], wanted.dropFirst()).map { $0 - $1 }) / power(wanted)) > -20)
            }
        }
        Figures.note("KEMAR, HRTFHQ against the measured responses, at measured directions", greatest, "dB", wanted: "below -120")
    }

    /// The time at which a response first exceeds a tenth of its peak, in samples.
    private func onset(_ samples: some Collection<Float>) -> Double {
        let samples = Array(samples)
        let threshold = 0.1 * (samples.map { abs($0) }.max() ?? 0)
        guard let first = samples.firstIndex(where: { abs($0) >= threshold }), first > 0 else { return 0 }
        let (before, at) = (abs(samples[first - 1]), abs(samples[first]))
        return Double(first) - 1 + Double((threshold - before) / (at - before))
    }

    private func level(_ samples: some Collection<Float>, _ frequency: Double) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (frame, sample) in samples.enumerated() {
            let angle = 2 * Double.pi * frequency * Double(frame) / 44_100
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        return 10 * log10(max(1e-20, real * real + imaginary * imaginary))
    }

    /// Directions at the equator are left out, so that the rest has gaps, and are compared with what was measured there.
    @Test(arguments: [10, 20])
    func directionsThatAreLeftOutAreFoundAgain(gap: Int) throws {
        let set = try Self.read.get()
        func azimuth(_ index: Int) -> Int? {
            let place = set.positions[index]
            guard abs(place.y) < 0.01 else { return nil }
            return (Int((atan2(-place.x, -place.z) * 180 / .pi).rounded()) + 360) % 360
        }
        let left = set.positions.indices.filter { (azimuth($0) ?? 0) % gap != 0 }
        let kept = set.positions.indices.filter { !left.contains($0) }
        let rest = try HeadMeasurements(
            name: "rest", sampleRate: 44_100, positions: kept.map { set.positions[$0] }, tapCount: set.tapCount,
            responses: kept.flatMap { set.response($0, ear: 0) + set.response($0, ear: 1) }, delays: [0, 0])
        let responses = try HeadResponses(rest, sampleRate: 44_100, quality: .whole, level: .measured)
        var (times, levels): ([Double], [Double]) = ([], [])
        for index in left {
            let found = responses.response(at: SIMD3<Float>(set.positions[index]))
            let wanted = (0..<2).map { set.response(index, ear: $0) }
            times.append(((onset(found[0]) - onset(found[1])) - (onset(wanted[0]) - onset(wanted[1]))) / 44_100 * 1e6)
            for ear in 0..<2 {
                for frequency in stride(from: 250.0, through: 8000, by: 250) {
                    levels.append(level(found[ear], frequency) - level(wanted[ear], frequency))
                }
            }
        }
        func rms(_ values: [Double]) -> Double { (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot() }
        Figures.note(
            "KEMAR with gaps of \(gap)°: interaural delay where nothing was measured, RMS", rms(times), "µs", wanted: "20 at most")
        Figures.note("KEMAR with gaps of \(gap)°: level there up to 8 kHz, RMS", rms(levels), "dB", wanted: "3 at most")
        #expect(left.count >= 30 && rms(times) <= 20 && rms(levels) <= 3, "\(rms(times)) µs, \(rms(levels)) dB")
        // A neighbour in place of the mean would be worse.
        let plain = left.map { index in
            let near = kept.min {
                distance(set.positions[$0], set.positions[index]) < distance(set.positions[$1], set.positions[index])
            }
            return level(set.response(near ?? 0, ear: 0), 5000) - level(set.response(index, ear: 0), 5000)
        }
        #expect(rms(plain) > 0.5)
    }

    private func distance(_ one: SpacePoint, _ other: SpacePoint) -> Double { ((one - other) * (one - other)).sum() }

    @Test func theLevelIsTheSameAtEachRate() throws {
        func power(_ rate: Double, _ frequency: Double) throws -> Double {
            let response = try responses(sampleRate: rate).response(at: SIMD3<Float>(try Self.read.get().positions[300]))[0]
            return level(response, frequency * 44_100 / rate)
        }
        var greatest = 0.0
        for frequency in [500.0, 1000, 3000] {
            let wanted = try power(44_100, frequency)
            for rate in [16_000.0, 48_000, 96_000, 192_000] { greatest = max(greatest, abs(try power(rate, frequency) - wanted)) }
        }
        Figures.note("KEMAR at 16 to 192 kHz: level, greatest difference", greatest, "dB", wanted: "below 0.1")
        #expect(greatest < 0.1)
    }
}

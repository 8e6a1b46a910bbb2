// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The filters of a head in measured and other directions, at each rate, over the poles, at several distances. Test thread.

import Glibc
import Testing

@testable import Spatial

@Suite struct HeadResponsesTests {
    private static let measurements: HeadMeasurements? = try? SyntheticHead().measurements()

    private func responses(
        _ quality: HeadQuality = .short, _ level: HeadLevel = .measured, sampleRate: Double = 48_000
    ) throws -> HeadResponses {
        try HeadResponses(try #require(Self.measurements), sampleRate: sampleRate, quality: quality, level: level)
    }

    private func place(_ direction: SpacePoint, _ distance: Double = 1.4) -> SIMD3<Float> { SIMD3<Float>(direction * distance) }

    @Test func aMeasuredDirectionHasItsMeasuredResponse() throws {
        let (head, responses) = (SyntheticHead(), try responses(.whole))
        for direction in head.directions.enumerated().filter({ $0.offset % 37 == 0 }).map(\.element) {
            let found = responses.response(at: place(direction))
            for ear in 0..<2 {
                let wanted = shifted(head.response(direction, ear: ear), by: 0, count: found[ear].count)
                #expect(decibels(found[ear] - wanted, beside: wanted) < -120)
                // A shift by one frame would be found.
                #expect(decibels(found[ear] - shifted(wanted, by: 1, count: wanted.count), beside: wanted) > -40)
            }
        }
    }

    @Test func everyDirectionIsFoundFromAnyTriangle() throws {
        let responses = try responses()
        let shell = responses.table.pointee.shells[0]
        var random: UInt64 = 5
        func next() -> UInt64 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return random >> 33
        }
        for _ in 0..<5000 {
            let way = SIMD3<Float>(Float(next() % 2001) - 1000, Float(next() % 2001) - 1000, Float(next() % 2001) - 1000.5)
            let direction = way / (way * way).sum().squareRoot()
            let shares = HeadTable.find(direction, in: shell, from: Int(next()) % shell.triangleCount).shares
            #expect(min(shares.x, shares.y, shares.z) > -1e-5, "seed 5, direction \(direction)")
        }
    }

    @Test func delaysOfTheFileAreReadOnceInSamples() throws {
        let head = SyntheticHead(elevations: [-60, -30, 0, 30, 60], azimuthStep: 30)
        let count = head.directions.count
        let shared = try HeadResponses(
            try head.measurements(delays: [10, 20]), sampleRate: 48_000, quality: .whole, level: .measured)
        let each = try HeadResponses(
            try head.measurements(delays: (0..<2 * count).map { $0 % 2 == 0 ? 10 : 20 }), sampleRate: 48_000, quality: .whole,
            level: .measured)
        for direction in [head.directions[3], SyntheticHead.direction(7, 11)] {
            let (one, other) = (shared.response(at: place(direction)), each.response(at: place(direction)))
            #expect(one == other)
        }
        let direction = head.directions[3]
        for ear in 0..<2 {
            let found = shared.response(at: place(direction))[ear]
            let wanted = shifted(head.response(direction, ear: ear), by: ear == 0 ? 10 : 20, count: found.count)
            #expect(decibels(found - wanted, beside: wanted) < -110)
        }
    }

    /// The greatest step between neighbours of a sweep, in decibels beside the energy of the filter.
    private func greatestStep(_ responses: HeadResponses, _ path: [SIMD3<Float>]) -> Double {
        var (greatest, last) = (-200.0, responses.response(at: path[0]))
        for place in path.dropFirst() {
            let next = responses.response(at: place)
            for ear in 0..<2 { greatest = max(greatest, decibels(next[ear] - last[ear], beside: last[ear])) }
            last = next
        }
        return greatest
    }

    @Test(arguments: [2.5, 45.4, 65.18, 89.9, -39.99, -75])
    func aSweepAroundTheHeadHasNoStep(elevation: Double) throws {
        let responses = try responses()
        let steps = (0..<2000).map { place(SyntheticHead.direction(Double($0) * 0.01 + 100, elevation)) }
        #expect(greatestStep(responses, steps) < -40)
        // Without interpolation there would be steps at some azimuths.
        let nearest = (0..<20).map { place(SyntheticHead.direction(Double($0) * 5 + 100, elevation)) }
        #expect(elevation > 80 || elevation < -70 || greatestStep(responses, nearest) > -25)
    }

    @Test func aSweepOverThePolesHasNoStep() throws {
        let responses = try responses()
        for pole in [90.0, -90] {
            let steps = (-500...500).map { place(SyntheticHead.direction(35, pole + Double($0) * 0.01)) }
            #expect(greatestStep(responses, steps) < -40)
        }
    }

    @Test func straightBelowBothEarsAreTheSame() throws {
        let found = try responses().response(at: SIMD3(0, -1, 0))
        #expect(decibels(found[0] - found[1], beside: found[0]) < -100 && found[0].contains { abs($0) > 0.01 })
    }

    @Test func aWayThroughTheHeadHasNoStepAndEndsInTheMiddle() throws {
        let responses = try responses()
        // In steps of 0.02 mm, 0.3 mm beside the middle.
        let way = (-300...300).map { SIMD3<Float>(Float($0) * 0.000_02, 0.000_3, 0) }
        #expect(greatestStep(responses, way) < -30)
        let middle = responses.response(at: SIMD3(0, 0, 0))
        #expect(middle[0] == middle[1] && middle[0].allSatisfy(\.isFinite))
        #expect(abs(middle[0].reduce(0) { $0 + $1 * $1 } - 0.5) < 1e-3)
    }

    /// The level of a response at a frequency, in decibels.
    private func level(_ response: [Float], _ frequency: Double, _ sampleRate: Double) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (frame, sample) in response.enumerated() {
            let angle = 2 * Double.pi * frequency * Double(frame) / sampleRate
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        return 10 * log10(real * real + imaginary * imaginary)
    }

    @Test(arguments: [HeadLevel.diffuse, .front, .measured])
    func theLevelIsTheSameAtEachRate(level: HeadLevel) throws {
        // A measured direction: others differ by how finely delays are known at a rate.
        let place = place(SyntheticHead().directions[310])
        for quality in HeadQuality.allCases {
            let wanted = try responses(quality, level).response(at: place)
            for rate in [16_000.0, 32_000, 44_100, 96_000, 192_000] {
                let found = try responses(quality, level, sampleRate: rate).response(at: place)
                for ear in 0..<2 {
                    for frequency in [400.0, 1000, 2500, 5000] {
                        let gap = self.level(found[ear], frequency, rate) - self.level(wanted[ear], frequency, 48_000)
                        #expect(abs(gap) < 0.1, "\(quality), \(rate) Hz, ear \(ear), \(frequency) Hz: \(gap) dB")
                    }
                }
            }
        }
    }

    @Test func levelsHaveTheirReference() throws {
        let front = try responses(.whole, .front).response(at: SIMD3(0, 0, -1.4))
        #expect(abs(front.joined().reduce(0) { $0 + $1 * $1 } - 1) < 1e-3)
        // In a diffuse field: the mean of many directions that cover the sphere evenly.
        let diffuse = try responses(.whole, .diffuse)
        let golden = Double.pi * (3 - 5.0.squareRoot())
        let power = (0..<500).reduce(0.0) { sum, index in
            let height = 0.999 - 1.998 * (Double(index) + 0.5) / 500
            let side = (1 - height * height).squareRoot()
            let direction = SpacePoint(side * cos(golden * Double(index)), height, side * sin(golden * Double(index)))
            return sum + Double(diffuse.response(at: self.place(direction)).joined().reduce(0) { $0 + $1 * $1 }) / 500
        }
        #expect(abs(10 * log10(power)) < 0.3)
    }

    @Test func betweenTwoDistancesThereIsOneImpulse() throws {
        var head = SyntheticHead(elevations: [-60, -30, 0, 30, 60], azimuthStep: 30, radii: [0.5, 1])
        head.tapCount = 64
        let half = head.directions.count * 2 * 64
        // An impulse at frame 20 for the near distance, and at 40 for the far one.
        let set = try head.measurements { responses in
            for index in responses.indices { responses[index] = index % 64 == (index < half ? 20 : 40) ? 1 : 0 }
        }
        let responses = try HeadResponses(set, sampleRate: 48_000, quality: .whole, level: .measured)
        for distance in [0.5, 0.6, 0.75, 0.9, 1, 3] {
            let found = responses.response(at: place(head.directions[5], distance))[0]
            #expect(found.filter { abs($0) > 0.01 }.count <= 2, "\(distance) m")
        }
    }

    /// Directions that were measured, but left out of the set, are found again by interpolation.
    @Test func directionsThatAreLeftOutAreFoundByInterpolation() throws {
        var head = SyntheticHead(azimuthStep: 10)
        head.elevations = Array(stride(from: -40, through: 80, by: 10)) + [90]
        let responses = try HeadResponses(try head.measurements(), sampleRate: 48_000, quality: .short, level: .measured)
        var (delays, levels, plain) = ([Double](), [Double](), [Double]())
        for azimuth in stride(from: 5.0, to: 360, by: 20) {
            let direction = SyntheticHead.direction(azimuth, 0)
            let found = responses.response(at: place(direction))
            for ear in 0..<2 {
                let wanted = head.response(direction, ear: ear)
                for frequency in stride(from: 500.0, through: 8000, by: 500) {
                    levels.append(level(found[ear], frequency, 48_000) - level(wanted, frequency, 48_000))
                }
                plain.append(SyntheticHead.delay(direction, ear: ear) * 1e6)
            }
            let gap = (onset(found[0]) - onset(found[1])) / 48_000 * 1e6
            delays.append(gap - (SyntheticHead.delay(direction, ear: 0) - SyntheticHead.delay(direction, ear: 1)) * 1e6)
        }
        func rms(_ values: [Double]) -> Double { (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot() }
        #expect(rms(delays) < 20, "\(rms(delays)) µs")
        #expect(rms(levels) < 3, "\(rms(levels)) dB")
        // The measured differences are far greater than the errors.
        #expect(rms(plain) > 100)
    }

    /// The time of a response in frames: the centre of its energy around the peak.
    private func onset(_ response: [Float]) -> Double {
        let peak = response.indices.max { abs(response[$0]) < abs(response[$1]) } ?? 0
        guard peak > 0, peak + 1 < response.count else { return Double(peak) }
        let (before, at, after) = (Double(response[peak - 1]), Double(response[peak]), Double(response[peak + 1]))
        return Double(peak) + 0.5 * (before - after) / (before - 2 * at + after)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sources that a head hears, through a graph: against direct convolution, moving, silent, in blocks of any length. Test thread.

import Glibc
import Realtime
import Rendering
import RenderingTestSupport
import TestSupport
import Testing

@testable import Spatial

@Suite struct HeadProcessorTests {
    private static let measurements: HeadMeasurements? = try? SyntheticHead().measurements()
    private static let latency = HeadField.latencyFrameCount

    private func responses(_ quality: HeadQuality, build: KernelBuild = .best) throws -> HeadResponses {
        try HeadResponses(
            try #require(Self.measurements), sampleRate: 48_000, quality: quality, level: .measured, build: build)
    }

    private func isSame(_ left: [[Float]], _ right: [[Float]]) -> Bool {
        left.map { $0.map(\.bitPattern) } == right.map { $0.map(\.bitPattern) }
    }

    /// A source that a head hears at a place in metres, and at a level that does not depend on the distance.
    private func settings(at place: SIMD3<Float>, level: Float = 1) -> SpatialSettings {
        var settings = SpatialSettings()
        (settings.algorithm, settings.listener.distance.rolloff) = (.measuredHead, 0)
        (settings.source.position, settings.source.level) = (SpacePoint(place), level)
        return settings
    }

    /// Renders sources of noise through a head; `move` places them before each stage.
    private func render(
        _ responses: HeadResponses, sourceCount: Int = 1, frames: Int, stage: Int, inBlocksOf blocks: [Int], until end: Int = .max,
        move: (_ frame: Int, _ source: Int) -> SpatialSettings
    ) throws -> [[Float]] {
        let sum = SceneSum()
        func moved(_ frame: Int, _ source: Int) -> SpatialSettings {
            var moved = move(frame, source)
            moved.head = responses
            return moved
        }
        let processors = (0..<sourceCount).map { SpatialProcessor(moved(0, $0), addingTo: sum) }
        var graph = RenderGraph(maximumFrameCount: 4096)
        let sources = (0..<sourceCount).map { graph.add(.render(NoiseNode(seed: $0, until: end)), outputs: [1]) }
        let mixer = graph.add(.mix(MixerLevel(), sum), inputs: [Int](repeating: 1, count: sourceCount))
        for (index, source) in sources.enumerated() {
            graph.connect(source, to: mixer, bus: index, ConnectionState(mixing: MixingState(), processor: processors[index]))
        }
        graph.play(mixer)
        let stages = [(graph: RenderGraph, frameCount: Int)](repeating: (graph, stage), count: frames / stage)
        return try RenderingTestSupport.render(stages, inBlocksOf: blocks) { frame in
            for (index, processor) in processors.enumerated() { processor.set(moved(frame, index)) }
        }
    }

    private func place(_ direction: SpacePoint) -> SIMD3<Float> { SIMD3<Float>(direction * 1.4) }

    /// The noise of a source through a filter, by the definition of convolution.
    private func convolved(_ filter: [Float], frames: Range<Int>, delay: Int) -> [Float] {
        frames.map { frame in
            var sum = 0.0
            for (tap, weight) in filter.enumerated() where frame - delay - tap >= 0 {
                sum += Double(weight) * Double(Noise.sample(seed: 0, channel: 0, frame: frame - delay - tap))
            }
            return Float(sum)
        }
    }

    @Test func wholeFiltersEqualDirectConvolutionWithTheMeasurement() throws {
        let (head, responses) = (SyntheticHead(), try responses(.whole))
        var greatest = -300.0
        for direction in [head.directions[0], head.directions[211], head.directions[400]] {
            let heard = try render(responses, frames: 4096, stage: 4096, inBlocksOf: [256]) { _, _ in
                settings(at: place(direction))
            }
            for ear in 0..<2 {
                let delay = Self.latency
                let wanted = convolved(head.response(direction, ear: ear), frames: 1000..<4096, delay: delay)
                let rest = decibels(Array(heard[ear][1000...]) - wanted, beside: wanted)
                greatest = max(greatest, rest)
                #expect(rest < -120)
                let late = convolved(head.response(direction, ear: ear), frames: 1000..<4096, delay: delay + 1)
                #expect(decibels(Array(heard[ear][1000...]) - late, beside: wanted) > -30)
            }
        }
        Figures.note("HRTFHQ against direct convolution, at measured directions", greatest, "dB", wanted: "below -120")
    }

    @Test func shortFiltersEqualDirectConvolutionWithTheirOwnSet() throws {
        let responses = try responses(.short)
        // The first direction is measured. Between measured ones, a delay by a part of a frame has no sharp end.
        var greatest = -300.0
        let directions = [SyntheticHead().directions[211], SyntheticHead.direction(33.3, 12.5), SpacePoint(0, -1, 0)]
        for (index, direction) in directions.enumerated() {
            let heard = try render(responses, frames: 4096, stage: 4096, inBlocksOf: [256]) { _, _ in
                settings(at: place(direction), level: 0.5)
            }
            let filters = responses.response(at: place(direction))
            for ear in 0..<2 {
                let wanted = convolved(filters[ear].map { $0 / 2 }, frames: 1000..<4096, delay: Self.latency)
                let rest = decibels(Array(heard[ear][1000...]) - wanted, beside: wanted)
                if index == 0 { greatest = max(greatest, rest) }
                #expect(rest < (index == 0 ? -120 : -70))
            }
        }
        Figures.note(
            "HRTF against direct convolution with its own cut set, at a measured direction", greatest, "dB", wanted: "below -120")
    }

    @Test(arguments: HeadQuality.allCases)
    func blocksOfAnyLengthHaveTheSameBits(quality: HeadQuality) throws {
        let responses = try responses(quality)
        func heard(_ blocks: [Int]) throws -> [[Float]] {
            try render(responses, sourceCount: 3, frames: 8192, stage: 2048, inBlocksOf: blocks, until: 5000) { frame, source in
                let angle = Double(frame / 2048 * 70 + source * 100)
                return settings(at: place(SyntheticHead.direction(angle, 5)), level: source == 1 && frame == 4096 ? 0 : 1)
            }
        }
        let wanted = try heard([512])
        #expect(wanted[0] != wanted[1] && wanted[0][5100] != 0 && wanted[0][8000] == 0)
        for blocks in cuts(of: 8192) { #expect(isSame(try heard(blocks), wanted), "in blocks of \(blocks)") }
    }

    @Test func everyBuildPutsOutTheSameBits() throws {
        let all = try KernelBuild.all.map { build in
            try render(try responses(.short, build: build), sourceCount: 2, frames: 4096, stage: 512, inBlocksOf: [100]) {
                frame, source in
                settings(at: place(SyntheticHead.direction(Double(frame / 10 + source * 90), 5)))
            }
        }
        for other in all.dropFirst() { #expect(isSame(other, all[0])) }
        #expect(all[0][0].contains { $0 != 0 })
    }

    @Test func aSourceWithoutLevelOrSoundAddsNothing() throws {
        let responses = try responses(.short)
        let far = try render(responses, frames: 1024, stage: 1024, inBlocksOf: [256]) { _, _ in
            settings(at: SIMD3(0, 0, -1e30), level: 0)
        }
        let silent = try render(responses, frames: 1024, stage: 1024, inBlocksOf: [256], until: 0) { _, _ in
            settings(at: SIMD3(0, 0, -1))
        }
        #expect(far.joined().allSatisfy { $0 == 0 } && silent.joined().allSatisfy { $0 == 0 })
    }

    @Test func whatIsNoPlaceIsTheMiddleAndIsHeard() throws {
        let responses = try responses(.short)
        func heard(_ place: SIMD3<Float>, _ level: Float = 1) throws -> [[Float]] {
            try render(responses, frames: 1024, stage: 1024, inBlocksOf: [256]) { _, _ in settings(at: place, level: level) }
        }
        let middle = try heard(SIMD3(0, 0, 0))
        #expect(middle[0].contains { $0 != 0 } && middle[0] == middle[1])
        #expect(try isSame(heard(SIMD3(.nan, 0, 1)), middle) && isSame(heard(SIMD3(0, .infinity, 0)), middle))
        #expect(try heard(SIMD3(0, 0, -1), .nan).joined().allSatisfy { $0 == 0 })
        #expect(try heard(SIMD3(1e30, 1e30, 1e30)).joined().allSatisfy { $0.isFinite && abs($0) < 4 })
    }
}

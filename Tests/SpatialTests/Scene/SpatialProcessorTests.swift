// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sources with each algorithm: the same bits in blocks of any length, and no clicks however fast they move. Test thread.

import AudioFormats
import Glibc
import Realtime
import Rendering
import RenderingTestSupport
import TestSupport
import Testing

@testable import Spatial

@Suite struct SpatialProcessorTests {
    private func isSame(_ left: [[Float]], _ right: [[Float]]) -> Bool {
        left.map { $0.map(\.bitPattern) } == right.map { $0.map(\.bitPattern) }
    }

    /// A graph with a mixer of sources, each through a processor.
    private func graph(
        _ sources: [(node: any RenderNode, channelCount: Int, processor: SpatialProcessor)], _ sum: SceneSum?,
        channelCount: Int = 2
    ) -> RenderGraph {
        var graph = RenderGraph(maximumFrameCount: 4096)
        let indices = sources.map { graph.add(.render($0.node), outputs: [$0.channelCount]) }
        let mixer = graph.add(.mix(MixerLevel(), sum), inputs: sources.map(\.channelCount), outputs: [channelCount])
        for (bus, source) in sources.enumerated() {
            graph.connect(
                indices[bus], to: mixer, bus: bus, ConnectionState(mixing: MixingState(), processor: source.processor))
        }
        graph.play(mixer, channelCount: channelCount)
        return graph
    }

    private static func sum() -> SceneSum {
        let sum = SceneSum()
        sum.field.play(through: FieldDecoder(to: SphericalHead(), order: 3, sampleRate: 48_000))
        return sum
    }

    private static let head = Result {
        try HeadResponses(try SyntheticHead().measurements(), sampleRate: 48_000, level: .measured)
    }
    private static let algorithms = [SpatialAlgorithm.equalPower, .sphericalHead, .measuredHead, .soundField]

    /// Settings that change from stage to stage, with a way at 100 m/s past the listener.
    private func settings(_ stage: Int, _ algorithm: SpatialAlgorithm) throws -> SpatialSettings {
        var settings = SpatialSettings()
        (settings.algorithm, settings.head) = (algorithm, try Self.head.get())
        settings.source.position = SpacePoint(Double(stage % 3) - 1, 0.2, -Double(stage % 2))
        settings.listener.axes = HeadAxes(HeadAngles(yaw: Double(stage) * 40))
        settings.source.dampingDecibels = stage == 3 ? -20 : 0
        settings.propagation.isAbsorbing = stage > 1
        settings.propagation.hasDoppler = stage > 2
        let start = Int64(stage * 2048)
        if stage >= 4 {
            settings.sourcePath = SpatialPath([
                SpatialPath.Point(frame: start + 100, place: SpacePoint(-4, 0.1, -0.3)),
                SpatialPath.Point(frame: start + 3940, place: SpacePoint(4, 0.1, -0.3)),
            ])
        }
        return settings
    }

    private func stages(_ algorithm: SpatialAlgorithm, _ blocks: [Int]) throws -> [[Float]] {
        let sum = Self.sum()
        let processors = try (0..<2).map { _ in SpatialProcessor(try settings(0, algorithm), addingTo: sum) }
        let graph = graph(
            [(NoiseNode(seed: 1), 1, processors[0]), (NoiseNode(seed: 2, until: 7000), 1, processors[1])], sum)
        let all = try (0..<8).map { try settings($0, algorithm) }
        return try render([RenderGraph](repeating: graph, count: 7).map { ($0, 2048) }, inBlocksOf: blocks) { frame in
            for (index, processor) in processors.enumerated() { processor.set(all[frame / 2048 + index]) }
        }
    }

    @Test(arguments: algorithms)
    func blocksOfAnyLengthHaveTheSameBits(algorithm: SpatialAlgorithm) throws {
        let wanted = try stages(algorithm, [512])
        #expect(wanted[0] != wanted[1] && wanted[0][12_000] != 0)
        var different = 0
        for blocks in cuts(of: 7 * 2048) {
            let heard = try stages(algorithm, blocks)
            if !isSame(heard, wanted) { different += 1 }
            #expect(isSame(heard, wanted), "in blocks of \(blocks)")
        }
        Figures.note(
            "\(algorithm), moving: blocks of 32, 64, 256, 4096 and random lengths: renderings with other bits than those of 512",
            Double(different), "",
            wanted: "0")
    }

    /// The largest step between two samples of a source that passes at 100 m/s.
    private func largestStep(_ algorithm: SpatialAlgorithm, hertz: Double, at gap: Double, doppler: Bool) throws -> Float {
        var settings = SpatialSettings()
        (settings.algorithm, settings.head) = (algorithm, try Self.head.get())
        settings.propagation.hasDoppler = doppler
        settings.propagation.isAbsorbing = true
        settings.sourcePath = SpatialPath([
            SpatialPath.Point(frame: 4800, place: SpacePoint(-20, gap, 0)),
            SpatialPath.Point(frame: 4800 + 19_200, place: SpacePoint(20, gap, 0)),
        ])
        let sum = Self.sum()
        let graph = graph([(ToneNode(hertz: hertz), 1, SpatialProcessor(settings, addingTo: sum))], sum)
        let heard = try render([(graph, 28_800)], inBlocksOf: [256])
        #expect(heard[0].suffix(20_000).contains { abs($0) > 0.01 } && heard[1].suffix(20_000).contains { abs($0) > 0.01 })
        var largest: Float = 0
        for side in heard {
            for frame in 4001..<side.count { largest = max(largest, abs(side[frame] - side[frame - 1])) }
        }
        return largest
    }

    /// A jump of the gain from 0 to 1 would be a step of 0.5.
    @Test(arguments: algorithms, [true, false])
    func aHundredMetresASecondDoNotClick(algorithm: SpatialAlgorithm, doppler: Bool) throws {
        for gap in [2.0, 0.5, 0] {
            let step = try largestStep(algorithm, hertz: 0, at: gap, doppler: doppler)
            #expect(step < 0.02, "\(gap) m: \(step)")
        }
    }

    /// A tone of 500 Hz that stands still, and passes from frame 72,000 on, at a speed in metres a second and at the same level throughout.
    private func passing(_ algorithm: SpatialAlgorithm, speed: Double, doppler: Bool) throws -> [[Float]] {
        var settings = SpatialSettings()
        (settings.algorithm, settings.head) = (algorithm, try Self.head.get())
        settings.propagation.hasDoppler = doppler
        settings.listener.distance.rolloff = 0
        settings.sourcePath = SpatialPath([
            SpatialPath.Point(frame: 72_000, place: SpacePoint(-speed / 2, 1, 0)),
            SpatialPath.Point(frame: 120_000, place: SpacePoint(speed / 2, 1, 0)),
        ])
        let sum = Self.sum()
        let graph = graph([(ToneNode(hertz: 500), 1, SpatialProcessor(settings, addingTo: sum))], sum)
        return try render([(graph, 168_000)], inBlocksOf: [256])
    }

    /// All that a source has sounded would arrive at once at the speed of sound, and backwards above it.
    @Test(arguments: algorithms, [300, 343.2, 600.0])
    func theSpeedOfSoundIsPassedWithoutABurst(algorithm: SpatialAlgorithm, speed: Double) throws {
        let still = try passing(algorithm, speed: speed, doppler: false).joined().map(abs).max() ?? 0
        let heard = try passing(algorithm, speed: speed, doppler: true)
        #expect(heard.joined().allSatisfy { abs($0) < 1.2 * still }, "\(heard.joined().map(abs).max() ?? 0), \(still)")
        // Twice the pitch is the most.
        let most = 1.3 * 2 * still * 2 * .pi * 500 / 48_000
        for side in heard {
            // The tone begins with a step, which has arrived by then.
            let step = zip(side.dropFirst(60_000), side.dropFirst(60_001)).map { abs($1 - $0) }.max() ?? 0
            #expect(step < most, "\(step), \(most)")
        }
        #expect(heard.contains { $0.suffix(20_000).contains { abs($0) > 0.3 } })
    }

    @Test func aSourceThatIsMovedFarAwayIsNotHeardOnTheWay() throws {
        var settings = SpatialSettings()
        settings.propagation.hasDoppler = true
        settings.listener.distance.rolloff = 0
        settings.source.position = SpacePoint(0, 0, -1)
        let processor = SpatialProcessor(settings)
        let graph = graph([(ToneNode(hertz: 500), 1, processor)], nil)
        let heard = try render([(graph, 9600), (graph, 9600)], inBlocksOf: [480]) { frame in
            guard frame > 0 else { return }
            settings.source.position = SpacePoint(0, 0, -60)
            processor.set(settings)
        }
        // A tone of 500 Hz and half scale has no step above 0.033; at twice the pitch it would have 0.046.
        let steps = (9001..<19_200).map { abs(heard[0][$0] - heard[0][$0 - 1]) }
        #expect((steps.max() ?? 1) < 0.025)
        #expect(heard[0].suffix(480).contains { abs($0) > 0.3 })
    }

    @Test func aSourceThatComesIsHeardHigher() throws {
        var settings = SpatialSettings()
        settings.propagation.hasDoppler = true
        settings.listener.distance.rolloff = 0
        settings.sourcePath = SpatialPath([
            SpatialPath.Point(frame: 0, place: SpacePoint(0, 0, -100)),
            SpatialPath.Point(frame: 48_000, place: SpacePoint(0, 0, -65.68)),
        ])
        let graph = graph([(ToneNode(hertz: 1000), 1, SpatialProcessor(settings))], nil)
        let heard = try render([(graph, 48_000)], inBlocksOf: [256])[0].suffix(9600)
        let crossings = zip(heard, heard.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
        #expect(abs(Double(crossings) - 0.2 * 1000 * 343.2 / (343.2 - 34.32)) <= 1, "\(crossings)")
    }

    @Test func sixLoudspeakersPlayASourceWhereItIs() throws {
        var settings = SpatialSettings()
        settings.source.position = SpeakerPlace(azimuth: -110).direction
        let processor = SpatialProcessor(settings)
        let layout = try #require(ChannelLayout.usual(6).flatMap { SpeakerLayout($0) })
        processor.setOutput(SpeakerPanner(layout), headLatency: 0, fieldLatency: 0)
        let graph = graph([(ToneNode(hertz: 0), 1, processor)], nil, channelCount: 6)
        let heard = try render([(graph, 256)], channelCount: 6, inBlocksOf: [64]).map { $0[200] }
        #expect(heard.enumerated().allSatisfy { abs($1 - ($0 == 5 ? 0.5 : 0)) < 1e-6 }, "\(heard)")
    }

    @Test func aBedTurnsWithTheHeadAndKnowsNoDistance() throws {
        var settings = SpatialSettings()
        settings.source.placing = .ambience
        settings.source.position = SpacePoint(1000, 0, 0)
        settings.bed = SpeakerLayout([SpeakerPlace(azimuth: 90), SpeakerPlace(azimuth: -90)])
        let processor = SpatialProcessor(settings)
        let graph = graph([(SidedNode(), 2, processor)], nil)
        let heard = try render([(graph, 4800), (graph, 4800)], inBlocksOf: [480]) { frame in
            guard frame > 0 else { return }
            settings.listener.axes = HeadAxes(HeadAngles(yaw: 180))
            processor.set(settings)
        }
        #expect(abs(heard[0][4000] - 0.5) < 1e-6 && abs(heard[1][4000]) < 1e-6)
        #expect(abs(heard[1][9000] - 0.5) < 1e-6 && abs(heard[0][9000]) < 1e-6)
    }

    @Test(arguments: 0..<12) func aBedOfNamedSpeakersIsHeardFromThem(channel: Int) throws {
        let layout = ChannelLayout.sevenPointOneFour
        var settings = SpatialSettings()
        settings.source.placing = .ambience
        let processor = SpatialProcessor(settings)
        processor.setOutput(SpeakerLayout(layout).flatMap { SpeakerPanner($0) }, headLatency: 0, fieldLatency: 0)
        var graph = graph([(SidedNode(channel: channel), 12, processor)], nil, channelCount: 12)
        graph.nodes[0].outputLayouts[0] = layout
        let heard = try render([(graph, 256)], channelCount: 12, inBlocksOf: [64]).map { $0[200] }
        let wanted = (0..<12).map { $0 == channel ? Float(0.5) : 0 }
        #expect(zip(heard, wanted).allSatisfy { abs($0 - $1) < 1e-6 }, "\(heard)")
    }

    @Test func aFieldOfThirdOrderTurnsAgainstTheHead() throws {
        var settings = SpatialSettings()
        settings.source.placing = .ambience
        settings.algorithm = .soundField
        let sum = SceneSum()
        let panner = try #require(SpeakerLayout(bs2051: "0+2+0").flatMap { SpeakerPanner($0) })
        sum.field.play(through: FieldDecoder(to: panner, order: 3))
        settings.listener.axes = HeadAxes(HeadAngles(yaw: 90))
        let graph = graph([(FieldNode(direction: SpacePoint(0, 0, -1)), 16, SpatialProcessor(settings, addingTo: sum))], sum)
        let heard = try render([(graph, 480)], inBlocksOf: [96])
        // The channel in front is at the left of a head that turned to the right.
        #expect(heard[0][300] > 3 * abs(heard[1][300]))
    }

    @Test func placesThatCannotBeAreNeverHeard() throws {
        var settings = SpatialSettings()
        (settings.propagation.hasDoppler, settings.propagation.isAbsorbing) = (true, true)
        settings.head = try Self.head.get()
        for algorithm in Self.algorithms {
            settings.algorithm = algorithm
            for place in [SpacePoint(0, 0, 0), SpacePoint(1e6, 0, 0), SpacePoint(1e300, 1e300, 0), SpacePoint(.nan, 0, 0)] {
                settings.source.position = place
                let sum = Self.sum()
                let graph = graph([(NoiseNode(seed: 1), 1, SpatialProcessor(settings, addingTo: sum))], sum)
                let heard = try render([(graph, 1024)], inBlocksOf: [256])
                #expect(heard.joined().allSatisfy { $0.isFinite && abs($0) < 1 }, "\(algorithm) at \(place)")
            }
        }
    }

    /// A source at a place, with settings of one's own.
    private func heard(_ place: SpacePoint, volume: Float = 1, _ change: (inout SpatialSettings) -> Void) throws -> [[Float]] {
        var settings = SpatialSettings()
        settings.source.position = place
        settings.head = try Self.head.get()
        change(&settings)
        let (sum, level) = (Self.sum(), MixingState())
        level.volume = volume
        var graph = RenderGraph(maximumFrameCount: 4096)
        let source = graph.add(.render(NoiseNode(seed: 1)), outputs: [1])
        let mixer = graph.add(.mix(MixerLevel(), sum), inputs: [1])
        let processor = SpatialProcessor(settings, addingTo: sum)
        graph.connect(source, to: mixer, ConnectionState(mixing: level, processor: processor))
        graph.play(mixer)
        return try render([(graph, 2048)], inBlocksOf: [256])
    }

    @Test func equalPowerIsOneProductASampleAndASide() throws {
        let heard = try heard(SpacePoint(0.6, 0, -1.3), volume: 0.7) { _ in }
        let distance = (0.6 * 0.6 + 1.3 * 1.3).squareRoot()
        let level = Double(DistanceLaw().gain(at: distance))
        let left = Float(level * Maths.sqrt((1 - 0.6 / distance) / 2))
        let right = Float(level * Maths.sqrt((1 + 0.6 / distance) / 2))
        for frame in 0..<2048 {
            let sample = Noise.sample(seed: 1, channel: 0, frame: frame)
            #expect(heard[0][frame] == sample * (0.7 * left) && heard[1][frame] == sample * (0.7 * right))
        }
    }

    @Test(arguments: [SpatialAlgorithm.measuredHead, .sphericalHead, .equalPower])
    func inTheMiddleOfAHeadChannelsGoThroughUnchanged(algorithm: SpatialAlgorithm) throws {
        let heard = try heard(SpacePoint(0, 0, 0)) {
            ($0.algorithm, $0.source.inHeadMode) = (algorithm, .bypass)
        }
        let delay =
            switch algorithm {
            case .measuredHead: SceneSum.headLatencyFrameCount
            case .sphericalHead: SphericalHead().latencyFrameCount(sampleRate: 48_000)
            case .equalPower, .soundField: 0
            }
        for frame in delay..<2048 {
            let sample = Noise.sample(seed: 1, channel: 0, frame: frame - delay)
            #expect(abs(heard[0][frame] - sample) < 1e-6 && abs(heard[1][frame] - sample) < 1e-6)
        }
    }

    @Test func halfWayOutOfTheHeadAMeasuredHeadHearsHalfOfIt() throws {
        let place = SpacePoint(0, 0, -SpatialListener.headRadius / 2)
        let whole = try heard(place) { $0.algorithm = .measuredHead }
        let half = try heard(place) { ($0.algorithm, $0.source.inHeadMode) = (.measuredHead, .bypass) }
        for frame in 200..<2048 {
            let sample = Noise.sample(seed: 1, channel: 0, frame: frame - SceneSum.headLatencyFrameCount)
            #expect(abs(half[0][frame] - whole[0][frame] / 2 - sample / 2) < 1e-5)
        }
    }

    @Test func aNodeThatCallsItForTwoVoicesHasTheBitsOfTwoConnections() throws {
        let settings = try settings(0, .sphericalHead)
        func graphs(_ isConnected: Bool) throws -> [[Float]] {
            let processors = (0..<2).map { _ in SpatialProcessor(settings) }
            var graph = RenderGraph(maximumFrameCount: 4096)
            if isConnected {
                let sources = (0..<2).map { graph.add(.render(NoiseNode(seed: $0)), outputs: [1]) }
                let mixer = graph.add(.mix(MixerLevel()), inputs: [1, 1])
                for (bus, source) in sources.enumerated() {
                    graph.connect(source, to: mixer, bus: bus, ConnectionState(mixing: MixingState(), processor: processors[bus]))
                }
                graph.play(mixer)
            } else {
                let voices = graph.add(.render(VoicesNode(processors)))
                graph.play(voices)
            }
            return try render([(graph, 4096)], inBlocksOf: [512])
        }
        let wanted = try graphs(true)
        #expect(try isSame(graphs(false), wanted) && wanted[0].contains { $0 != 0 })
    }

    @Test func anObstacleRingsAfterItsSourceFellSilent() throws {
        var settings = SpatialSettings()
        (settings.source.position, settings.source.dampingDecibels) = (SpacePoint(-1, 0, 0), -80)
        for blocks in cuts(of: 4096) {
            let graph = graph([(NoiseNode(seed: 1, until: 500), 1, SpatialProcessor(settings))], nil)
            let heard = try render([(graph, 4096)], inBlocksOf: blocks)
            #expect(heard[0][500...1000].allSatisfy { $0 != 0 } && heard[0][3000...].allSatisfy { $0 == 0 })
            let ratio = heard[0][600] / heard[0][599]
            #expect(abs(ratio - Maths.exp(-2 * Float.pi * 200 / 48_000)) < 1e-3 && heard[1].allSatisfy { $0 == 0 })
        }
    }
}

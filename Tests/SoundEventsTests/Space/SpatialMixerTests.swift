// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sounds at places in a scene, beside an environment node and beside formulas. Test thread.

import AudioGraph
import HostingTestSupport
import Realtime
import Spatial
import Testing

@testable import SoundEvents

@Suite(.timeLimit(.minutes(2))) struct SpatialMixerTests {
    /// The noise of the bench at a place in an environment, by the law of a spatial mixer.
    private func environment(
        _ spatialization: OutputSpatialization, channelCount: Int, at place: Audio3DPoint, hasAir: Bool
    ) throws -> [[Float]] {
        let graph = try AudioEngine.offline(channelCount: channelCount)
        let (environment, player) = (AudioEnvironmentNode(), AudioPlayerNode())
        graph.attach(environment)
        graph.attach(player)
        environment.distanceAttenuationParameters.distanceAttenuationModel = .exponential
        environment.absorbsTreble = hasAir
        environment.head = try SpaceBench.head.get()
        environment.outputType = spatialization == .binaural ? .headphones : .externalSpeakers
        (player.renderingAlgorithm, player.position) = (.auto, place)
        try graph.connect(player, to: environment, format: Sounds.format(1))
        try graph.connect(environment, to: graph.mainMixerNode, format: Sounds.format(channelCount))
        try player.scheduleBuffer(Sounds.buffer(24_000, channelCount: 1) { SpaceBench.noise[$1] }).get()
        try graph.start()
        player.play()
        return try graph.render(24_000)
    }

    @Test(arguments: [(OutputSpatialization.loudspeakers, 2), (.binaural, 2), (.loudspeakers, 6)], [false, true])
    func itSoundsAsAnEnvironmentNodeAtTheSamePlace(_ output: (OutputSpatialization, Int), hasAir: Bool) throws {
        let bench = try SpaceBench(channelCount: output.1, output.0, medium: hasAir ? .air : .none)
        try bench.move(30, 5, -40)
        try bench.event("noise", { $0.playback = .oneShot }).start()
        let sound = try bench.graph.render(24_000)
        let place = Audio3DPoint(x: 30, y: 5, z: -40)
        let wanted = try environment(output.0, channelCount: output.1, at: place, hasAir: hasAir)
        #expect(wanted.joined().contains { abs($0) > 1e-4 })
        #expect(difference(sound, wanted) < -120)
    }

    @Test(arguments: [1, 64, 100, 333]) func blocksOfAllLengthsHaveTheSameBits(block: Int) throws {
        func sound(_ block: Int, _ spatialization: OutputSpatialization) throws -> [[Float]] {
            let bench = try SpaceBench(.manual, spatialization, medium: .air)
            let shapes: [SpatialDirectivity.Band] = [
                .init(hertz: 500, .cardioid(pattern: 0.3)),
                .init(hertz: 4000, .cone(innerDegrees: 60, outerDegrees: 200, outerGain: 0.1)),
            ]
            var parts: [[Float]] = [[], []]
            let cullings: [Sampler.Culling] = [.terminate, .doNotCull, .sleepWakeAtRandomOffset, .sleepWakeAtRealtimeOffset]
            let events = try (0..<4).map { index in
                try bench.event("noise", { ($0.rate, $0.culling) = (index == 3 ? 1.3 : 1, cullings[index]) }) { mixer in
                    if index > 0 { mixer.cullDistance = 8 }
                    if index > 1 { (mixer.sourceDirectivity, mixer.listenerDirectivity) = (SpatialDirectivity(shapes), nil) }
                }
            }
            for (index, event) in events.enumerated() { try event.start(at: Int64(100 + 777 * index)) }
            for step in 0..<12 {
                try bench.move(Double(step) - 4, 0, Double(step % 5) * 2 - 4)
                try bench.listener.move(to: SceneTransform(orientation: HeadAxes(HeadAngles(yaw: Double(step) * 25))))
                bench.source.gain = step % 2 == 0 ? 1 : 0.5
                if step == 4 { events[0].pause() }
                if step == 7 { events[0].resume() }
                if step == 9 { events[2].stop() }
                bench.engine.update()
                for (channel, samples) in try bench.graph.render(1500, block: block).enumerated() { parts[channel] += samples }
            }
            return parts
        }
        for spatialization in [OutputSpatialization.loudspeakers, .binaural] {
            let whole = try sound(1500, spatialization)
            #expect(whole[0].contains { $0 != 0 })
            #expect(try sound(block, spatialization) == whole, "\(spatialization)")
        }
    }

    @Test func aCycleMayBeLongerThanTheMemoryOfASound() throws {
        func sound(_ block: Int) throws -> [[Float]] {
            let bench = try SpaceBench(.automatic, .binaural)
            try bench.move(3, 0, -1)
            try bench.event("noise").start(at: 1000)
            return try bench.graph.render(12_288, block: block)
        }
        #expect(try sound(4096) == sound(512))
    }

    @Test func levelsFollowTheDistance() throws {
        // In front both loudspeakers have the same share of the power.
        func level(_ metres: Double, _ change: (inout SpatialMixer) -> Void) throws -> Double {
            let bench = try SpaceBench()
            try bench.move(0, 0, -metres)
            try bench.event("half", { _ in }, change).start()
            return try bench.gains()[0] * 2.0.squareRoot()
        }
        for (rolloff, wanted) in [(0.0, 1.0), (0.5, 0.5), (1, 0.25), (2, 0.0625)] {
            #expect(abs(try level(4) { $0.distance = .spreading(rolloff: rolloff) } - wanted) < 1e-5)
        }
        #expect(abs(try level(0.5) { _ in } - 1) < 1e-5)
        #expect(abs(try level(400) { $0.distance = .none } - 1) < 1e-5)
        let envelope = try #require(
            Envelope(
                start: .init(x: 0, y: 1), segments: [.init(to: .init(x: 10, y: 0.2), .squared), .init(to: .init(x: 20, y: 0.1))]))
        for metres in [1.0, 3, 7, 9.9, 15, 30] {
            #expect(abs(try level(metres) { $0.distance = .envelope(envelope) } - envelope.value(at: metres)) < 2e-5, "\(metres)")
        }
        for (metres, wanted) in [(7.9, 1.0), (9, 0.5), (9.5, 0.15625), (10, 0), (50, 0)] {
            let found = try level(metres) { ($0.distance, $0.cullDistance) = (.none, 10) }
            #expect(abs(found - wanted) < 1e-4, "\(metres)")
        }
    }

    @Test func unitsScaleAllDistances() throws {
        let bench = try SpaceBench()
        try bench.engine.scene.setUnitsPerMetre(100)
        try bench.move(0, 0, -200)
        try bench.event("half", { _ in }) { $0.cullDistance = 1000 }.start()
        #expect(abs(try bench.gains()[0] - 0.5 / 2.0.squareRoot()) < 1e-5)
        try bench.move(0, 0, -1000)
        #expect(try bench.gains()[0] == 0)
    }

    @Test func curvesOfEachKindAreStraightLinesNearEnough() throws {
        for curve in FadeCurve.allCases {
            let envelope = try #require(
                Envelope(
                    start: .init(x: 1, y: 3), segments: [.init(to: .init(x: 5, y: 1), curve), .init(to: .init(x: 6, y: 2), curve)]))
            let table = try #require(DistanceCurve(envelope.points().map { ($0.x, $0.y) }))
            for place in stride(from: 0.013, to: 8, by: 0.037) {
                #expect(abs(table.gain(at: place) - envelope.value(at: place)) < 1e-4, "\(curve) at \(place)")
            }
        }
    }

    @Test(arguments: [64, 480]) func aMoveIsExactToTheFrame(block: Int) throws {
        let bench = try SpaceBench(.manual)
        try bench.move(-1)
        try bench.event("half", { _ in }) { $0.distance = .none }.start()
        bench.engine.update()
        _ = try bench.graph.render(960, block: block)
        try bench.move(-1)
        bench.engine.update()
        _ = try bench.graph.render(960, block: block)
        // The updates are 960 frames apart, so the move takes as long.
        try bench.source.move(to: SceneTransform(position: SIMD3(1, 0, -2)))
        bench.engine.update()
        let sound = try bench.graph.render(1200, block: block)[1]
        func gain(_ frame: Int) -> Double {
            let share = min(1, Double(frame) / 960)
            let place = SIMD3(-1 + 2 * share, 0, -2 * share)
            return 0.5 * ((1 + place.x / (place * place).sum().squareRoot()) / 2).squareRoot()
        }
        // Levels are exact at the ends of cells of 64 frames, and lie on straight lines between them.
        expect(
            sound,
            { frame in
                let (first, rest) = (frame / 64 * 64, Double(frame % 64) / 64)
                return gain(first) + (gain(first + 64) - gain(first)) * rest
            })
    }

    @Test func inAutomaticModeAMoveTakes20Milliseconds() throws {
        let bench = try SpaceBench()
        try bench.move(-1)
        try bench.event("half", { _ in }) { $0.distance = .none }.start()
        _ = try bench.graph.render(960)
        try bench.move(1)
        let sound = try bench.graph.render(1024, block: 64)
        #expect(sound[0][384] == 0.5 && sound[1][384] == 0 && sound[0][576] == 0 && sound[1][576] == 0.5)
        // At the middle it is inside of the head, and heard at both sides.
        #expect(abs(sound[0][480] - sound[1][480]) < 1e-6)
    }

    @Test func inManualModeAllMovesTakeEffectTogether() throws {
        let bench = try SpaceBench(.manual)
        let second = SceneSource(in: bench.engine.scene)
        try bench.engine.scene.root.add(second)
        try bench.move(-1)
        try second.move(to: SceneTransform(position: SIMD3(1, 0, 0)))
        var parameters = MixerParameters()
        parameters.add(second, heardBy: bench.listener, mixer: "spatial")
        try bench.event().start()
        let tree = try bench.engine.assets.registerTree(
            .sampler(Sampler("half", mixer: .spatial(SpatialMixer()), playback: .looping)))
        try SoundEvent(tree, in: bench.engine, mixers: parameters).start()
        bench.engine.update()
        #expect(try bench.gains() == [1, 1])
        try bench.move(1)
        try bench.move(0, 0, -1)
        try second.move(to: SceneTransform(position: SIMD3(0, 0, -1)))
        #expect(try bench.gains() == [1, 1])
        bench.engine.update()
        let gains = try bench.gains()
        #expect(gains.allSatisfy { abs($0 - 2.0.squareRoot()) < 1e-6 })
    }

    @Test(arguments: [Sampler.Culling.sleepWakeAtRealtimeOffset, .doNotCull])
    func aCulledSoundGoesOnUnheard(culling: Sampler.Culling) throws {
        let bench = try SpaceBench()
        try bench.move(0, 0, -20)
        let event = try bench.event(
            "ramp", { ($0.playback, $0.culling) = (.oneShot, culling) },
            {
                ($0.distance, $0.cullDistance) = (.none, 10)
            })
        try event.start()
        #expect(try bench.graph.render(20_000)[0].allSatisfy { $0 == 0 })
        try bench.move(0, 0, -1)
        let sound = try bench.graph.render(4000)[0]
        expect(Array(sound[2000...]), { Double(22_000 + $0) / 96_000 / 2.0.squareRoot() }, within: 1e-5)
        try bench.move(0, 0, -20)
        _ = try bench.graph.render(80_000)
        bench.engine.update()
        #expect(event.phase == .ended)
    }

    @Test func aCulledSoundEndsOrWakesAtItsBeginning() throws {
        for culling in [Sampler.Culling.terminate, .sleepWakeAtZero] {
            let bench = try SpaceBench()
            try bench.move(0, 0, -1)
            let event = try bench.event("ramp", { $0.culling = culling }, { ($0.distance, $0.cullDistance) = (.none, 10) })
            try event.start()
            _ = try bench.graph.render(20_000)
            try bench.move(0, 0, -20)
            _ = try bench.graph.render(9600)
            try bench.move(0, 0, -1)
            let sound = try bench.graph.render(4000)[0]
            bench.engine.update()
            #expect((event.phase == .ended) == (culling == .terminate))
            // It wakes at 10 m, after half of the way of 960 frames.
            let last = sound[3999] * 96_000 * Float(2).squareRoot()
            #expect(culling == .terminate ? last == 0 : (3400...3600).contains(last), "\(last)")
        }
    }

    @Test func gainsOfSourceListenerAndPathMultiply() throws {
        let bench = try SpaceBench()
        try bench.move(0, 0, -1)
        (bench.source.gain, bench.listener.gain) = (0.5, 0.5)
        let path = NumberParameter("path", value: 0.5, range: 0...1)
        let event = try bench.event(
            "half", { _ in },
            { mixer in
                mixer.gain = 0.5
                mixer.directPath = SpatialMixer.Send(level: 0.5, steeredLevel: SteeredValue(path))
            })
        try event.start()
        #expect(abs(try bench.gains()[0] * 2.0.squareRoot() - 1.0 / 32) < 1e-6)
        try event.set("path", to: 1)
        (bench.source.gain, bench.listener.gain) = (.nan, 7)
        #expect(bench.source.gain == 0.5 && bench.listener.gain == 1)
        #expect(abs(try bench.gains()[0] * 2.0.squareRoot() - 1.0 / 8) < 1e-6)
    }

    @Test func aSourceIsLoudestWhereItLooks() throws {
        let bench = try SpaceBench()
        try bench.move(0, 0, -2)
        let event = try bench.event(
            "half", { _ in },
            { mixer in
                mixer.distance = .none
                mixer.sourceDirectivity = SpatialDirectivity([.init(.cardioid(pattern: 0.5))])
            })
        try event.start()
        for (yaw, wanted) in [(180.0, 1.0), (90, 0.5), (0, 0)] {
            let axes = HeadAxes(HeadAngles(yaw: yaw))
            try bench.source.move(to: SceneTransform(position: SIMD3(0, 0, -2), orientation: axes))
            #expect(abs(try bench.gains()[0] * 2.0.squareRoot() - wanted) < 1e-6, "\(yaw)")
        }
    }

    @Test func airTakesTrebleAndNothingDoesNot() throws {
        func change(_ medium: SoundMedium) throws -> Double {
            let bench = try SpaceBench(medium: medium)
            try bench.move(0, 0, -300)
            try bench.event("noise", { _ in }) { $0.distance = .none }.start()
            let sound = try bench.graph.render(12_000)[0][2000...]
            return zip(sound, sound.dropFirst()).reduce(0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
        }
        #expect(try change(.air) < 0.5 * change(.none))
        #expect(try SoundEngine(in: AudioEngine.offline()).medium == .air)
    }

    @Test func aVoiceThatIsUsedAgainSoundsAsANewOne() throws {
        let bench = try SpaceBench(.automatic, .binaural)
        try bench.move(2, 1, -1)
        func play() throws -> [[Float]] {
            let event = try bench.event("noise")
            try event.start()
            let sound = try bench.graph.render(4096)
            event.stop()
            _ = try bench.graph.render(4096)
            bench.engine.update()
            #expect(event.phase == .ended)
            return sound
        }
        #expect(try play() == play())
    }

    @Test func moreSoundsAtPlacesThanTheEngineTakesAreRefused() throws {
        let bench = try SpaceBench()
        try bench.move(0, 0, -1)
        let tree = try bench.engine.assets.registerTree(
            .sampler(Sampler("half", mixer: .spatial(SpatialMixer()), playback: .looping)))
        var (started, refused) = ([SoundEvent](), 0)
        for _ in 0..<4096 {
            let event = try SoundEvent(tree, in: bench.engine, mixers: bench.parameters)
            do throws(SoundEventError) {
                try event.start()
                started.append(event)
            } catch {
                if case .tooManySpatialSounds(SoundEngine.mostSpatialSounds) = error { refused += 1 }
            }
        }
        #expect(started.count == SoundEngine.mostSpatialSounds && refused == 4096 - SoundEngine.mostSpatialSounds)
        #expect(try bench.graph.render(512)[0][511] > 300)
        for event in started { event.stop() }
        _ = try bench.graph.render(4096)
        bench.engine.update()
        try SoundEvent(tree, in: bench.engine, mixers: bench.parameters).start()
        #expect(abs(try bench.graph.render(512)[0][511] - 0.5 / Float(2).squareRoot()) < 1e-6)
    }

    @Test func whatHasNoPlaceIsRefused() throws {
        let (bench, other) = (try SpaceBench(), try SpaceBench())
        let tree = try bench.engine.assets.registerTree(.sampler(Sampler("half", mixer: .spatial(SpatialMixer()))))
        func fault(_ parameters: MixerParameters, starts: Bool = false) -> String {
            do throws(SoundEventError) {
                let event = try SoundEvent(tree, in: bench.engine, mixers: parameters)
                if starts { try event.start() }
                return ""
            } catch { return "\(error)" }
        }
        #expect(fault(MixerParameters()).contains("\"spatial\" has no place"))
        var parameters = MixerParameters()
        parameters.add(bench.listener, mixer: "spatial")
        #expect(fault(parameters).contains("\"spatial\" has no place"))
        parameters.add(other.source, heardBy: bench.listener, mixer: "spatial")
        #expect(fault(parameters).contains("is not in the scene"))
        parameters.add(SceneSource(in: bench.engine.scene), heardBy: bench.listener, mixer: "spatial")
        #expect(fault(parameters).isEmpty && fault(parameters, starts: true).contains("is not in the scene"))
        func reason(_ change: (inout SpatialMixer) -> Void) -> String {
            var mixer = SpatialMixer()
            change(&mixer)
            do throws(SoundEventError) {
                try bench.engine.assets.registerTree(.sampler(Sampler("half", mixer: .spatial(mixer))))
                return ""
            } catch { return "\(error)" }
        }
        #expect(reason { $0.cullDistance = 0.5 }.contains("0.5, and not 1 or more"))
        #expect(reason { $0.cullDistance = .nan }.contains("cull distance"))
        #expect(reason { $0.distance = .spreading(rolloff: -1) }.contains("roll-off"))
        #expect(reason { $0.directPath = SpatialMixer.Send(level: 2) }.contains("has the level 2.0"))
        #expect(reason { $0.directPath = nil }.contains("no direct path and no late reverb"))
        #expect(reason { $0.gain = .infinity }.contains("gain of a mixer"))
    }
}

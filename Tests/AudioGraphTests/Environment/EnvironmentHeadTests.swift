// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sources that a head hears in an environment: their latency, their bits, a change of the algorithm, a head that is missing. Test thread.

import AudioGraph
import HostingTestSupport
import Rendering
import Spatial
import Testing

@Suite struct EnvironmentHeadTests {
    /// A head of 26 directions: each ear hears its own side at once, and the other one 30 frames later at a quarter.
    private static let head = Result {
        var places: [SpacePoint] = []
        for index in 0..<27 where index != 13 {
            let corner = SpacePoint(Double(index % 3 - 1), Double(index / 3 % 3 - 1), Double(index / 9 - 1))
            places.append(corner / (corner * corner).sum().squareRoot())
        }
        var responses: [Float] = []
        for place in places {
            for side in [-place.x, place.x] {
                let (arrival, gain) = (10 + Int(15 - 15 * side), Float(0.625 + 0.375 * side))
                responses += (0..<64).map { $0 == arrival ? gain : 0 }
            }
        }
        return AudioHead(
            try HeadMeasurements(
                name: "two ears", sampleRate: 48_000, positions: places, tapCount: 64, responses: responses, delays: [0, 0]),
            level: .measured)
    }

    private func scene(_ algorithm: AudioRenderingAlgorithm, channelCount: Int = 1) throws -> EnvironmentScene {
        let scene = try EnvironmentScene(channelCount: channelCount)
        scene.environment.head = try Self.head.get()
        scene.player.renderingAlgorithm = algorithm
        return scene
    }

    @Test(arguments: [AudioRenderingAlgorithm.HRTF, .HRTFHQ])
    func eachEarHearsItsOwnSide(algorithm: AudioRenderingAlgorithm) throws {
        let scene = try scene(algorithm)
        // The player plays a constant, of which a response passes the sum of its samples.
        #expect(areClose(try scene.gains(x: -1), [1, 0.25], within: 0.01))
        #expect(areClose(try scene.gains(x: 1), [0.25, 1], within: 0.01))
        #expect(areClose(try scene.gains(x: 0, z: -1), [0.625, 0.625], within: 0.01))
        // Twice as far is half as loud.
        #expect(areClose(try scene.gains(x: -2), [0.5, 0.125], within: 0.01))
        scene.environment.listenerAngularOrientation = Audio3DAngularOrientation(yaw: 180, pitch: 0, roll: 0)
        #expect(areClose(try scene.gains(x: -2), [0.125, 0.5], within: 0.01))
    }

    @Test func insideTheHeadBothEarsHearTheSame() throws {
        let gains = try scene(.HRTF).gains(x: 0)
        #expect(areClose(gains, [0.7071, 0.7071], within: 0.01))
    }

    @Test func autoIsTheHeadForHeadphonesAlone() throws {
        let scene = try scene(.auto)
        #expect(areClose(try scene.gains(x: -1), [1, 0]))
        scene.environment.outputType = .headphones
        #expect(areClose(try scene.gains(x: -1), [1, 0.25], within: 0.01))
        #expect(scene.engine.latencyFrameCount == 64)
        scene.environment.outputType = .externalSpeakers
        #expect(areClose(try scene.gains(x: -1), [1, 0]))
    }

    @Test func autoFollowsTheDeviceOfTheDriver() throws {
        let driver = ChangingDriver(rate: 48_000)
        driver.plug(in: .headphones)
        let engine = AudioEngine(driver: driver)
        let (environment, player) = (AudioEnvironmentNode(), AudioPlayerNode())
        for node in [environment, player] { engine.attach(node) }
        try engine.connect(player, to: environment, format: Sounds.format(1))
        try engine.connect(environment, to: engine.mainMixerNode, format: Sounds.format(2))
        player.scheduleBuffer(try Sounds.buffer(4800, channelCount: 1) { _, _ in 0.5 }, options: .loops)
        environment.head = try Self.head.get()
        player.renderingAlgorithm = .auto
        player.position = Audio3DPoint(x: -1, y: 0, z: 0)
        try engine.start()
        player.play()
        // The right ear hears a source at the left through the head, and the right loudspeaker does not.
        func level() -> Float { driver.render(4800).last ?? 1 }
        #expect(abs(level() - 0.125) < 0.005 && engine.latencyFrameCount == 64)
        for kind in [DriverOutputKind.builtInSpeakers, .headphones, .externalSpeakers, nil] {
            driver.plug(in: kind)
            let wanted: Float = kind == .headphones ? 0.125 : 0
            #expect(waitUntil(milliseconds: 5000) { abs(level() - wanted) < 0.005 }, "\(String(describing: kind))")
        }
        // A choice of the program counts more than the device.
        environment.outputType = .headphones
        #expect(waitUntil(milliseconds: 5000) { abs(level() - 0.125) < 0.005 })
        engine.stop()
    }

    @Test func insideTheHeadChannelsPassUnchangedIfTheProgramWantsIt() throws {
        let scene = try scene(.HRTF, channelCount: 2)
        (scene.player.sourceMode, scene.player.pointSourceInHeadMode) = (.pointSource, .bypass)
        #expect(areClose(try scene.gains(x: 0), [1, 0.5], within: 1e-4))
        // Outside of the head there is one point again: the mean of both channels.
        #expect(areClose(try scene.gains(x: -1), [0.75, 0.1875], within: 0.01))
    }

    @Test func loudspeakersGetEqualPowerInItsPlace() throws {
        let scene = try EnvironmentScene(outputChannelCount: 6)
        scene.environment.head = try Self.head.get()
        scene.player.renderingAlgorithm = .HRTF
        #expect(areClose(try scene.gains(x: 0, z: -1), [0, 0, 1, 0, 0, 0]))
        #expect(scene.engine.latencyFrameCount == 0)
    }

    @Test func theEngineKnowsTheLatency() throws {
        let scene = try scene(.HRTF)
        _ = try scene.gains(x: -1)
        #expect(scene.engine.latencyFrameCount == 64)
        scene.player.renderingAlgorithm = .equalPowerPanning
        _ = try scene.gains(x: -1)
        #expect(scene.engine.latencyFrameCount == 0)
    }

    @Test func severalChannelsGoThroughWithoutAHead() throws {
        let scene = try scene(.HRTF, channelCount: 2)
        #expect(areClose(try scene.gains(x: -1), [1, 0.5]))
    }

    @Test func aChangeOfTheAlgorithmDoesNotClick() throws {
        let scene = try scene(.equalPowerPanning)
        _ = try scene.gains(x: -1)
        var heard: [[Float]] = [[], []]
        for algorithm in [AudioRenderingAlgorithm.HRTF, .HRTFHQ, .equalPowerPanning] {
            scene.player.renderingAlgorithm = algorithm
            for (channel, samples) in try scene.engine.render(2400, block: 100).enumerated() { heard[channel] += samples }
        }
        for side in heard {
            // A fade of a constant over 20 ms has steps of 0.0006, and of 0.002 if blocks of 64 frames make it.
            #expect((zip(side, side.dropFirst()).map { abs($1 - $0) }.max() ?? 1) < 0.003)
            #expect(side.allSatisfy { abs($0) < 0.6 })
        }
    }

    private func moving(_ blocks: [Int]) throws -> [[Float]] {
        let scene = try scene(.HRTF)
        var heard: [[Float]] = [[], []]
        for step in 0..<6 {
            scene.player.position = Audio3DPoint(x: Float(step) - 2.5, y: 0.3, z: -1)
            var left = 1000
            var index = 0
            while left > 0 {
                let count = min(left, blocks[index % blocks.count])
                for (channel, samples) in try scene.engine.render(count, block: count).enumerated() { heard[channel] += samples }
                left -= count
                index += 1
            }
        }
        return heard
    }

    @Test func blocksOfAnyLengthHaveTheSameBits() throws {
        let wanted = try moving([1000])
        for blocks in [[32], [64], [250], [7, 300, 64, 1]] {
            #expect(
                try moving(blocks).map { $0.map(\.bitPattern) } == wanted.map { $0.map(\.bitPattern) }, "in blocks of \(blocks)")
        }
    }

    @Test func aHeadThatCannotBeReadIsRefusedByNameAndReason() {
        #expect {
            try AudioHead(contentsOfFile: "/nowhere/head.sofa")
        } throws: { error in
            "\(error)".hasPrefix("Couldn't use the head \"/nowhere/head.sofa\": ") && "\(error)".hasSuffix("Check the path.")
        }
    }
}

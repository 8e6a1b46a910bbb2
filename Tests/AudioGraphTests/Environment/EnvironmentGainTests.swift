// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How loud a source in space is at the left and the right. Test thread.

import AudioGraph
import Testing

@Suite struct EnvironmentGainTests {
    private let half: Float = 0.707_106_8

    @Test func aSourceIsHeardAtItsSideByEqualPower() throws {
        let scene = try EnvironmentScene()
        #expect(areClose(try scene.gains(x: -1), [1, 0]))
        #expect(areClose(try scene.gains(x: 1), [0, 1]))
        #expect(areClose(try scene.gains(x: 0, z: -1), [half, half]))
        #expect(areClose(try scene.gains(x: 0, z: 1), [half, half]))
        #expect(areClose(try scene.gains(x: 0, y: 1), [half, half]))
        // 45° to the right: the cosine and the sine of 67.5°.
        #expect(areClose(try scene.gains(x: half, z: -half), [0.382_683_4, 0.923_879_5]))
        #expect(areClose(try scene.gains(x: half, z: half), [0.382_683_4, 0.923_879_5]))
    }

    @Test func theSidesHaveTheSamePowerEverywhere() throws {
        let scene = try EnvironmentScene()
        for place in [Audio3DPoint(x: 0.6, y: 0, z: 0.8), Audio3DPoint(x: -0.48, y: 0.6, z: -0.64)] {
            let gains = try scene.gains(x: place.x, y: place.y, z: place.z)
            #expect(abs(gains[0] * gains[0] + gains[1] * gains[1] - 1) < 1e-5)
        }
    }

    /// Each gain is computed by hand: model, reference, maximum, roll-off, distance.
    @Test(arguments: [
        (AudioDistanceAttenuationModel.inverse, Float(1), Float(100_000), Float(1), Float(4), Float(0.25)),
        (.inverse, 1, 100_000, 0.5, 4, 0.4),
        (.inverse, 2, 100_000, 1, 8, 0.25),
        (.inverse, 1, 4, 1, 100, 0.25),
        (.inverse, 1, 100_000, 1, 0.5, 1),
        (.inverse, 1, 100_000, 0, 50, 1),
        (.exponential, 1, 100_000, 0.5, 4, 0.5),
        (.exponential, 1, 100_000, 1, 4, 0.25),
        (.exponential, 1, 100_000, 2, 4, 0.0625),
        (.exponential, 2, 100_000, 1, 1, 1),
        (.exponential, 1, 10, 1, 1000, 0.1),
        (.linear, 1, 11, 1, 6, 0.5),
        (.linear, 1, 11, 0.5, 6, 0.75),
        (.linear, 1, 11, 1, 20, 0),
        (.linear, 1, 11, 3, 6, 0),
        (.linear, 1, 0.5, 1, 6, 1),
    ])
    func theLevelFallsWithTheDistance(
        model: AudioDistanceAttenuationModel, reference: Float, maximum: Float, rolloff: Float, distance: Float, gain: Float
    ) throws {
        let scene = try EnvironmentScene()
        let parameters = scene.environment.distanceAttenuationParameters
        #expect(
            (parameters.distanceAttenuationModel, parameters.referenceDistance) == (.inverse, 1)
                && (parameters.maximumDistance, parameters.rolloffFactor) == (100_000, 1))
        parameters.distanceAttenuationModel = model
        (parameters.referenceDistance, parameters.maximumDistance, parameters.rolloffFactor) = (reference, maximum, rolloff)
        #expect(areClose(try scene.gains(x: -distance), [gain, 0]))
    }

    @Test func theListenerMovesAndTurns() throws {
        let scene = try EnvironmentScene()
        scene.environment.listenerPosition = Audio3DPoint(x: 5, y: 1, z: 0)
        #expect(areClose(try scene.gains(x: 3, y: 1), [0.5, 0]))
        scene.environment.listenerAngularOrientation = Audio3DAngularOrientation(yaw: 180, pitch: 0, roll: 0)
        #expect(areClose(try scene.gains(), [0, 0.5], within: 1e-4))
        // Looking to the left, the source is in front.
        scene.environment.listenerAngularOrientation = Audio3DAngularOrientation(yaw: -90, pitch: 0, roll: 0)
        #expect(areClose(try scene.gains(), [half / 2, half / 2], within: 1e-4))
    }

    @Test func volumesCountAndAPanDoesNot() throws {
        let scene = try EnvironmentScene()
        (scene.player.volume, scene.player.pan, scene.environment.outputVolume) = (0.5, 1, 0.5)
        #expect(areClose(try scene.gains(x: -1), [0.25, 0]))
    }

    @Test func oneOutputChannelHasThePowerOfBothSides() throws {
        let scene = try EnvironmentScene(outputChannelCount: 1)
        for x: Float in [-2, 2] { #expect(areClose(try scene.gains(x: x), [0.5])) }
        #expect(areClose(try scene.gains(x: 0, z: 1), [1]))
    }

    @Test func aSourceOfAnotherRateIsConverted() throws {
        let scene = try EnvironmentScene()
        let slow = AudioPlayerNode()
        scene.engine.attach(slow)
        scene.player.stop()
        let format = AudioFormat(sampleRate: 24_000, channelCount: 1)
        try scene.engine.connect(slow, to: scene.environment, format: format)
        let buffer = try #require(AudioPCMBuffer(pcmFormat: format, frameCapacity: 2400))
        buffer.frameLength = 2400
        for frame in 0..<2400 { buffer.samples[0][frame] = 0.5 }
        slow.scheduleBuffer(buffer, options: .loops)
        slow.position = Audio3DPoint(x: -2, y: 0, z: 0)
        slow.play()
        _ = try scene.gains()
        #expect(areClose(try scene.gains(), [0.5, 0], within: 1e-3))
    }
}

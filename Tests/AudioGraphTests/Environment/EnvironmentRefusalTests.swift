// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What an environment and its sources cannot have is refused, and said. Test thread.

import AudioGraph
import HostingTestSupport
import Testing

@Suite struct EnvironmentRefusalTests {
    private func isRefused(_ engine: AudioEngine, _ change: () -> Void) -> Bool {
        change()
        do {
            try engine.edit {}
            return false
        } catch AudioEngineError.impossiblePlace {
            return true
        } catch {
            return false
        }
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity])
    func aPlaceThatIsNotFiniteIsRefused(number: Float) throws {
        let scene = try EnvironmentScene()
        let before = try scene.gains(x: -2)
        let place = Audio3DPoint(x: 1, y: number, z: 0)
        #expect(isRefused(scene.engine) { scene.player.position = place })
        #expect(isRefused(scene.engine) { scene.player.destination(forMixer: scene.environment, bus: 0)?.position = place })
        #expect(isRefused(scene.engine) { scene.environment.listenerPosition = place })
        #expect(
            isRefused(scene.engine) {
                scene.environment.listenerVectorOrientation = Audio3DVectorOrientation(
                    forward: place, up: Audio3DVector(x: 0, y: 0, z: 1))
            })
        #expect(
            isRefused(scene.engine) {
                scene.environment.listenerAngularOrientation = Audio3DAngularOrientation(yaw: 0, pitch: number, roll: 0)
            })
        let parameters = scene.environment.distanceAttenuationParameters
        #expect(isRefused(scene.engine) { parameters.rolloffFactor = number })
        #expect(isRefused(scene.engine) { parameters.maximumDistance = number })
        #expect(isRefused(scene.engine) { parameters.referenceDistance = number })
        #expect(try scene.gains() == before)
        #expect(!isRefused(scene.engine) {})
    }

    @Test func distancesAndLevelsHaveBounds() throws {
        let scene = try EnvironmentScene()
        let parameters = scene.environment.distanceAttenuationParameters
        #expect(isRefused(scene.engine) { parameters.referenceDistance = 0 })
        #expect(isRefused(scene.engine) { parameters.maximumDistance = -1 })
        #expect(isRefused(scene.engine) { parameters.rolloffFactor = -0.1 })
        #expect(isRefused(scene.engine) { scene.player.obstruction = .nan })
        #expect(isRefused(scene.engine) { scene.player.occlusion = .nan })
        #expect((parameters.referenceDistance, parameters.maximumDistance, parameters.rolloffFactor) == (1, 100_000, 1))
        #expect((scene.player.obstruction, scene.player.occlusion) == (0, 0))
    }

    @Test func directionsInOneLineAreRefused() throws {
        let scene = try EnvironmentScene()
        let (nothing, side) = (Audio3DVector(), Audio3DVector(x: 1, y: 0, z: 0))
        for pair in [(nothing, side), (side, nothing), (side, side), (side, Audio3DVector(x: -2, y: 0, z: 0))] {
            #expect(
                isRefused(scene.engine) {
                    scene.environment.listenerVectorOrientation = Audio3DVectorOrientation(forward: pair.0, up: pair.1)
                })
        }
        #expect(scene.environment.listenerVectorOrientation == Audio3DVectorOrientation())
    }

    @Test func aMixerKnowsNoPlaces() throws {
        let scene = try EnvironmentScene()
        let mixer = scene.engine.mainMixerNode
        let destination = try #require(scene.environment.destination(forMixer: mixer, bus: 0))
        #expect(isRefused(scene.engine) { destination.position = Audio3DPoint(x: 1, y: 0, z: 0) })
    }

    @Test func thePlacesAreTheLargestThatThereAre() throws {
        let scene = try EnvironmentScene()
        let far = Float.greatestFiniteMagnitude
        scene.environment.listenerPosition = Audio3DPoint(x: -far, y: -far, z: far)
        let gains = try scene.gains(x: far, y: far, z: -far)
        #expect(gains.allSatisfy(\.isFinite) && gains[1] < 2e-5)
    }

    @Test func moreThanTwoOutputChannelsAreRefused() throws {
        let scene = try EnvironmentScene()
        let reason = "it puts out one or two channels, or those of loudspeakers all around the listener, such as 5.1"
        #expect(
            throws: AudioEngineError.formatRefused(node: NamedNode(scene.environment), bus: 0, Sounds.format(3), reason: reason)
        ) { try scene.engine.connect(scene.environment, to: scene.engine.mainMixerNode, format: Sounds.format(3)) }
    }
}

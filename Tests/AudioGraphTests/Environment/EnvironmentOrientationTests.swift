// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Directions and angles of the listener say the same. Test thread.

import AudioGraph
import TestSupport
import Testing

@Suite struct EnvironmentOrientationTests {
    private let environment = AudioEnvironmentNode()

    private func list(_ vectors: Audio3DVectorOrientation) -> [Float] {
        [vectors.forward, vectors.up].flatMap { [$0.x, $0.y, $0.z] }
    }

    private func list(_ angles: Audio3DAngularOrientation) -> [Float] { [angles.yaw, angles.pitch, angles.roll] }

    @Test func theListenerBeginsToTheFront() {
        #expect(list(environment.listenerVectorOrientation) == [0, 0, -1, 0, 1, 0])
        #expect(list(environment.listenerAngularOrientation) == [0, 0, 0])
        #expect(environment.listenerPosition == Audio3DPoint())
    }

    /// Yaw, pitch and roll, and the nose and the top of the head that follow.
    @Test(arguments: [
        ([Float(90), 0, 0], [Float(1), 0, 0, 0, 1, 0]),
        ([0, 90, 0], [0, 1, 0, 0, 0, 1]),
        ([0, 0, 90], [0, 0, -1, 1, 0, 0]),
        ([90, 0, 90], [1, 0, 0, 0, 0, 1]),
        ([180, 0, 0], [0, 0, 1, 0, 1, 0]),
        ([-90, -90, 0], [0, -1, 0, -1, 0, 0]),
    ])
    func anglesAndDirectionsFollowEachOther(angles: [Float], vectors: [Float]) {
        environment.listenerAngularOrientation = Audio3DAngularOrientation(yaw: angles[0], pitch: angles[1], roll: angles[2])
        #expect(areClose(list(environment.listenerVectorOrientation), vectors, within: 1e-6))
        let other = AudioEnvironmentNode()
        other.listenerVectorOrientation = Audio3DVectorOrientation(
            forward: Audio3DVector(x: vectors[0], y: vectors[1], z: vectors[2]),
            up: Audio3DVector(x: vectors[3], y: vectors[4], z: vectors[5]))
        #expect(areClose(list(other.listenerAngularOrientation), angles, within: 1e-3))
    }

    @Test func anyAnglesComeBackFromTheirDirections() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            let angles = [Float.random(in: -179...179, using: &random), .random(in: -89...89, using: &random)]
            let roll = Float.random(in: -179...179, using: &random)
            environment.listenerAngularOrientation = Audio3DAngularOrientation(yaw: angles[0], pitch: angles[1], roll: roll)
            let other = AudioEnvironmentNode()
            other.listenerVectorOrientation = environment.listenerVectorOrientation
            #expect(areClose(list(other.listenerAngularOrientation), angles + [roll], within: 0.01), "\(angles), \(roll)")
        }
    }

    @Test func directionsNeedNotBeStraight() {
        environment.listenerVectorOrientation = Audio3DVectorOrientation(
            forward: Audio3DVector(x: 20, y: 0, z: 0), up: Audio3DVector(x: 3, y: 0.1, z: 0))
        #expect(areClose(list(environment.listenerAngularOrientation), [90, 0, 0], within: 1e-3))
        #expect(environment.listenerVectorOrientation.forward.x == 20)
    }

    @Test func bothSoundTheSame() throws {
        let (first, second) = (try EnvironmentScene(), try EnvironmentScene())
        first.environment.listenerAngularOrientation = Audio3DAngularOrientation(yaw: 30, pitch: 20, roll: 40)
        second.environment.listenerVectorOrientation = first.environment.listenerVectorOrientation
        let heard = try first.gains(x: -3, y: 2, z: 1)
        #expect(abs(heard[0] - heard[1]) > 0.05)
        #expect(areClose(heard, try second.gains(x: -3, y: 2, z: 1)))
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The orientation of a head by the axes of headphones, against the axes of an environment. Test thread.

import Glibc
import Spatial
import TestSupport
import Testing

@testable import CoreMotion

@Suite struct AttitudeTests {
    private func attitude(_ yaw: Double, _ pitch: Double, _ roll: Double) -> CMAttitude {
        CMAttitude(HeadDirections(HeadAxes(HeadAngles(yaw: yaw, pitch: pitch, roll: roll))))
    }

    private func rows(_ matrix: CMRotationMatrix) -> [SIMD3<Double>] {
        [
            SIMD3(matrix.m11, matrix.m12, matrix.m13), SIMD3(matrix.m21, matrix.m22, matrix.m23),
            SIMD3(matrix.m31, matrix.m32, matrix.m33),
        ]
    }

    private func near(_ a: [SIMD3<Double>], _ b: [SIMD3<Double>]) -> Bool {
        zip(a, b).allSatisfy { (($0 - $1) * ($0 - $1)).sum() < 1e-18 } && a.count == b.count
    }

    /// A direction that a quaternion has turned.
    private func turned(_ v: SIMD3<Double>, by q: CMQuaternion) -> SIMD3<Double> {
        let axis = SIMD3(q.x, q.y, q.z)
        func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        let side = cross(axis, v) * 2
        return v + side * q.w + cross(axis, side)
    }

    private func angles(_ random: inout Seed) -> [Double] {
        [.random(in: -179...179, using: &random), .random(in: -89...89, using: &random), .random(in: -179...179, using: &random)]
    }

    @Test func theFrontIsTheSecondAxisAndUpwardsTheThird() {
        let front = attitude(0, 0, 0)
        #expect(near(rows(front.rotationMatrix), [SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)]))
        #expect(front.yaw == 0 && front.pitch == 0 && front.roll == 0 && front.quaternion.w == 1)
        // A quarter to the right in an environment: the nose points along the first axis, and the right ear to the back.
        let right = attitude(90, 0, 0)
        #expect(near(rows(right.rotationMatrix), [SIMD3(0, -1, 0), SIMD3(1, 0, 0), SIMD3(0, 0, 1)]))
        // Straight up, then on the right ear.
        #expect(near(rows(attitude(0, 90, 0).rotationMatrix), [SIMD3(1, 0, 0), SIMD3(0, 0, 1), SIMD3(0, -1, 0)]))
        #expect(near(rows(attitude(0, 0, 90).rotationMatrix), [SIMD3(0, 0, -1), SIMD3(0, 1, 0), SIMD3(1, 0, 0)]))
    }

    @Test func yawHasTheOtherSignThanInAnEnvironmentAndTheOthersHaveTheSame() {
        var random = Seed()
        for _ in 0..<100 {
            let angles = angles(&random)
            let head = attitude(angles[0], angles[1], angles[2])
            let degrees = [-head.yaw, head.pitch, head.roll].map { $0 * 180 / .pi }
            #expect(zip(degrees, angles).allSatisfy { abs($0 - $1) < 1e-6 }, "\(angles)")
        }
    }

    @Test func theQuaternionTurnsTheAxesOfTheRoomToThoseOfTheHead() {
        var random = Seed()
        let fixed = [[180, 0, 0], [0, 0, 180], [180, 0, 180], [120, 30, -170]] as [[Double]]
        var all = fixed
        for _ in 0..<100 { all.append(angles(&random)) }
        for angles in all {
            let head = attitude(angles[0], angles[1], angles[2])
            let axes = [SIMD3(1.0, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)].map { turned($0, by: head.quaternion) }
            #expect(near(axes, rows(head.rotationMatrix)), "\(angles)")
        }
    }

    @Test func anOrientationIsSeenFromAnotherOne() throws {
        let head = attitude(-70, 0, 0)
        let start = try #require(head.copy() as? CMAttitude)
        head.multiply(byInverseOf: start)
        #expect(abs(head.yaw) < 1e-9 && abs(start.yaw - 70 * .pi / 180) < 1e-9)
        let later = attitude(-100, 20, 5)
        later.multiply(byInverseOf: start)
        #expect(abs(later.yaw - 30 * .pi / 180) < 1e-9 && abs(later.pitch - 20 * .pi / 180) < 1e-9)
        // The product of the matrices: this one after the inverse of the other.
        var random = Seed()
        for _ in 0..<50 {
            let (a, b) = (angles(&random), angles(&random))
            let (first, second) = (attitude(a[0], a[1], a[2]), attitude(b[0], b[1], b[2]))
            let (one, two) = (rows(first.rotationMatrix), rows(second.rotationMatrix))
            first.multiply(byInverseOf: second)
            let product = one.map { row in SIMD3((row * two[0]).sum(), (row * two[1]).sum(), (row * two[2]).sum()) }
            #expect(near(rows(first.rotationMatrix), product), "\(a) \(b)")
        }
    }

    @Test func matricesAndQuaternionsAreMadeOfTheirParts() {
        let matrix = CMRotationMatrix(m11: 1, m12: 2, m13: 3, m21: 4, m22: 5, m23: 6, m31: 7, m32: 8, m33: 9)
        #expect(rows(matrix) == [SIMD3(1, 2, 3), SIMD3(4, 5, 6), SIMD3(7, 8, 9)] && rows(CMRotationMatrix())[0] == .zero)
        let quaternion = CMQuaternion(x: 1, y: 2, z: 3, w: 4)
        #expect(quaternion.x == 1 && quaternion.y == 2 && quaternion.z == 3 && quaternion.w == 4 && CMQuaternion().w == 0)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Quaternions by the names of Apple's systems: the hand of a turn, products, matrices and ways between turns. Test thread.

import Glibc
import TestSupport
import Testing
import simd

@Suite struct QuaternionTests {
    private let x = simd_float3(1, 0, 0)
    private let y = simd_float3(0, 1, 0)
    private let z = simd_float3(0, 0, 1)

    private func near(_ a: simd_float3, _ b: simd_float3) -> Bool { simd_distance(a, b) < 2e-6 }

    /// Whether two quaternions are the same turn.
    private func same(_ a: simd_quatf, _ b: simd_quatf) -> Bool { abs(abs(simd_dot(a, b)) - 1) < 1e-5 }

    private func turn(_ random: inout Seed) -> simd_quatf {
        simd_quatf(vector: .random(in: -1...1, using: &random) + 0.01).normalized
    }

    private func turns(_ random: inout Seed) -> [simd_quatf] {
        var turns: [simd_quatf] = []
        for _ in 0..<50 { turns.append(turn(&random)) }
        return turns
    }

    @Test func aPositiveAngleTurnsByTheRuleOfTheRightHand() {
        #expect(near(simd_quatf(angle: .pi / 2, axis: z).act(x), y))
        #expect(near(simd_quatf(angle: .pi / 2, axis: x).act(y), z))
        #expect(near(simd_quatf(angle: .pi / 2, axis: y).act(z), x))
        #expect(near(simd_act(simd_quaternion(.pi, y), x), -x))
    }

    @Test func partsAreThoseOfTheFormula() {
        let turn = simd_quatf(angle: 1, axis: z)
        #expect(abs(turn.real - 0.877_582_6) < 1e-6 && abs(turn.imag.z - 0.479_425_5) < 1e-6 && turn.imag.x == 0)
        #expect(abs(turn.angle - 1) < 1e-6 && near(turn.axis, z))
        let parts = simd_quatf(ix: 1, iy: 2, iz: 3, r: 4)
        #expect(parts.vector == simd_float4(1, 2, 3, 4) && parts == simd_quatf(real: 4, imag: simd_float3(1, 2, 3)))
        #expect(parts == simd_quaternion(1, 2, 3, 4) && simd_length(parts) == Float(30).squareRoot())
        #expect(parts.conjugate == simd_quatf(ix: -1, iy: -2, iz: -3, r: 4) && simd_conjugate(parts) == parts.conjugate)
        #expect(abs(parts.normalized.length - 1) < 1e-6 && simd_normalize(parts) == parts.normalized)
        var changed = parts
        (changed.real, changed.imag) = (0, z)
        #expect(changed == simd_quatf(vector: simd_float4(0, 0, 1, 0)) && simd_quatf().length == 0)
        #expect(-parts + parts == simd_quatf() && parts * 2 - parts == parts && 2 * parts == parts + parts)
    }

    @Test func theRightFactorOfAProductTurnsFirst() {
        let (first, second) = (simd_quatf(angle: .pi / 2, axis: x), simd_quatf(angle: .pi / 2, axis: y))
        // y goes to z, and z to x.
        #expect(near((second * first).act(y), x) && near(simd_mul(second, first).act(y), second.act(first.act(y))))
        #expect(near((first * second).act(y), z))
        var random = Seed()
        for a in turns(&random) {
            let (b, v) = (turn(&random), simd_float3.random(in: -1...1, using: &random))
            #expect(near((a * b).act(v), a.act(b.act(v))), "\(a) \(b) \(v)")
            #expect(near((a * a.inverse).act(v), v) && near(simd_inverse(a).act(a.act(v)), v) && same(a / b * b, a))
            var product = a
            product *= b
            #expect(product == a * b)
        }
        let long = simd_quatf(ix: 1, iy: 2, iz: 3, r: 4)
        #expect(simd_distance((long * long.inverse).vector, simd_float4(0, 0, 0, 1)) < 1e-6)
    }

    @Test func theShortestWayLeadsFromOneDirectionToAnother() {
        #expect(same(simd_quatf(from: x, to: y), simd_quatf(angle: .pi / 2, axis: z)))
        var random = Seed()
        for turned in turns(&random) {
            let (a, b) = (turned.act(x), turn(&random).act(x))
            #expect(near(simd_quatf(from: a, to: b).act(a), b), "\(a) \(b)")
        }
        for step in 1...6 {
            let b = simd_normalize(simd_float3(-1, pow(10, -Float(step)), 0))
            #expect(near(simd_quatf(from: x, to: b).act(x), b), "\(b)")
        }
        for a in [x, y, z, simd_normalize(x + y)] {
            #expect(near(simd_quaternion(a, -a).act(a), -a) && near(simd_quatf(from: a, to: a).act(y), y))
        }
    }

    @Test func aMatrixTurnsAsItsQuaternionDoes() {
        #expect(near(simd_float3x3(simd_quatf(angle: .pi / 2, axis: z)) * x, y))
        var random = Seed()
        let turns =
            turns(&random)
            + [x, y, z].flatMap { axis in [0, .pi / 2, .pi, -.pi / 2].map { simd_quatf(angle: $0, axis: axis) } }
        for turn in turns {
            let (matrix, v) = (simd_matrix3x3(turn), simd_float3.random(in: -1...1, using: &random))
            #expect(near(matrix * v, turn.act(v)) && abs(matrix.determinant - 1) < 1e-5)
            #expect(same(simd_quatf(matrix), turn) && same(simd_quaternion(matrix), turn), "\(turn)")
            var transform = simd_matrix4x4(turn)
            transform.columns.3 = simd_float4(5, 6, 7, 1)
            #expect(near(simd_make_float3(transform * simd_float4(v, 0)), turn.act(v)))
            #expect(same(simd_quatf(transform), turn) && same(simd_quaternion(transform), turn))
        }
    }

    @Test func aWayBetweenTurnsHasAnEvenSpeed() {
        let (first, second) = (simd_quatf(angle: 0.2, axis: y), simd_quatf(angle: 1.2, axis: y))
        for t in [0, 0.25, 0.5, 1] as [Float] {
            #expect(same(simd_slerp(first, second, t), simd_quatf(angle: 0.2 + t, axis: y)))
            // The negative is the same turn, and the shorter way is taken.
            #expect(same(simd_slerp(first, -second, t), simd_quatf(angle: 0.2 + t, axis: y)))
        }
        #expect(same(simd_slerp(first, first, 0.5), first))
    }
}

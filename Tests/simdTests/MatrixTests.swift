// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Matrices by the names of Apple's systems: columns, the order of a product, inverses. Test thread.

import TestSupport
import Testing
import simd

@Suite struct MatrixTests {
    private func near(_ a: simd_float4x4, _ b: simd_float4x4, within limit: Float = 1e-4) -> Bool {
        (0..<4).allSatisfy { simd_length(a[$0] - b[$0]) <= limit }
    }

    private func near(_ a: simd_float3x3, _ b: simd_float3x3, within limit: Float = 1e-4) -> Bool {
        (0..<3).allSatisfy { simd_length(a[$0] - b[$0]) <= limit }
    }

    private let counted = simd_float4x4(
        simd_float4(1, 2, 3, 4), simd_float4(5, 6, 7, 8), simd_float4(9, 10, 11, 12), simd_float4(13, 14, 15, 16))

    @Test func aProductWithAVectorAddsColumns() {
        #expect(counted * simd_float4(1, 0, 0, 0) == counted.columns.0)
        #expect(counted * simd_float4(1, 10, 100, 1000) == simd_float4(13_951, 15_062, 16_173, 17_284))
        #expect(simd_float4(1, 0, 0, 0) * counted == simd_float4(1, 5, 9, 13))
        var move = matrix_identity_float4x4
        move.columns.3 = simd_float4(1, 2, 3, 1)
        #expect(simd_mul(move, simd_float4(5, 5, 5, 1)) == simd_float4(6, 7, 8, 1))
        #expect(matrix_multiply(move, simd_float4(5, 5, 5, 0)) == simd_float4(5, 5, 5, 0))
    }

    @Test func theRightFactorOfAProductActsFirst() {
        // A quarter turn around y takes −z to −x.
        let turn = simd_float4x4(simd_quatf(angle: .pi / 2, axis: simd_float3(0, 1, 0)))
        var move = matrix_identity_float4x4
        move.columns.3 = simd_float4(0, 0, -2, 1)
        let origin = simd_float4(0, 0, 0, 1)
        #expect(simd_distance(turn * move * origin, simd_float4(-2, 0, 0, 1)) < 1e-6)
        #expect(simd_distance(move * turn * origin, simd_float4(0, 0, -2, 1)) < 1e-6)
        #expect(simd_mul(turn, move) == turn * move && matrix_multiply(turn, move) == turn * move)
        var both = turn
        both *= move
        #expect(both == turn * move)
    }

    @Test func initializersTakeColumnsRowsAndDiagonals() {
        let columns = [counted.columns.0, counted.columns.1, counted.columns.2, counted.columns.3]
        #expect(simd_float4x4(columns) == counted && simd_float4x4(columns: counted.columns) == counted)
        #expect(simd_float4x4(rows: columns) == counted.transpose && simd_transpose(counted.transpose) == counted)
        #expect(counted[1, 2] == 7 && counted.transpose[2, 1] == 7 && counted[3] == counted.columns.3)
        #expect(float4x4(1) == matrix_identity_float4x4 && float4x4(diagonal: simd_float4(2, 2, 2, 2)) == float4x4(2))
        #expect(simd_matrix(columns[0], columns[1], columns[2], columns[3]) == counted && simd_equal(counted, counted))
        var changed = counted
        changed[3, 0] = 7
        changed[0] = .zero
        #expect(changed != counted && changed.columns.3.x == 7 && changed.columns.0 == .zero && changed.columns.1.y == 6)
        #expect(counted + counted == 2 * counted && counted * 2 - counted == counted)
        #expect(simd_float4x4() == float4x4(0))
    }

    @Test func anInverseTakesAMatrixBack() {
        let matrix = simd_float4x4(
            simd_float4(2, 0, 1, 0), simd_float4(-1, 3, 0, 0.5), simd_float4(0, 1, 1, 0), simd_float4(4, -2, 7, 1))
        #expect(near(matrix * matrix.inverse, matrix_identity_float4x4) && near(simd_inverse(matrix) * matrix, float4x4(1)))
        #expect(abs(matrix.determinant - expanded(matrix)) < 1e-4 && simd_determinant(float4x4(2)) == 16)
        #expect(abs(counted.determinant) < 1e-3)
        #expect(!simd_float4x4().inverse.columns.0.x.isFinite)
        var random = Seed()
        for _ in 0..<50 {
            let turn = simd_quatf(vector: .random(in: -1...1, using: &random)).normalized
            var transform = simd_float4x4(turn) * simd_float4x4(diagonal: simd_float4(3, 3, 3, 1))
            transform.columns.3 = simd_float4(.random(in: -100...100, using: &random), 1)
            #expect(near(transform * transform.inverse, matrix_identity_float4x4), "\(transform)")
            #expect(abs(transform.determinant - 27) < 1e-3)
        }
    }

    /// The determinant as the sum over all orders of rows.
    private func expanded(_ matrix: simd_float4x4) -> Float {
        var sum: Float = 0
        for a in 0..<4 {
            for b in 0..<4 where b != a {
                for c in 0..<4 where c != a && c != b {
                    let order = [a, b, c, 6 - a - b - c]
                    let swaps = (0..<4).reduce(0) { count, i in count + order[i...].count { $0 < order[i] } }
                    let product = (0..<4).reduce(Float(1)) { $0 * matrix[$1, order[$1]] }
                    sum += swaps % 2 == 0 ? product : -product
                }
            }
        }
        return sum
    }

    @Test func threeColumnsFollowTheSameRules() {
        let matrix = simd_float3x3(simd_float3(2, 0, 1), simd_float3(-1, 3, 0), simd_float3(0, 1, 1))
        #expect(matrix * simd_float3(1, 10, 100) == simd_float3(-8, 130, 101))
        #expect(simd_mul(matrix, simd_float3(0, 1, 0)) == matrix.columns.1)
        #expect(simd_float3(0, 1, 0) * matrix == simd_float3(0, 3, 1))
        #expect(near(matrix * matrix.inverse, matrix_identity_float3x3) && near(simd_inverse(matrix) * matrix, float3x3(1)))
        // 2(3 − 0) − 0 + 1(−1 − 0).
        #expect(matrix.determinant == 5 && simd_determinant(matrix.transpose) == 5)
        #expect(simd_float3x3(rows: [matrix[0], matrix[1], matrix[2]]) == simd_transpose(matrix))
        #expect(matrix[1, 0] == -1 && float3x3(diagonal: .one) == float3x3(columns: (matrix_identity_float3x3.columns)))
        #expect(matrix + matrix == 2 * matrix && matrix - matrix == simd_float3x3() && simd_equal(matrix, matrix))
        let (a, b, c) = matrix.columns
        #expect(simd_matrix(a, b, c) == matrix && matrix_multiply(matrix, matrix) * a == matrix * (matrix * a))
        var changed = matrix
        changed *= matrix_identity_float3x3
        #expect(changed == matrix && matrix_multiply(matrix, a) == matrix * a && simd_mul(matrix, changed) == matrix * matrix)
    }
}

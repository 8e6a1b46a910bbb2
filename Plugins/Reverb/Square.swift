// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Four frames of four delay lines, transposed between line order and frame order. Render thread.

/// Four rows of four numbers.
struct Square {
    let rows: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

    /// Loads the rows, which are `rowStride` numbers apart.
    @inline(__always) @_noLocks init(_ numbers: UnsafePointer<Float>, rowStride: Int) {
        rows = (
            Self.load(numbers), Self.load(numbers + rowStride), Self.load(numbers + 2 * rowStride),
            Self.load(numbers + 3 * rowStride)
        )
    }

    @inline(__always) @_noLocks func store(to numbers: UnsafeMutablePointer<Float>, rowStride: Int) {
        Self.store(rows.0, numbers)
        Self.store(rows.1, numbers + rowStride)
        Self.store(rows.2, numbers + 2 * rowStride)
        Self.store(rows.3, numbers + 3 * rowStride)
    }

    @inline(__always) @_noLocks private init(
        _ first: SIMD4<Float>, _ second: SIMD4<Float>, _ third: SIMD4<Float>, _ fourth: SIMD4<Float>
    ) {
        rows = (first, second, third, fourth)
    }

    /// The columns as rows.
    @inline(__always) @_noLocks func transposed() -> Square {
        let first = SIMD8(lowHalf: rows.0, highHalf: rows.1)
        let second = SIMD8(lowHalf: rows.2, highHalf: rows.3)
        let even = SIMD8(lowHalf: first.evenHalf, highHalf: second.evenHalf)
        let odd = SIMD8(lowHalf: first.oddHalf, highHalf: second.oddHalf)
        return Square(even.evenHalf, odd.evenHalf, even.oddHalf, odd.oddHalf)
    }

    @inline(__always) @_noLocks private static func load(_ numbers: UnsafePointer<Float>) -> SIMD4<Float> {
        UnsafeRawPointer(numbers).loadUnaligned(as: SIMD4<Float>.self)
    }

    @inline(__always) @_noLocks private static func store(
        _ row: SIMD4<Float>, _ numbers: UnsafeMutablePointer<Float>
    ) {
        UnsafeMutableRawPointer(numbers).storeBytes(of: row, as: SIMD4<Float>.self)
    }
}

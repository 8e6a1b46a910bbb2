// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The spectra of a head's responses, as the render thread reads them. Render thread; it never changes after init.

import CSpatialKernels
import Realtime

/// Everything that the render thread needs of a head.
struct HeadTable {
    /// A triangle: its corners, the middles of the edges and the triangles beyond them, and the rows of the inverse of its corners.
    ///
    /// An edge has the number of the corner that is opposite to it.
    struct Triangle {
        var corners: SIMD3<Int32>
        var middles: SIMD3<Int32>
        var beyond: SIMD3<Int32>
        var first: SIMD3<Float>
        var second: SIMD3<Float>
        var third: SIMD3<Float>

        /// The shares of the corners in a direction, which sum up to any positive number; one below 0 lies beyond an edge.
        @_noLocks
        func shares(of direction: SIMD3<Float>) -> SIMD3<Float> {
            SIMD3(
                first.x * direction.x + first.y * direction.y + first.z * direction.z,
                second.x * direction.x + second.y * direction.y + second.z * direction.z,
                third.x * direction.x + third.y * direction.y + third.z * direction.z)
        }
    }

    /// The spectra of one distance.
    struct Shell {
        let radius: Float
        let triangles: UnsafeMutablePointer<Triangle>
        let triangleCount: Int
        /// True if the middles of edges count, so that filters are curved between the corners.
        let isCurved: Bool
        /// For each direction the filter of the left ear, then of the right ear; a filter is its parts, a spectrum each.
        let filters: UnsafeMutablePointer<Float>
        /// For each direction the delays of both ears in frames.
        let delays: UnsafeMutablePointer<SIMD2<Float>>
    }

    static var mostShells: Int {
        @_noLocks get { 8 }
    }

    let build: UnsafePointer<CSpatialKernels_Functions>
    let plan: UnsafePointer<CSpatialKernels_Transform>
    let transformSize: Int
    /// The parts of a filter, and the blocks by which each lies behind the one before.
    let partCount: Int
    let partBlockCount: Int
    let shells: UnsafeMutablePointer<Shell>
    let shellCount: Int
    /// A filter for a source in the middle of the head: the same for both ears.
    let middle: UnsafeMutablePointer<Float>
    let middleDelay: Float
    /// A spectrum for each step of a delay.
    let delayRows: UnsafeMutablePointer<Float>
    let delayRowCount: Int
    let delayStepCount: Float

    /// The numbers of the filters of both ears for a direction.
    var stride: Int {
        @_noLocks get { 2 &* partCount &* transformSize }
    }
}

/// A filter between measured directions: for each ear rows of the table, and a delay.
struct HeadBlend {
    /// Six directions at each of two distances, and the middle of the head.
    static var mostRows: Int {
        @_noLocks get { 13 }
    }
    /// The rows that a kernel mixes at once.
    static var rowsOfKernel: Int {
        @_noLocks get { 6 }
    }

    /// The number of rows of each ear.
    private(set) var counts = SIMD2<Int>(0, 0)
    private let rows: UnsafeMutablePointer<UnsafePointer<Float>>
    private let weights: UnsafeMutablePointer<Float>
    /// The delay of each ear in frames.
    var delays = SIMD2<Float>(0, 0)

    /// `[control]` Allocates.
    init() {
        rows = .allocate(capacity: 2 * Self.mostRows)
        weights = .allocate(capacity: 2 * Self.mostRows)
    }

    func deallocate() {
        rows.deallocate()
        weights.deallocate()
    }

    @_noLocks
    mutating func removeAll() { (counts, delays) = (SIMD2(0, 0), SIMD2(0, 0)) }

    /// Adds a row with both ears' filters to the mixture of an ear.
    @_noLocks
    mutating func append(_ row: UnsafePointer<Float>, _ weight: Float, ear: Int) {
        guard weight != 0, counts[ear] < Self.mostRows else { return }
        let place = ear &* Self.mostRows &+ counts[ear]
        (rows[place], weights[place]) = (row, weight)
        counts[ear] &+= 1
    }

    /// A row of an ear: the first one again where there is none, with a weight of 0.
    @_noLocks
    func row(_ index: Int, ear: Int) -> UnsafePointer<Float> { rows[ear &* Self.mostRows &+ (index < counts[ear] ? index : 0)] }

    /// The weight of a row of an ear, and 0 where there is none.
    @_noLocks
    func weight(_ index: Int, ear: Int) -> Float { index < counts[ear] ? weights[ear &* Self.mostRows &+ index] : 0 }
}

extension CSpatialKernels_Mixture {
    /// Takes one row at its own level.
    @_noLocks
    mutating func mixNothingBut(_ row: UnsafePointer<Float>?) {
        rows = (row, row, row, row, row, row)
        (weights, rowCount) = ((1, 0, 0, 0, 0, 0), 1)
    }

    /// Takes up to six rows of an ear, from a number of each row on.
    @_noLocks
    mutating func mix(_ blend: HeadBlend, ear: Int, from offset: Int) {
        rows = (
            blend.row(0, ear: ear) + offset, blend.row(1, ear: ear) + offset, blend.row(2, ear: ear) + offset,
            blend.row(3, ear: ear) + offset, blend.row(4, ear: ear) + offset, blend.row(5, ear: ear) + offset
        )
        weights = (
            blend.weight(0, ear: ear), blend.weight(1, ear: ear), blend.weight(2, ear: ear), blend.weight(3, ear: ear),
            blend.weight(4, ear: ear), blend.weight(5, ear: ear)
        )
        rowCount = blend.counts[ear]
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Transforms aligned responses into the table that the render thread reads. Control thread.

import CSpatialKernels

/// Makes the table of a head, distance by distance.
struct HeadTableMaker {
    private let format: HeadFormat
    private let transform: SpectralTransform
    private var distances: [(responses: AlignedResponses, radius: Double)] = []
    /// All memory of the table, which its owner frees.
    private(set) var memories: [UnsafeMutableRawPointer] = []

    init(_ format: HeadFormat, _ transform: SpectralTransform) {
        (self.format, self.transform) = (format, transform)
    }

    mutating func add(_ responses: AlignedResponses, radius: Double) {
        distances.append((responses, radius))
    }

    mutating func makeTable() -> UnsafeMutablePointer<HeadTable> {
        // All distances have the samples of one set, so they have as many parts.
        let partCount = distances.map(\.responses.partCount).max() ?? 1
        let shells = memory(of: HeadTable.Shell.self, distances.count)
        for (index, distance) in distances.enumerated() {
            (shells + index).initialize(to: makeShell(distance, partCount))
        }
        let rows = makeDelayRows()
        let table = UnsafeMutablePointer<HeadTable>.allocate(capacity: 1)
        table.initialize(
            to: HeadTable(
                build: transform.build.functions, plan: UnsafePointer(transform.plan),
                transformSize: format.transformSize,
                partCount: partCount, partBlockCount: format.partBlockCount, shells: shells,
                shellCount: distances.count,
                middle: makeMiddle(partCount), middleDelay: Float(middleDelay), delayRows: rows.memory,
                delayRowCount: rows.count,
                delayStepCount: Float(format.delayStepCount)))
        return table
    }

    private mutating func memory<Element>(of type: Element.Type, _ count: Int)
        -> UnsafeMutablePointer<Element>
    {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: max(1, count) * MemoryLayout<Element>.stride, alignment: 64)
        memories.append(memory)
        return memory.bindMemory(to: type, capacity: max(1, count))
    }

    private mutating func makeShell(
        _ distance: (responses: AlignedResponses, radius: Double), _ partCount: Int
    ) -> HeadTable.Shell {
        let (responses, size) = (distance.responses, format.transformSize)
        let count = responses.mesh.directions.count
        let filters = memory(of: Float.self, count * 2 * partCount * size)
        let delays = memory(of: SIMD2<Float>.self, count)
        for index in 0..<count {
            for ear in 0..<2 {
                let filter = filters + (2 * index + ear) * partCount * size
                for (place, value) in responses.filter(index, ear: ear).enumerated() {
                    (filter + place).initialize(to: value)
                }
            }
            (delays + index).initialize(
                to: SIMD2(Float(responses.delays[2 * index]), Float(responses.delays[2 * index + 1])))
        }
        let triangles = makeTriangles(responses.mesh)
        return HeadTable.Shell(
            radius: Float(distance.radius), triangles: triangles,
            triangleCount: responses.mesh.elements.count, isCurved: responses.mesh.isCurved, filters: filters,
            delays: delays)
    }

    private mutating func makeTriangles(_ mesh: SphereMesh) -> UnsafeMutablePointer<
        HeadTable.Triangle
    > {
        let elements = mesh.elements
        let triangles = memory(of: HeadTable.Triangle.self, elements.count)
        var owners: [SIMD2<Int>: Int] = [:]
        for (index, (corners, _)) in elements.enumerated() {
            for edge in 0..<3 { owners[SIMD2(corners[edge], corners[(edge + 1) % 3])] = index }
        }
        for (index, (corners, middles)) in elements.enumerated() {
            let (a, b, c) = (
                mesh.directions[corners.x], mesh.directions[corners.y], mesh.directions[corners.z]
            )
            let volume = a.dot(b.cross(c))
            func row(_ normal: SpacePoint) -> SIMD3<Float> { SIMD3<Float>(normal / volume) }
            // Across the edge that is opposite to a corner, the other triangle has the same edge the other way round.
            func beyond(_ from: Int, _ to: Int) -> Int32 { Int32(owners[SIMD2(to, from)] ?? index) }
            (triangles + index).initialize(
                to: HeadTable.Triangle(
                    corners: SIMD3<Int32>(truncatingIfNeeded: corners),
                    middles: SIMD3<Int32>(truncatingIfNeeded: middles),
                    beyond: SIMD3(
                        beyond(corners.y, corners.z), beyond(corners.z, corners.x), beyond(corners.x, corners.y)
                    ),
                    first: row(b.cross(c)), second: row(c.cross(a)), third: row(a.cross(b))))
        }
        return triangles
    }

    /// The mean delay of the farthest distance, in whole frames: the filter there has no colour.
    private var middleDelay: Double {
        let delays = distances.last?.responses.delays ?? []
        return delays.isEmpty ? 0 : (delays.reduce(0, +) / Double(delays.count)).rounded()
    }

    /// A filter without colour, which gives both ears together the power of the source.
    private mutating func makeMiddle(_ partCount: Int) -> UnsafeMutablePointer<Float> {
        let size = format.transformSize
        let filter = memory(of: Float.self, 2 * partCount * size)
        let onset = distances.last?.responses.onsetFrame ?? 0
        let impulse = [Float](repeating: 0, count: onset) + [Float(0.5).squareRoot()]
        for ear in 0..<2 {
            for part in 0..<partCount {
                let piece = Array(
                    impulse.dropFirst(part * format.partFrameCount).prefix(format.partFrameCount))
                for (place, value) in transform.spectrum(of: piece).enumerated() {
                    (filter + (ear * partCount + part) * size + place).initialize(to: value)
                }
            }
        }
        return filter
    }

    private mutating func makeDelayRows() -> (memory: UnsafeMutablePointer<Float>, count: Int) {
        let (size, steps) = (format.transformSize, format.delayStepCount)
        // One row more, because each delay lies between two rows.
        let count = format.longestDelay * steps + 2
        let rows = memory(of: Float.self, count * size)
        for row in 0..<count {
            let impulse = [Float](repeating: 0, count: row / steps) + [1]
            let spectrum = transform.spectrum(
                of: impulse, advancedBy: -Double(row % steps) / Double(steps))
            for (index, value) in spectrum.enumerated() {
                (rows + row * size + index).initialize(to: value)
            }
        }
        return (rows, count)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Bodies that a line makes as it turns around the vertical axis: spheres, cylinders, cones and capsules. Any thread.

import Glibc
import simd

extension MeshShape {
    /// A point of a line: its distance from the axis, its height, and where the surface looks to.
    struct LinePoint {
        let radius: Float
        let height: Float
        let normal: simd_float2

        init(_ radius: Float, _ height: Float, _ normal: simd_float2) {
            (self.radius, self.height, self.normal) = (radius, height, normal)
        }
    }

    /// Adds the surface that a line makes as it turns; it leads upwards on the outside, and is stretched by `size`.
    mutating func addTurned(_ line: [LinePoint], _ segments: Int, _ size: simd_float3) {
        addGrid(columns: segments, rows: line.count - 1) { column, row in
            // The last column lies where the first one does, to the bit.
            let angle = 2 * Float.pi * Float(column % segments) / Float(segments)
            let (point, side) = (line[row], simd_float3(cos(angle), 0, sin(angle)))
            let normal = side * point.normal.x + simd_float3(0, point.normal.y, 0)
            return Vertex(
                point: (side * point.radius + simd_float3(0, point.height, 0)) * size, normal: MeshShape.unit(normal / size),
                texture: simd_float2(Float(column) / Float(segments), Float(row) / Float(max(1, line.count - 1))))
        }
    }

    /// An arc of a circle of radius 1 between two quarters: −1 is the lower pole, 0 the equator, 1 the upper pole.
    static func arc(from start: Int, to end: Int, _ segments: Int, raised: Float = 0) -> [LinePoint] {
        (0...segments).map { step in
            let quarter = Float(start) + Float(end - start) * Float(step) / Float(segments)
            // Exact at the poles and at the equator.
            let isPole = abs(quarter) == 1
            let (x, y) = isPole ? (0, quarter) : (cos(quarter * .pi / 2), sin(quarter * .pi / 2))
            return LinePoint(x, y + raised, simd_float2(x, y))
        }
    }

    /// A straight line, which looks to one side.
    static func straight(from start: simd_float2, to end: simd_float2, _ segments: Int, _ normal: simd_float2) -> [LinePoint] {
        (0...segments).map { step in
            let t = Float(step) / Float(segments)
            let point = step == segments ? end : start + (end - start) * t
            return LinePoint(point.x, point.y, normal)
        }
    }

    /// An ellipsoid, or its upper half with or without a floor.
    static func ellipsoid(_ radii: simd_float3, _ segments: SIMD2<Int>, isHalf: Bool = false, hasFloor: Bool = false) -> MeshShape {
        var shape = MeshShape()
        if hasFloor { shape.addDisc(at: 0, isTop: false, segments.x, radii) }
        shape.addTurned(arc(from: isHalf ? 0 : -1, to: 1, segments.y), segments.x, radii)
        return shape
    }

    /// A cylinder around the origin.
    static func cylinder(_ extent: simd_float3, _ segments: SIMD2<Int>, hasTop: Bool, hasFloor: Bool) -> MeshShape {
        var shape = MeshShape()
        let size = extent * simd_float3(0.5, 1, 0.5)
        if hasFloor { shape.addDisc(at: -0.5, isTop: false, segments.x, size) }
        shape.addTurned(
            straight(from: simd_float2(1, -0.5), to: simd_float2(1, 0.5), segments.y, simd_float2(1, 0)), segments.x, size)
        if hasTop { shape.addDisc(at: 0.5, isTop: true, segments.x, size) }
        return shape
    }

    /// A cone around the origin, with its point at the top.
    static func cone(_ extent: simd_float3, _ segments: SIMD2<Int>, hasFloor: Bool) -> MeshShape {
        var shape = MeshShape()
        let size = extent * simd_float3(0.5, 1, 0.5)
        if hasFloor { shape.addDisc(at: -0.5, isTop: false, segments.x, size) }
        shape.addTurned(
            straight(from: simd_float2(1, -0.5), to: simd_float2(0, 0.5), segments.y, simd_float2(1, 1)), segments.x, size)
        return shape
    }

    /// A capsule around the origin: half an ellipsoid at each end, as high as it is wide in the mean, and a cylinder between.
    static func capsule(_ extent: simd_float3, _ segments: SIMD2<Int>, ends: Int) -> MeshShape {
        var shape = MeshShape()
        let end = min(extent.y / 2, (extent.x + extent.z) / 4)
        let size = simd_float3(extent.x / 2, end, extent.z / 2)
        let straightHalf = end > 0 ? max(0, extent.y / 2 / end - 1) : 0
        shape.addTurned(arc(from: -1, to: 0, ends, raised: -straightHalf), segments.x, size)
        let (low, high) = (simd_float2(1, -straightHalf), simd_float2(1, straightHalf))
        if straightHalf > 0 { shape.addTurned(straight(from: low, to: high, segments.y, simd_float2(1, 0)), segments.x, size) }
        shape.addTurned(arc(from: 0, to: 1, ends, raised: straightHalf), segments.x, size)
        return shape
    }

    private mutating func addDisc(at height: Float, isTop: Bool, _ segments: Int, _ size: simd_float3) {
        let (middle, edge, normal) = (simd_float2(0, height), simd_float2(1, height), simd_float2(0, isTop ? 1 : -1))
        addTurned(Self.straight(from: isTop ? edge : middle, to: isTop ? middle : edge, 1, normal), segments, size)
    }
}

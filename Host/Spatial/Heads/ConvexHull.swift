// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The convex hull of directions: the triangles of a sphere. Control thread.

/// The convex hull of points near a unit sphere, as triangles.
///
/// The method is quickhull, by C. B. Barber, D. P. Dobkin and H. Huhdanpaa, "The Quickhull Algorithm for Convex Hulls" (1996). Four points
/// of a regular grid lie in one plane, where rounding would choose the diagonal. So each point is first moved outwards by a tiny length
/// that follows from its index.
struct ConvexHull {
    /// A triangle, anticlockwise as seen from outside.
    private struct Face {
        var corners: SIMD3<Int>
        /// The face beyond each edge; edge i leads from corner i to the next.
        var neighbours = SIMD3<Int>(repeating: -1)
        var normal = SpacePoint(0, 0, 0)
        var offset = 0.0
        /// The points outside of this face that no other face has taken.
        var outside: [Int] = []
        var isAlive = true
    }

    private let points: [SpacePoint]
    private var faces: [Face] = []

    /// The corners of each triangle, anticlockwise as seen from outside.
    var triangles: [SIMD3<Int>] { faces.lazy.filter(\.isAlive).map(\.corners) }

    /// The triangles around points; nil if all lie in one plane.
    init?(_ directions: [SpacePoint]) {
        let shift = Self.shift(ofPointCount: directions.count)
        points = directions.enumerated().map { $1 * (1 + shift * Self.share($0)) }
        guard let first = firstCorners() else { return nil }
        makeTetrahedron(first)
        var waiting = Array(faces.indices)
        while let face = waiting.popLast() {
            while faces[face].isAlive, let point = faces[face].outside.last {
                waiting += grow(towards: point, from: face)
            }
        }
    }

    /// The greatest length by which a point is moved: far less than the height of a point over the plane of its neighbours.
    static func shift(ofPointCount count: Int) -> Double {
        0.0005 * 4 * .pi / Double(max(500, count))
    }

    /// A share from 0 to 1 that looks random, and is the same for an index each time.
    private static func share(_ index: Int) -> Double {
        let mixed = (UInt64(index) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        return Double((mixed ^ mixed >> 29) >> 11) / Double(1 << 53)
    }

    private func height(_ point: Int, over face: Face) -> Double {
        face.normal.dot(points[point]) - face.offset
    }

    private func makeFace(_ corners: SIMD3<Int>) -> Face {
        var face = Face(corners: corners)
        let (a, b, c) = (points[corners.x], points[corners.y], points[corners.z])
        face.normal = (b - a).cross(c - a)
        let length = face.normal.dot(face.normal).squareRoot()
        if length > 0 { face.normal /= length }
        face.offset = face.normal.dot(a)
        return face
    }

    /// The edge of a face between two corners; nil if it has none in this order.
    private func edge(of face: Face, from: Int, to: Int) -> Int? {
        (0..<3).first { face.corners[$0] == from && face.corners[($0 + 1) % 3] == to }
    }

    /// Four points that are far apart and in no plane.
    private func firstCorners() -> [Int]? {
        guard points.count >= 4 else { return nil }
        func farthest(_ distance: (SpacePoint) -> Double) -> Int? {
            let best = points.indices.max { distance(points[$0]) < distance(points[$1]) }
            return best.flatMap { distance(points[$0]) > 1e-6 ? $0 : nil }
        }
        let a = 0
        guard let b = farthest({ ($0 - points[a]).dot($0 - points[a]) }) else { return nil }
        let line = points[b] - points[a]
        guard let c = farthest({ line.cross($0 - points[a]).dot(line.cross($0 - points[a])) }) else {
            return nil
        }
        let normal = line.cross(points[c] - points[a])
        guard let d = farthest({ abs(normal.dot($0 - points[a])) }) else { return nil }
        return normal.dot(points[d] - points[a]) < 0 ? [a, b, c, d] : [a, c, b, d]
    }

    private mutating func makeTetrahedron(_ c: [Int]) {
        // The fourth corner lies below the first face.
        for corners in [
            SIMD3(c[0], c[1], c[2]), SIMD3(c[0], c[3], c[1]), SIMD3(c[1], c[3], c[2]),
            SIMD3(c[2], c[3], c[0]),
        ] {
            faces.append(makeFace(corners))
        }
        for index in 0..<4 {
            for side in 0..<3 {
                let (from, to) = (faces[index].corners[side], faces[index].corners[(side + 1) % 3])
                let other = (0..<4).first { $0 != index && edge(of: faces[$0], from: to, to: from) != nil }
                faces[index].neighbours[side] = other ?? -1
            }
        }
        distribute(points.indices.filter { !c.contains($0) }, among: Array(0..<4))
    }

    private mutating func distribute(_ rest: [Int], among candidates: [Int]) {
        for point in rest {
            if let face = candidates.first(where: { height(point, over: faces[$0]) > 1e-12 }) {
                faces[face].outside.append(point)
            }
        }
    }

    /// An edge of the hole that remains when all faces are removed that a point sees.
    private struct Edge {
        let from: Int
        let to: Int
        let beyond: Int
    }

    /// Replaces all faces that a point sees by faces to the point, and returns these.
    private mutating func grow(towards point: Int, from start: Int) -> [Int] {
        var (seen, stack, horizon, orphans) = ([start], [start], [Edge](), [Int]())
        faces[start].isAlive = false
        while let index = stack.popLast() {
            for edge in 0..<3 {
                let beyond = faces[index].neighbours[edge]
                guard beyond >= 0 else { continue }
                if faces[beyond].isAlive, height(point, over: faces[beyond]) > 1e-12 {
                    faces[beyond].isAlive = false
                    seen.append(beyond)
                    stack.append(beyond)
                }
            }
        }
        for index in seen {
            for edge in 0..<3
            where faces[index].neighbours[edge] >= 0 && faces[faces[index].neighbours[edge]].isAlive {
                let corners = faces[index].corners
                horizon.append(
                    Edge(
                        from: corners[edge], to: corners[(edge + 1) % 3], beyond: faces[index].neighbours[edge])
                )
            }
            orphans += faces[index].outside.filter { $0 != point }
            faces[index].outside = []
        }
        let new = join(horizon, to: point)
        distribute(orphans, among: new)
        return new
    }

    private mutating func join(_ horizon: [Edge], to point: Int) -> [Int] {
        let first = faces.count
        var (starts, ends): ([Int: Int], [Int: Int]) = ([:], [:])
        for (offset, edge) in horizon.enumerated() {
            var face = makeFace(SIMD3(edge.from, edge.to, point))
            face.neighbours[0] = edge.beyond
            faces.append(face)
            (starts[edge.from], ends[edge.to]) = (first + offset, first + offset)
            if let side = self.edge(of: faces[edge.beyond], from: edge.to, to: edge.from) {
                faces[edge.beyond].neighbours[side] = first + offset
            }
        }
        for (offset, edge) in horizon.enumerated() {
            faces[first + offset].neighbours[1] = starts[edge.to] ?? -1
            faces[first + offset].neighbours[2] = ends[edge.from] ?? -1
        }
        return Array(first..<faces.count)
    }
}

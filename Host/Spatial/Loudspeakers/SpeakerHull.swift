// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the faces of the convex hull of directions. Control thread.

import Glibc

/// The faces of a convex hull around the origin, each with the indices of all points that lie on it.
///
/// It looks at each three points, which takes a millisecond for the 30 of the largest layout.
struct SpeakerHull {
    /// The points of each face, in ascending order.
    let faces: [[Int]]

    private static let tolerance = 1e-5

    /// The hull of points; nil if it does not surround the origin.
    init?(_ points: [SpacePoint]) {
        var found = Set<[Int]>()
        for first in points.indices {
            for second in points.indices where second > first {
                for third in points.indices where third > second {
                    if let face = Self.face(points, first, second, third) { found.insert(face) }
                }
            }
        }
        faces = found.sorted { $0.lexicographicallyPrecedes($1) }
        guard faces.count >= 4, faces.allSatisfy({ Self.isOutside(points, $0) }) else { return nil }
    }

    /// All points in the plane of three, if all others lie on one side of it.
    private static func face(_ points: [SpacePoint], _ first: Int, _ second: Int, _ third: Int) -> [Int]? {
        let normal = (points[second] - points[first]).cross(points[third] - points[first])
        let length = normal.dot(normal).squareRoot()
        guard length > tolerance else { return nil }
        let heights = points.map { ($0 - points[first]).dot(normal) / length }
        guard heights.allSatisfy({ $0 < tolerance }) || heights.allSatisfy({ $0 > -tolerance }) else { return nil }
        return points.indices.filter { abs(heights[$0]) <= tolerance }
    }

    /// True if the origin does not lie in the plane of a face.
    private static func isOutside(_ points: [SpacePoint], _ face: [Int]) -> Bool {
        let normal = (points[face[1]] - points[face[0]]).cross(points[face[2]] - points[face[0]])
        return abs(normal.dot(points[face[0]])) > tolerance
    }

    /// The points in the order in which they surround a direction.
    static func around(_ centre: SpacePoint, _ points: [SpacePoint], _ indices: [Int]) -> [Int] {
        let first = points[indices[0]] - centre * (points[indices[0]].dot(centre) / centre.dot(centre))
        let second = centre.cross(first) / centre.dot(centre).squareRoot()
        let angles = indices.map { (index: $0, angle: atan2(points[$0].dot(second), points[$0].dot(first))) }
        return angles.sorted { $0.angle < $1.angle }.map(\.index)
    }
}

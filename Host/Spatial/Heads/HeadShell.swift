// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The measurements of a set that have the same distance from the head. Control thread.

import Glibc

/// The measurements of one distance, a direction each.
struct HeadShell {
    let measurements: HeadMeasurements
    /// The distance in metres.
    let radius: Double
    /// The indices of the measurements.
    let members: [Int]
    /// Their directions.
    let directions: [SpacePoint]

    /// Distances that differ by less than this factor are one.
    private static let radiusTolerance = 1.02
    /// The most distances of a set.
    static let mostShells = 8
    /// A pole without a measurement within this cosine is closed: 3 degrees.
    private static let nearCosine = cos(3 * Double.pi / 180)

    /// The distances of a set, the nearest first.
    static func shells(of set: HeadMeasurements) throws(HeadSetError) -> [HeadShell] {
        let distances = set.positions.map { $0.dot($0).squareRoot() }
        var groups: [[Int]] = []
        for index in set.positions.indices.sorted(by: { (distances[$0], $0) < (distances[$1], $1) }) {
            if let last = groups.last?.last, distances[index] < distances[last] * radiusTolerance {
                groups[groups.count - 1].append(index)
            } else {
                groups.append([index])
            }
        }
        guard groups.count <= mostShells else {
            throw HeadSetError(set.name, "it was measured at \(groups.count) distances, and not at \(mostShells) at most")
        }
        return groups.map { HeadShell(set, $0.sorted(), distances) }
    }

    private init(_ set: HeadMeasurements, _ group: [Int], _ distances: [Double]) {
        measurements = set
        radius = group.reduce(0) { $0 + distances[$1] } / Double(group.count)
        (members, directions) = Self.distinct(group, group.map { set.positions[$0] / distances[$0] })
    }

    /// The first measurement of each direction: a pole is often measured once for each azimuth.
    private static func distinct(_ group: [Int], _ directions: [SpacePoint]) -> ([Int], [SpacePoint]) {
        let gap = max(2e-4, 3 * (2 * ConvexHull.shift(ofPointCount: group.count)).squareRoot())
        func cell(_ direction: SpacePoint) -> SIMD3<Int> {
            let place = (direction / gap).rounded(.down)
            return SIMD3(Int(place.x), Int(place.y), Int(place.z))
        }
        let around = (0..<27).map { SIMD3($0 % 3 - 1, $0 / 3 % 3 - 1, $0 / 9 - 1) }
        var (cells, members, kept): ([SIMD3<Int>: [Int]], [Int], [SpacePoint]) = ([:], [], [])
        for (index, direction) in zip(group, directions) {
            let centre = cell(direction)
            let isKnown = around.contains { offset in
                (cells[centre &+ offset] ?? []).contains { (kept[$0] - direction).dot(kept[$0] - direction) < gap * gap }
            }
            guard !isKnown else { continue }
            cells[centre, default: []].append(kept.count)
            members.append(index)
            kept.append(direction)
        }
        return (members, kept)
    }

    /// The measured directions, then the poles that were not measured.
    var closedDirections: [SpacePoint] {
        let poles = [SpacePoint(0, 1, 0), SpacePoint(0, -1, 0)]
        return directions + poles.filter { pole in !directions.contains { $0.dot(pole) > Self.nearCosine } }
    }

    /// The factor for a level.
    ///
    /// It follows from the measured samples, so that it is the same at each sample rate.
    func gain(_ level: HeadLevel) -> Double {
        switch level {
        case .measured: return 1
        case .front:
            let front = directions.indices.max { directions[$0].z > directions[$1].z }
            return front.map { 1 / measurements.energy(of: members[$0]).squareRoot() } ?? 1
        case .diffuse:
            // A pole that was not measured counts as its neighbours do: its area is left out.
            let areas = SphereMesh(closedDirections)?.areas ?? []
            var (power, area) = (0.0, 0.0)
            for (member, share) in zip(members, areas) {
                power += share * measurements.energy(of: member)
                area += share
            }
            return power > 0 ? (area / power).squareRoot() : 1
        }
    }
}

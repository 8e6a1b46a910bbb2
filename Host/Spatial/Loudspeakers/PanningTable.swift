// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Divides the sphere of directions into regions between loudspeakers. Control thread.

/// A loudspeaker of the hull: a real one, or one above or below the middle layer, whose signal a real one plays.
struct HullSpeaker {
    let direction: SpacePoint
    /// The channel that plays it.
    let channel: Int
}

/// The regions of a layout: triangles, quadrangles, and triangles around a point that several loudspeakers play.
///
/// Source: ITU-R BS.2127, 6.1.
struct PanningTable {
    private(set) var regions: [PanningRegion] = []

    /// The regions; nil if the loudspeakers do not surround the listener.
    init?(_ places: [SpeakerPlace]) {
        let speakers = Self.speakers(places)
        guard speakers.count >= 3 else { return nil }
        // A loudspeaker well above the others takes the place of the highest point.
        let poles = [SpacePoint(0, -1, 0), SpacePoint(0, 1, 0)].filter { pole in
            !speakers.contains { $0.direction.dot(pole) > 0.643 }
        }
        let points = speakers.map(\.direction) + poles
        guard let hull = SpeakerHull(points) else { return nil }
        for face in hull.faces where face.allSatisfy({ $0 < speakers.count }) { add(face, speakers, points) }
        for index in speakers.count..<points.count { addPole(index, hull, speakers, points) }
    }

    private mutating func add(_ face: [Int], _ speakers: [HullSpeaker], _ points: [SpacePoint]) {
        let centre = face.reduce(SpacePoint()) { $0 + points[$1] } / Double(face.count)
        let order = SpeakerHull.around(centre, points, face)
        if order.count == 4 {
            regions.append(PanningRegion(quadrangle: order.map { speakers[$0] }))
        } else {
            // A face of more corners is cut into triangles at its first one.
            for index in 1..<order.count - 1 {
                let corners = [order[0], order[index], order[index + 1]]
                if let region = PanningRegion(triangle: corners.map { speakers[$0] }) { regions.append(region) }
            }
        }
    }

    /// Adds the triangles around the highest or the lowest point, where no loudspeaker is.
    private mutating func addPole(_ pole: Int, _ hull: SpeakerHull, _ speakers: [HullSpeaker], _ points: [SpacePoint]) {
        let neighbours = Set(hull.faces.filter { $0.contains(pole) }.joined()).filter { $0 < speakers.count }.sorted()
        guard neighbours.count >= 3 else { return }
        let order = SpeakerHull.around(points[pole], points, neighbours)
        let channels = order.map { speakers[$0].channel }
        for (index, first) in order.enumerated() {
            let second = order[(index + 1) % order.count]
            let region = PanningRegion(
                triangle: [speakers[first], speakers[second]], pole: points[pole], playedBy: channels)
            if let region { regions.append(region) }
        }
    }

    /// The loudspeakers, and those that are added above and below the middle layer where the layer there is missing.
    private static func speakers(_ places: [SpeakerPlace]) -> [HullSpeaker] {
        let real = places.indices.filter { !places[$0].isLowFrequency }
        var speakers = real.map { HullSpeaker(direction: places[$0].direction, channel: $0) }
        for side in [-1.0, 1] {
            let layer = real.filter { (10...70).contains(places[$0].elevation * side) }
            let height = layer.isEmpty ? 30 : layer.reduce(0) { $0 + places[$1].elevation * side } / Double(layer.count)
            let limit = layer.map { abs(places[$0].azimuth) }.max().map { $0 + 40 } ?? 0
            for index in real where abs(places[index].elevation) <= 10 && abs(places[index].azimuth) >= limit {
                let place = SpeakerPlace(azimuth: places[index].azimuth, elevation: height * side)
                speakers.append(HullSpeaker(direction: place.direction, channel: index))
            }
        }
        return speakers
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The time for which an environment sounds on behind its sources: its room, and the sound under way. Any thread but the render thread.

import Spatial

extension AudioEnvironmentNode {
    /// The frames from the end of the sources to the end of their sound, at this rate; `Int.max` for a room without an end.
    package func tailFrameCount(sampleRate: Double) -> Int {
        let room = reverbParameters.tailFrameCount
        let way = Int(nearestFrame: (space.travelSeconds * sampleRate).rounded(.up))
        let (sum, overflows) = room.addingReportingOverflow(way)
        return overflows ? .max : sum
    }
}

extension EnvironmentSpace {
    /// The longest time of a sound under way that is kept, in seconds.
    private static let longestTravel = 1.0

    /// The seconds for which the farthest sound is on its way; 0 while sounds arrive at once.
    var travelSeconds: Double {
        let (values, placements) = self.placements
        guard values.propagation.hasDoppler else { return 0 }
        let ears = Self.reach(of: values.listenerPath, or: values.listenerPosition)
        let farthest = placements.map { Self.reach(of: $0.path, or: $0.position) + ears }.max() ?? 0
        return min(Self.longestTravel, farthest / values.propagation.air.speedOfSound)
    }

    /// The largest distance from the origin; a spline passes its places by less than half of the way between them.
    private static func reach(of path: AudioPath?, or position: Audio3DPoint) -> Double {
        let places = path?.points.map(\.position) ?? [position]
        let distances = places.map { place in
            let point = SpacePoint(place)
            return (point * point).sum().squareRoot()
        }
        return (distances.max() ?? 0) * (path?.shape == .spline ? 2 : 1)
    }
}

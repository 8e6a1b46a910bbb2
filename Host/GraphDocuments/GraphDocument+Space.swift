// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The space around a listener in a graph's document: ways, walls, air, and the head that hears. Any thread.

import AudioGraph

extension GraphDocument {
    /// The way in which environments make a node heard.
    public struct Placement: Hashable, Sendable {
        /// The algorithm; nil: equal power.
        public var algorithm: AudioRenderingAlgorithm?
        /// The treatment of its channels; nil: their mean is heard from its place, and without a place they go through as they are.
        public var mode: AudioSourceMode?
        /// The sound inside the listener's head; nil: one point.
        public var inHeadMode: AudioPointSourceInHeadMode?
        /// The obstruction of the direct path in decibels, from −100 to 0; nil: 0.
        public var obstruction: Double?
        /// The occlusion of all paths in decibels, from −100 to 0; nil: 0.
        public var occlusion: Double?
        /// The share that the rooms of environments hear, from 0 to 1; nil: 0.
        public var reverbBlend: Double?
        /// The way that it goes, in place of a position.
        public var path: Path?

        /// A node that is heard as its position says.
        public init() {}
    }

    /// A way through space.
    public struct Path: Hashable, Sendable {
        /// The places in the order of their times.
        public var points: [Point]
        /// The shape between them.
        public var shape = AudioPath.Shape.lines
        /// The number of times in a row that it is gone; each time begins where the one before has ended.
        public var repeats = 1

        /// A way in straight lines.
        public init(_ points: [Point]) { self.points = points }
    }

    /// A place at a time.
    public struct Point: Hashable, Sendable {
        /// The seconds from the start.
        public var time: Double
        /// The place in metres.
        public var position: Place

        /// A place at a time.
        public init(time: Double, position: Place) { (self.time, self.position) = (time, position) }
    }

    /// The turns of a listener's head.
    public struct HeadPoses: Hashable, Sendable {
        /// The text file with a row for each pose; a relative path begins in the document's folder.
        public var path: String
        /// The turns between the poses.
        public var shape = AudioPath.Shape.lines

        /// Even turns from pose to pose.
        public init(path: String) { self.path = path }
    }

    /// The loss of level with the distance.
    public struct Distance: Hashable, Sendable {
        /// The law.
        public var model = AudioDistanceAttenuationModel.inverse
        /// The distance in metres up to which there is no loss.
        public var reference = 1.0
        /// The distance in metres beyond which the loss stays the same.
        public var maximum = 100_000.0
        /// The speed of the loss.
        public var rolloff = 1.0

        /// The level falls to a half with each doubling of the distance, from one metre on.
        public init() {}
    }

    /// Air that takes treble.
    public struct Air: Hashable, Sendable {
        /// The temperature in degrees Celsius.
        public var temperature = 20.0
        /// The relative humidity in per cent.
        public var humidity = 50.0

        /// Air at 20 °C and 50 % humidity.
        public init() {}
    }

    /// The most places of a way, repeats included.
    public static let maximumPointCount = 100_000
}

extension GraphDocument.Node {
    /// True if environments hear it from a place.
    var hasPlace: Bool { position != nil || placement.path != nil }
}

extension GraphDocument.Path {
    /// The places of all repeats.
    var allPoints: [GraphDocument.Point] {
        guard let first = points.first, let last = points.last, repeats > 1 else { return points }
        let length = last.time - first.time
        return points
            + (1..<repeats).flatMap { round in
                points.dropFirst().map { GraphDocument.Point(time: $0.time + Double(round) * length, position: $0.position) }
            }
    }

    /// The way by frames of the engine's sample time, from a frame on; nil for one with defects.
    func path(from frame: Int64, sampleRate: Double) -> AudioPath? {
        let points = allPoints.map { point in
            AudioPath.Point(
                sampleTime: frame + Int64(Int(nearestFrame: point.time * sampleRate)), position: Audio3DPoint(point.position))
        }
        return AudioPath(points, shape: shape)
    }
}

extension Audio3DPoint {
    /// A place of a document.
    init(_ place: GraphDocument.Place) { self.init(x: Float(place.x), y: Float(place.y), z: Float(place.z)) }
}

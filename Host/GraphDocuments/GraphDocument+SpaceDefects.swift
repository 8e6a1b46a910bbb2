// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the defects of the space of a graph's document. Any thread.

import AudioGraph

extension GraphDocument {
    /// The defects of a node's placement, as ends of sentences.
    static func defects(of placement: Placement, besidePosition: Bool) -> [String] {
        let levels = [
            defect("obstruction", placement.obstruction, -100...0), defect("occlusion", placement.occlusion, -100...0),
            defect("reverbBlend", placement.reverbBlend, 0...1),
        ].compactMap(\.self)
        guard let path = placement.path else { return levels }
        let both = besidePosition ? ["it has a \"position\" and a \"path\", and can have one of them"] : []
        return levels + both + defects("path", of: path)
    }

    /// The defects of an environment.
    static func defects(of environment: Environment) -> [String] {
        let distance = environment.distance
        let values = [
            defect("outputVolume", environment.outputVolume, volumes), defect("yaw", environment.yaw, degrees),
            defect("pitch", environment.pitch, degrees), defect("roll", environment.roll, degrees),
            defect("distance.reference", distance?.reference, shortestDistance...metres.upperBound),
            defect("distance.maximum", distance?.maximum, shortestDistance...metres.upperBound),
            defect("distance.rolloff", distance?.rolloff, 0...1000),
            defect("air.temperature", environment.air?.temperature, -50...60),
            defect("air.humidity", environment.air?.humidity, 0...100),
            environment.head.flatMap { defect("head", ofPath: $0) },
            environment.headPoses.flatMap { defect("headPoses.path", ofPath: $0.path) },
        ].compactMap(\.self)
        return defects("listener", of: environment.listener) + values
            + (environment.path.map { defects("listenerPath", of: $0) } ?? []) + (environment.reverb.map(defects) ?? [])
    }

    private static func defect(_ key: String, ofPath path: String) -> String? {
        path.isEmpty || path.utf8.contains(0) ? "\"\(key)\" is not a path" : nil
    }

    private static let shortestDistance = 1e-3
    /// The least time between two places of a way, which is longer than a frame at any rate.
    static let leastSeconds = 1e-3

    private static func defects(_ key: String, of path: Path) -> [String] {
        guard !path.points.isEmpty else { return ["\"\(key)\" has no points"] }
        guard (1...maximumPointCount).contains(path.repeats), path.points.count <= maximumPointCount / path.repeats else {
            return ["\"\(key)\" has more than \(maximumPointCount) points, repeats included; make \"repeats\" smaller"]
        }
        if path.repeats > 1, path.points.count < 2 { return ["\"\(key)\" has one point, which cannot be repeated"] }
        let places = path.points.flatMap { defects("\(key).points.position", of: $0.position) }
        let times = path.points.compactMap { defect("\(key).points.at", $0.time, 0...longestSeconds) }
        guard times.isEmpty else { return places + times }
        let isOrdered = zip(path.points, path.points.dropFirst()).allSatisfy { $0.time + leastSeconds <= $1.time }
        return places
            + (isOrdered ? [] : ["each point of \"\(key)\" has to be \(leastSeconds) s later than the one before, at least"])
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A parameter's course in seconds and by key path, as people write it and files keep it. Control thread.

import AudioUnits

/// What an `AutomationLane` is made of, for any sample rate.
public struct AutomationCurve: Codable, Hashable, Sendable {
    public struct Point: Codable, Hashable, Sendable {
        /// Since rendering started.
        public var seconds: Double
        public var value: Double

        public init(seconds: Double, value: Double) {
            self.seconds = seconds
            self.value = value
        }
    }

    /// The times that a point may have.
    public static let permittedSeconds = 0...1e6

    /// The parameter's key path.
    public var parameter: String
    public var points: [Point]

    public init(parameter: String, points: [Point]) {
        self.parameter = parameter
        self.points = points
    }

    /// Throws when the unit has no such parameter, or not such values.
    public func check(against unit: HostedUnit) throws(HostingError) {
        try check(unit.settableParameter(parameter), of: unit)
    }

    private func check(_ settable: Parameter, of unit: HostedUnit) throws(HostingError) {
        for point in points { try unit.checkRange(settable, point.value) }
    }

    /// The course as the unit renders it.
    public func lane(of unit: HostedUnit, sampleRate: Double) throws(HostingError) -> AutomationLane {
        let settable = try unit.settableParameter(parameter)
        try check(settable, of: unit)
        let lanePoints = points.map {
            AutomationLane.Point(sampleTime: Int64(($0.seconds * sampleRate).rounded()), value: $0.value)
        }
        return AutomationLane(address: settable.address, points: lanePoints, ramps: settable.flags.contains(.canRamp))
    }
}

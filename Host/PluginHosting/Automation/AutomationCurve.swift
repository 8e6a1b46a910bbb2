// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The course of a parameter in seconds and by key path, as users write it and documents hold it. Control thread.

import AudioFormats
import AudioUnits

/// The course of a parameter at any sample rate, as users write it; `lane` turns it into frames.
package struct AutomationCurve: Codable, Hashable, Sendable {
    package struct Point: Codable, Hashable, Sendable {
        /// Seconds since rendering started.
        package var seconds: Double
        package var value: Double

        package init(seconds: Double, value: Double) {
            self.seconds = seconds
            self.value = value
        }
    }

    /// The range of a point's time.
    package static let permittedSeconds = 0...1e6

    /// The parameter's key path.
    package var parameter: String
    package var points: [Point]

    package init(parameter: String, points: [Point]) {
        self.parameter = parameter
        self.points = points
    }

    /// Throws if the unit lacks the parameter, or if a value is out of its range.
    package func check(against unit: HostedUnit) throws(HostingError) {
        try check(unit.settableParameter(parameter), of: unit)
    }

    private func check(_ settable: Parameter, of unit: HostedUnit, sampleRate: Double? = nil) throws(HostingError) {
        for point in points { try unit.checkRange(settable, point.value, sampleRate: sampleRate) }
    }

    /// The course in frames, as the unit renders it.
    package func lane(of unit: HostedUnit, sampleRate: Double) throws(HostingError) -> AutomationLane {
        let settable = try unit.settableParameter(parameter)
        try check(settable, of: unit, sampleRate: sampleRate)
        let lanePoints = points.map {
            AutomationLane.Point(sampleTime: Int64(Int(nearestFrame: $0.seconds * sampleRate)), value: $0.value)
        }
        return AutomationLane(address: settable.address, points: lanePoints, ramps: settable.flags.contains(.canRamp))
    }
}

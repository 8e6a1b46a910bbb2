// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The values that a parameter accepts: ranges that follow the sample rate, and open ends. Any thread.

extension Parameter {
    /// The sample rate, in hertz, at which ranges and defaults that follow the rate are described.
    public static let describedSampleRate = 48_000.0

    /// True if the range follows the sample rate; the default may follow it, too.
    public var followsSampleRate: Bool { flags.contains(.rangeFollowsSampleRate) }

    /// The parameter at a sample rate in hertz; unchanged if it does not follow the rate.
    ///
    /// A fixed default outside of the new range becomes the nearest value in it.
    public func at(sampleRate: Double) -> Parameter {
        guard followsSampleRate, sampleRate.isFinite, sampleRate > 0 else { return self }
        let scale = sampleRate / Self.describedSampleRate
        var parameter = self
        parameter.range = scaledRange(scale)
        if flags.contains(.defaultFollowsSampleRate) { parameter.defaultValue = whole(defaultValue * scale) }
        // The drawn range may grow only at an open end.
        let (low, high) = (parameter.range.lowerBound, parameter.range.upperBound)
        if flags.contains(.openBelow), parameter.defaultValue < low { parameter.range = parameter.defaultValue...high }
        if flags.contains(.openAbove), parameter.defaultValue > high { parameter.range = low...parameter.defaultValue }
        parameter.defaultValue = min(max(parameter.defaultValue, parameter.range.lowerBound), parameter.range.upperBound)
        return parameter
    }

    /// The values that the parameter accepts at a sample rate in hertz.
    ///
    /// An open end reaches as far as a 32-bit float. If the rate is not known yet, a bound that follows it is open, too.
    public func accepted(sampleRate: Double? = nil) -> ClosedRange<Double> {
        let farthest = Double(Float.greatestFiniteMagnitude)
        let range = sampleRate.map { at(sampleRate: $0).range } ?? self.range
        let isUnknown = followsSampleRate && sampleRate == nil
        // Zero is zero at every rate.
        let isOpenBelow = flags.contains(.openBelow) || isUnknown && range.lowerBound != 0
        let isOpenAbove = flags.contains(.openAbove) || isUnknown && range.upperBound != 0
        return
            (isOpenBelow ? min(-farthest, range.lowerBound) : range.lowerBound)...(isOpenAbove
            ? max(farthest, range.upperBound) : range.upperBound)
    }

    private func scaledRange(_ scale: Double) -> ClosedRange<Double> {
        let (low, high) = (range.lowerBound * scale, range.upperBound * scale)
        guard low.isFinite, high.isFinite else { return range }
        guard flags.contains(.integer), low.rounded(.up) <= high.rounded(.down) else { return low...high }
        return low.rounded(.up)...high.rounded(.down)
    }

    private func whole(_ value: Double) -> Double { flags.contains(.integer) ? value.rounded() : value }
}

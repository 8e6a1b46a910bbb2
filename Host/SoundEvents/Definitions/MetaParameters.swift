// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The parameters by which a program steers its sound events. Any thread.

/// A number that steers gains, rates and blends; see `SoundEvent.set(_:to:)`.
public struct NumberParameter: Hashable, Sendable {
    /// The name in the tree; one name is one parameter.
    public let id: String
    /// The value at first.
    public let value: Double
    /// The range; other values are clamped.
    public let range: ClosedRange<Double>

    /// Makes a parameter; a first value outside of the range is clamped, and NaN becomes its lower end.
    public init(_ id: String, value: Double, range: ClosedRange<Double> = -Double.infinity...Double.infinity) {
        (self.id, self.range) = (id, range)
        self.value =
            value.isNaN ? max(range.lowerBound, min(0, range.upperBound)) : min(range.upperBound, max(range.lowerBound, value))
    }
}

/// A text by which a switch chooses.
public struct TextParameter: Hashable, Sendable {
    /// The name in the tree; one name is one parameter.
    public let id: String
    /// The value at first.
    public let value: String

    /// Makes a parameter.
    public init(_ id: String, value: String) { (self.id, self.value) = (id, value) }
}

/// A value that follows a number parameter, perhaps by an envelope.
public struct SteeredValue: Hashable, Sendable {
    /// The parameter.
    public let parameter: NumberParameter
    /// The course of the value over the parameter; nil for the parameter itself.
    public let envelope: Envelope?

    /// Follows a parameter.
    public init(_ parameter: NumberParameter, by envelope: Envelope? = nil) {
        (self.parameter, self.envelope) = (parameter, envelope)
    }
}

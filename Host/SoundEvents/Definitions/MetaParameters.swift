// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The parameters by which a program steers its sound events. Any thread.

/// A number that steers gains, rates and blends; see `SoundEvent.set(_:to:over:)` and `SoundEngine.set(_:to:over:)`.
///
/// Each event has a parameter of its own, unless `SoundEngine.addParameter` has added one with the same name: all events share that one.
public struct NumberParameter: Hashable, Sendable {
    /// The origin of the values of a parameter.
    public indirect enum Source: Hashable, Sendable {
        /// The program sets them.
        case program
        /// They follow another parameter, through an envelope.
        case mapped(NumberParameter, Envelope)
    }

    /// The name in the tree; one name is one parameter.
    public let id: String
    /// The value at first.
    public let value: Double
    /// The range; other values are clamped.
    public let range: ClosedRange<Double>
    /// The origin of the values.
    public let source: Source

    /// Makes a parameter; a first value outside of the range is clamped, and NaN becomes its lower end.
    public init(_ id: String, value: Double, range: ClosedRange<Double> = -Double.infinity...Double.infinity) {
        (self.id, self.range, source) = (id, range, .program)
        self.value =
            value.isNaN ? max(range.lowerBound, min(0, range.upperBound)) : min(range.upperBound, max(range.lowerBound, value))
    }

    /// Makes a parameter that follows another one: its values are those of the envelope there.
    public init(_ id: String, following parameter: NumberParameter, by envelope: Envelope) {
        (self.id, source) = (id, .mapped(parameter, envelope))
        (value, range) = (envelope.value(at: parameter.value), envelope.range)
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

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A message for the log, whose values know whether they may be read. Any thread.

/// A message for the log: a text with values in it.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    private let interpolation: OSLogInterpolation

    /// Makes a message from a text without values.
    public init(stringLiteral value: String) {
        interpolation = OSLogInterpolation(literalCapacity: value.utf8.count, interpolationCount: 0, text: value)
    }

    /// Makes a message from a text with values.
    public init(stringInterpolation: OSLogInterpolation) { interpolation = stringInterpolation }

    /// The text, with or without its private values.
    func text(showingPrivate: Bool) -> String {
        interpolation.parts.map { $0.text(showingPrivate: showingPrivate) }.joined()
    }
}

/// The parts of a message while it is put together.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    struct Part {
        let value: String
        let isNumber: Bool
        let alignment: OSLogStringAlignment
        let privacy: OSLogPrivacy

        func text(showingPrivate: Bool) -> String {
            alignment.aligned(privacy.text(of: value, isNumber: isNumber, showingPrivate: showingPrivate))
        }
    }

    private(set) var parts: [Part] = []

    /// Begins a message.
    public init(literalCapacity: Int, interpolationCount: Int) { parts.reserveCapacity(2 * interpolationCount + 1) }

    init(literalCapacity: Int, interpolationCount: Int, text: String) {
        self.init(literalCapacity: literalCapacity, interpolationCount: interpolationCount)
        appendLiteral(text)
    }

    /// Adds a text of the program's own.
    public mutating func appendLiteral(_ literal: String) { append(literal, isNumber: false, .none, .public) }

    private mutating func append(_ value: String, isNumber: Bool, _ align: OSLogStringAlignment, _ privacy: OSLogPrivacy) {
        parts.append(Part(value: value, isNumber: isNumber, alignment: align, privacy: privacy))
    }

    /// Adds a text.
    public mutating func appendInterpolation(
        _ value: String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) { append(value, isNumber: false, align, privacy) }

    /// Adds the description of any other value.
    @_disfavoredOverload
    public mutating func appendInterpolation<Value: CustomStringConvertible>(
        _ value: Value, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) { append(value.description, isNumber: false, align, privacy) }

    /// Adds the description of an error.
    public mutating func appendInterpolation(_ value: any Error, privacy: OSLogPrivacy = .auto) {
        append("\(value)", isNumber: false, .none, privacy)
    }

    /// Adds the name of a type.
    public mutating func appendInterpolation(
        _ value: Any.Type, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) { append("\(value)", isNumber: false, align, privacy) }

    /// Adds an integer.
    public mutating func appendInterpolation<Number: FixedWidthInteger>(
        _ number: Number, format: OSLogIntegerFormatting = .decimal, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) { append(format.text(of: number), isNumber: true, align, privacy) }

    /// Adds a fraction.
    public mutating func appendInterpolation<Number: BinaryFloatingPoint & CustomStringConvertible>(
        _ number: Number, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) { append(format.text(of: Double(number)), isNumber: true, align, privacy) }

    /// Adds a truth value.
    public mutating func appendInterpolation(
        _ value: Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto
    ) {
        let words = format == .truth ? ("true", "false") : ("yes", "no")
        append(value ? words.0 : words.1, isNumber: true, .none, privacy)
    }
}

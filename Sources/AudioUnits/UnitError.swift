// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The ways in which a unit refuses a request, as values. Any thread.

/// The reason why a unit refused a request.
///
/// `description` names the fault and its object. It fits after "Couldn't …: ".
public enum UnitError: Error, Hashable, Sendable {
    /// The call is not allowed in the unit's present state.
    case illegalInState(call: String, state: UnitState)
    /// The call asked for more frames than resources were allocated for.
    case tooManyFrames(asked: Int, maximum: Int)
    /// The unit cannot render with a format; the text says which and why.
    case formatRefused(String)
    /// The unit has no such parameter; the text is its key path, or its address.
    case unknownParameter(String)
    /// The value lies outside the range of the parameter, or is NaN.
    case valueOutOfRange(parameter: String, value: Double, range: ClosedRange<Double>)
    /// The parameter with this key path cannot be set.
    case readOnlyParameter(String)
    /// The unit has no preset of this name or number.
    case unknownPreset(String)
    /// The unit has no text with this identifier.
    case unknownText(String)
    /// The state is damaged, or was saved by another unit or a newer version; the text says which.
    case stateRefused(String)
    /// The parameter tree breaks a rule of `ParameterTree.validate()`; the text says which.
    case malformedTree(String)
    /// The unit failed for another reason, which the text gives.
    case failed(String)
}

extension UnitError: CustomStringConvertible {
    /// The reason as the end of a sentence.
    public var description: String {
        switch self {
        case .illegalInState(let call, let state): "\(call) is not allowed while \(state.phrase)"
        case .tooManyFrames(let asked, let maximum): "\(asked) frames were asked for, and \(maximum) are the most"
        case .formatRefused(let reason): "it refuses \(reason)"
        case .unknownParameter(let path): "it has no parameter \"\(path)\""
        case .valueOutOfRange(let path, let value, let range):
            "\(path) cannot be \(Self.text(value)); \(Self.text(range))"
        case .readOnlyParameter(let path): "\(path) can only be read"
        case .unknownPreset(let name): "it has no preset \"\(name)\""
        case .unknownText(let name): "it has no text \"\(name)\""
        case .stateRefused(let reason): "the state cannot be restored, \(reason)"
        case .malformedTree(let reason): "its parameter tree is malformed: \(reason)"
        case .failed(let reason): reason
        }
    }

    /// The accepted values as text; an end at the limit of a float is open.
    private static func text(_ range: ClosedRange<Double>) -> String {
        let farthest = Double(Float.greatestFiniteMagnitude)
        let (low, high) = (range.lowerBound, range.upperBound)
        return switch (low <= -farthest, high >= farthest) {
        case (true, true): "it takes any finite number of 32 bits"
        case (false, true): "it takes \(text(low)) and more"
        case (true, false): "it takes \(text(high)) and less"
        case (false, false): "its range is \(text(low)) to \(text(high))"
        }
    }

    /// The number as text, without a fraction if it is whole.
    private static func text(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }
}

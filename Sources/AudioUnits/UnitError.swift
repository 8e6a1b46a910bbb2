// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What can be wrong with a request to a unit, as a value. Any thread.

/// A request that a unit turned down. The text says which and why, and fits after "Couldn't …: ".
public enum UnitError: Error, Hashable, Sendable {
    /// A call that is not allowed in the unit's present state.
    case illegalInState(call: String, state: UnitState)
    /// More frames than resources were allocated for.
    case tooManyFrames(asked: Int, maximum: Int)
    case formatRefused(String)
    case unknownParameter(String)
    case valueOutOfRange(parameter: String, value: Double, range: ClosedRange<Double>)
    case readOnlyParameter(String)
    case unknownPreset(String)
    case unknownText(String)
    /// A state that was saved by another component, by a newer version, or is damaged.
    case stateRefused(String)
    case malformedTree(String)
    case failed(String)
}

extension UnitError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .illegalInState(let call, let state): "\(call) is not allowed while \(state.phrase)"
        case .tooManyFrames(let asked, let maximum): "\(asked) frames were asked for, and \(maximum) are the most"
        case .formatRefused(let reason): "it refuses \(reason)"
        case .unknownParameter(let path): "it has no parameter \"\(path)\""
        case .valueOutOfRange(let path, let value, let range):
            "\(path) cannot be \(Self.text(value)); its range is \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
        case .readOnlyParameter(let path): "\(path) can only be read"
        case .unknownPreset(let name): "it has no preset \"\(name)\""
        case .unknownText(let name): "it has no text \"\(name)\""
        case .stateRefused(let reason): "the state cannot be restored, \(reason)"
        case .malformedTree(let reason): "its parameter tree is malformed: \(reason)"
        case .failed(let reason): reason
        }
    }

    /// A number without a fraction where it has none.
    private static func text(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Calculates the level of a source from its distance. Any thread.

import Realtime

/// The law by which the level falls with the distance from the listener.
public struct DistanceLaw: Hashable, Sendable {
    /// The shape of a law.
    public enum Model: Hashable, Sendable {
        /// (distance / reference) to the power of −roll-off.
        case exponential
        /// Reference / (reference + roll-off · (distance − reference)).
        case inverse
        /// 1 − roll-off · (distance − reference) / (maximum − reference).
        case linear
    }

    /// The shape.
    public var model = Model.inverse
    /// The distance in metres up to which the level is full, above 0.
    public var reference: Float = 1
    /// The distance in metres beyond which the level falls no further, above 0.
    public var maximum: Float = 100_000
    /// The speed at which the level falls, from 0.
    public var rolloff: Float = 1

    /// The inverse law from 1 m on.
    public init() {}

    /// The gain at a distance in metres: 1 nearer than the reference, and constant beyond the maximum.
    @_noLocks
    public func gain(at metres: Double) -> Float {
        let (reference, rolloff) = (Double(reference), Double(rolloff))
        let far = max(reference, Double(maximum))
        let distance = max(reference, min(far, metres))
        let gain =
            switch model {
            case .exponential: Maths.pow(distance / reference, -rolloff)
            case .inverse: reference / (reference + rolloff * (distance - reference))
            case .linear: far > reference ? 1 - rolloff * (distance - reference) / (far - reference) : 1
            }
        return gain.isFinite ? Float(max(0, min(1, gain))) : 0
    }
}

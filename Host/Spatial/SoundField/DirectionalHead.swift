// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Describes a head by its two impulse responses for each direction. Control thread.

import Realtime

/// A head that hears a distant source from any direction: a sphere, or a measured set.
///
/// The decoder of a sound field asks it when it is made.
public protocol DirectionalHead: Sendable {
    /// `[control]` The impulse responses of both ears for a direction of length 1, in head axes.
    ///
    /// All directions have the same delay in common, `latencyFrameCount(sampleRate:)`.
    func impulseResponses(toward direction: SpacePoint, sampleRate: Double) -> (left: [Float], right: [Float])

    /// The frames from an impulse to its arrival at the middle of the head.
    func latencyFrameCount(sampleRate: Double) -> Int
}

extension SphericalHead: DirectionalHead {
    /// The frames before the earliest arrival at an ear, and those that a fraction of a frame needs.
    @_noLocks
    public func latencyFrameCount(sampleRate: Double) -> Int {
        // Cannot trap: the delay of a head, at a rate that renders.
        DelayPoint.halfWidth &+ Int(max(0, min(1e6, -delays.earliest * sampleRate))) &+ 1
    }

    /// The impulse responses of a distant source.
    public func impulseResponses(toward direction: SpacePoint, sampleRate: Double) -> (left: [Float], right: [Float]) {
        (response(cosine: -direction.x, sampleRate), response(cosine: direction.x, sampleRate))
    }

    private func response(cosine: Double, _ sampleRate: Double) -> [Float] {
        let ear = ear(cosine: cosine, distance: 1000)
        let latency = latencyFrameCount(sampleRate: sampleRate)
        var memory = DelayMemory(longestDelay: 1024)
        defer { memory.deallocate() }
        let coefficients = HeadShadow.coefficients(of: ear, self, sampleRate: sampleRate, gain: Self.earGain)
        let pole = HeadShadow.pole(of: self, sampleRate: sampleRate)
        var shadow = HeadShadow()
        // The tail of the shadow lasts about half a millisecond.
        // Cannot trap: 1,000 frames at most, and NaN counts as that.
        let count = 2 * latency + Int(0.001 * min(1e6, sampleRate)) + DelayPoint.halfWidth
        return (0..<count).map { frame in
            var sample: Float = frame == 0 ? 1 : 0
            memory.append(&sample, 1)
            let delayed = memory.read(memory.end - 1, delay: Double(latency) + ear.delay * sampleRate)
            return shadow.filtered(delayed, present: coefficients.present, former: coefficients.former, pole: pole)
        }
    }
}

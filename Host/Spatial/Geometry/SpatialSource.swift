// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where a source is and what stands in its way, and what follows for a listener. Any thread.

import Realtime

/// A source with a place.
public struct SpatialSource: Hashable, Sendable {
    /// Which channels have a place.
    public enum Placing: Hashable, Sendable {
        /// One channel has a place, and more than one go through as they are.
        case single
        /// The mean of the channels has a place.
        case mean
        /// None has one: the channels go through as they are.
        case none
    }

    /// What becomes of a source inside the listener's head.
    public enum InHeadMode: Hashable, Sendable {
        /// It stays one point, and is heard at both sides the more, the nearer it is to the middle.
        case mono
        /// Its channels go through as they are the more, the nearer it is to the middle.
        case bypass
    }

    /// The place.
    public var position = SpacePoint(0, 0, 0)
    /// Which channels are there.
    public var placing = Placing.single
    /// What becomes of the source nearer than the radius of a head.
    public var inHeadMode = InHeadMode.mono
    /// What stands in the way, in decibels: 0 for nothing, and less for more.
    public var dampingDecibels: Float = 0

    /// A source of one channel at the origin.
    public init() {}

    /// The gains of an equal-power panner for a listener.
    public func pannerGains(for listener: SpatialListener) -> PannerGains {
        var gains = PannerGains()
        guard placing != .none else {
            (gains.left, gains.right, gains.through) = (0, 0, 1)
            gains.passesChannels = true
            return gains
        }
        let way = position - listener.position
        let distance = way.dot(way).squareRoot()
        // Inside the head the direction fades, so that nothing jumps from ear to ear.
        let outside = min(1, distance / SpatialListener.headRadius)
        let side = distance > 0 ? max(-1, min(1, way.dot(listener.axes.right) / distance)) : 0
        let lateral = inHeadMode == .mono ? side * outside : side
        let level = Double(listener.distance.gain(at: distance)) * Double(Maths.gain(fromDecibels: dampingDecibels))
        let placed = level * (inHeadMode == .mono ? 1 : outside)
        // The cosine and the sine of half the angle from the left.
        gains.left = Float(placed * ((1 - lateral) / 2).squareRoot())
        gains.right = Float(placed * ((1 + lateral) / 2).squareRoot())
        gains.through = Float(level - placed)
        gains.cutoffHertz = cutoffHertz
        gains.passesChannels = placing == .single
        return gains
    }

    /// Where the low pass of what stands in the way begins: 20 kHz, and an octave lower for each 12 dB; 200 Hz at least.
    private var cutoffHertz: Float {
        dampingDecibels < 0 ? max(200, 20_000 * Maths.exp2(dampingDecibels / 12)) : .infinity
    }
}

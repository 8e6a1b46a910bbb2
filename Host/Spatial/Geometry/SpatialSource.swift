// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Describes a source and its obstacles, and calculates its gains for a listener. Any thread.

import Realtime

/// A source with a position.
public struct SpatialSource: Hashable, Sendable {
    /// The choice of the channels that get a position.
    public enum Placing: Hashable, Sendable {
        /// A single channel has a position; several channels go through as they are.
        case single
        /// The mean of the channels has a position.
        case mean
        /// No channel has a position: they go through as they are.
        case none
        /// Each channel has a direction that turns with the listener's head, and no distance.
        case ambience

        /// True if channels get a position.
        var hasPlace: Bool {
            @_noLocks get {
                switch self {
                case .single, .mean: true
                case .none, .ambience: false
                }
            }
        }
    }

    /// The treatment of a source inside the listener's head.
    public enum InHeadMode: Hashable, Sendable {
        /// It stays one point; the nearer it is to the middle, the more it is heard at both sides.
        case mono
        /// The nearer it is to the middle, the more its channels go through as they are.
        case bypass

        /// True for one point.
        var isMono: Bool {
            @_noLocks get {
                switch self {
                case .mono: true
                case .bypass: false
                }
            }
        }
    }

    /// The position.
    public var position = SpacePoint(0, 0, 0)
    /// The channels that get the position.
    public var placing = Placing.single
    /// The treatment of the source nearer than the radius of a head.
    public var inHeadMode = InHeadMode.mono
    /// The damping of obstacles in decibels: 0 for none, lower for more.
    public var dampingDecibels: Float = 0

    /// A source of one channel at the origin.
    public init() {}

    /// The gains of an equal-power panner for a listener.
    public func pannerGains(for listener: SpatialListener) -> PannerGains {
        var gains = PannerGains()
        guard placing.hasPlace else {
            (gains.left, gains.right, gains.through) = (0, 0, 1)
            gains.passesChannels = true
            return gains
        }
        let way = position - listener.position
        let distance = Maths.sqrt(way.dot(way))
        // Inside the head the direction fades, so that the sound does not jump from ear to ear.
        let outside = min(1, distance / SpatialListener.headRadius)
        let side = distance > 0 ? max(-1, min(1, way.dot(listener.axes.right) / distance)) : 0
        let lateral = inHeadMode == .mono ? side * outside : side
        let level = Double(listener.distance.gain(at: distance)) * Double(Maths.gain(fromDecibels: dampingDecibels))
        let placed = level * (inHeadMode == .mono ? 1 : outside)
        // The cosine and the sine of half the angle from the left.
        gains.left = Float(placed * Maths.sqrt((1 - lateral) / 2))
        gains.right = Float(placed * Maths.sqrt((1 + lateral) / 2))
        gains.through = Float(level - placed)
        gains.cutoffHertz = cutoffHertz
        gains.passesChannels = placing == .single
        return gains
    }

    /// The place and the gain of the source for a listener who hears it through a head.
    public func headTarget(for listener: SpatialListener) -> HeadTarget {
        let (way, axes) = (position - listener.position, listener.axes)
        let gain = listener.distance.gain(at: way.dot(way).squareRoot()) * Maths.gain(fromDecibels: dampingDecibels)
        let place = SpacePoint(way.dot(axes.right), way.dot(axes.up), -way.dot(axes.forward))
        return HeadTarget(place: SIMD3<Float>(place), gain: gain)
    }

    /// The cutoff of the obstacles' low pass: 20 kHz, an octave lower for each 12 dB, and at least 200 Hz.
    var cutoffHertz: Float {
        @_noLocks get { dampingDecibels < 0 ? max(200, 20_000 * Maths.exp2(dampingDecibels / 12)) : .infinity }
    }
}

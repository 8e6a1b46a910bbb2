// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Describes a source and its obstacles. Any thread.

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

        /// True if the channels of a source become one point.
        @_noLocks
        public func isPoint(ofChannelCount channelCount: Int) -> Bool {
            switch self {
            case .mean: true
            case .single: channelCount == 1
            case .none, .ambience: false
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
    /// The orientation, which counts for a directivity alone.
    public var axes = HeadAxes()
    /// The channels that get the position.
    public var placing = Placing.single
    /// The treatment of the source nearer than the radius of a head.
    public var inHeadMode = InHeadMode.mono
    /// The level of the source at the listener, before distance and obstacles.
    public var level: Float = 1
    /// The damping of obstacles in decibels: 0 for none, lower for more.
    public var dampingDecibels: Float = 0

    /// A source of one channel at the origin.
    public init() {}

    /// The cutoff of the obstacles' low pass: 20 kHz, an octave lower for each 12 dB, and at least 200 Hz.
    var cutoffHertz: Float {
        @_noLocks get { dampingDecibels < 0 ? max(200, 20_000 * Maths.exp2(dampingDecibels / 12)) : .infinity }
    }
}

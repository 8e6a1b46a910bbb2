// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How a source is placed in an environment, and what follows for its gains. Any thread.

import Rendering

/// How an environment makes the direction of a source heard.
public enum AudioRenderingAlgorithm: Int, Hashable, Sendable, CaseIterable {
    /// By the levels of the left and the right, whose powers add up to the same in every direction.
    case equalPowerPanning = 0
    /// Not at all: the channels go to the output as they are.
    case stereoPassThrough = 5
    /// As suits the output best: by equal power.
    case auto = 7
}

/// What an environment does with the channels of a source.
public enum AudioSourceMode: Int, Hashable, Sendable, CaseIterable {
    /// One channel gets a place, and more than one go through as they are.
    case spatializeIfMono = 0
    /// The channels go through as they are.
    case bypass = 1
    /// The mean of the channels gets a place.
    case pointSource = 2
}

/// What becomes of a source with a place inside the listener's head.
public enum AudioPointSourceInHeadMode: Int, Hashable, Sendable, CaseIterable {
    /// It stays one point, and is heard at both sides the more, the nearer it is to the middle.
    case mono = 0
    /// Its channels go through as they are the more, the nearer it is to the middle.
    case bypass = 1
}

/// What a source is told about its place.
struct SourcePlacement: Hashable, Sendable {
    var position = Audio3DPoint()
    var algorithm = AudioRenderingAlgorithm.equalPowerPanning
    /// What a program has asked for by the names of Apple's systems, where that is not here.
    var askedAlgorithm: Int?
    var mode = AudioSourceMode.spatializeIfMono
    var inHeadMode = AudioPointSourceInHeadMode.mono
    /// In decibels, from −100 to 0.
    var obstruction: Float = 0
    var occlusion: Float = 0

    /// The radius of a head in metres: half of the usual distance between the ears.
    static let headRadius = 0.0875

    /// The gains for a listener.
    func gains(_ space: EnvironmentSpace.Values) -> PlacedState.Gains {
        var gains = PlacedState.Gains()
        guard mode != .bypass, algorithm != .stereoPassThrough else {
            (gains.left, gains.right, gains.through) = (0, 0, 1)
            gains.passesChannels = true
            return gains
        }
        let way = SIMD3(position) - SIMD3(space.position)
        let distance = HeadAxes.dot(way, way).squareRoot()
        // Inside the head the direction fades, so that nothing jumps from ear to ear.
        let outside = min(1, distance / Self.headRadius)
        let side = distance > 0 ? max(-1, min(1, HeadAxes.dot(way, space.axes.right) / distance)) : 0
        let lateral = inHeadMode == .mono ? side * outside : side
        let level = Double(space.distance.gain(at: distance)) * Double(dampingGain)
        let placed = level * (inHeadMode == .mono ? 1 : outside)
        // The cosine and the sine of half the angle from the left.
        gains.left = Float(placed * ((1 - lateral) / 2).squareRoot())
        gains.right = Float(placed * ((1 + lateral) / 2).squareRoot())
        gains.through = Float(level - placed)
        gains.cutoffHertz = cutoffHertz
        gains.passesChannels = mode == .spatializeIfMono
        return gains
    }

    /// The gain of what stands in the way.
    private var dampingGain: Float { Maths.gain(fromDecibels: obstruction + occlusion) }

    /// Where the low pass of what stands in the way begins: 20 kHz, and an octave lower for each 12 dB; 200 Hz at least.
    private var cutoffHertz: Float {
        let decibels = obstruction + occlusion
        return decibels < 0 ? max(200, 20_000 * Maths.exp2(decibels / 12)) : .infinity
    }
}

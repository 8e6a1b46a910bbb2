// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Calculates the goals of a source's gliding values from its place and the listener's. Render thread.

import Realtime

/// A source as a listener hears it at one moment.
struct HeardSource {
    /// The direction in head axes, of length 1; to the front for a source in the middle of the head.
    let direction: SpacePoint
    /// The distance in metres.
    let distance: Double
    /// The share of the direction that is heard: 0 in the middle of the head, and 1 outside of it.
    let outside: Double
    /// The part of the direction along the axis of the ears, from −1 at the left to 1 at the right; 0 in the middle of the head.
    let side: Double
    /// The cosines of the angles between the front of the source and the listener, and between the nose and the source.
    let sourceCosine: Double
    let listenerCosine: Double

    @_noLocks
    init(_ place: SpacePoint, _ listener: SpacePoint, _ axes: HeadAxes, sourceAxes: HeadAxes) {
        let way = place - listener
        distance = Maths.sqrt(way.dot(way))
        outside = min(1, distance / SpatialListener.headRadius)
        side = distance > 0 ? max(-1, min(1, way.dot(axes.right) / distance)) : 0
        direction = distance > 1e-9 ? axes.local(way * (1 / distance)) : SpacePoint(0, 0, -1)
        sourceCosine = distance > 1e-9 ? max(-1, min(1, -way.dot(sourceAxes.forward) / distance)) : 1
        listenerCosine = max(-1, min(1, -direction.z))
    }
}

extension HeadAxes {
    /// A direction as the head sees it: x to its right, y to its top, z to its back.
    @_noLocks
    func local(_ direction: SpacePoint) -> SpacePoint {
        SpacePoint(direction.dot(right), direction.dot(up), -direction.dot(forward))
    }
}

/// The levels of a source that is one point.
struct SourceLevel {
    /// The level of the point, and that of the channels that go through.
    let placed: Double
    let through: Double
    /// The share of the direction that is heard.
    let share: Double

    @_noLocks
    init(_ scene: SceneValues, _ heard: HeardSource) {
        let damping = Double(Maths.gain(fromDecibels: scene.source.dampingDecibels))
        var level = Double(scene.listener.distance.gain(at: heard.distance)) * damping * Double(scene.source.level)
        if let curve = scene.distanceCurve { level *= curve.pointee.gain(at: heard.distance) }
        if let source = scene.sourceDirectivity { level *= source.pointee.level(heard.sourceCosine) }
        if let listener = scene.listenerDirectivity { level *= listener.pointee.level(heard.listenerCosine) }
        (placed, share) = scene.source.inHeadMode.isMono ? (level, heard.outside) : (level * heard.outside, 1)
        through = level - placed
    }
}

/// The place where goals are written, with the parts that it takes.
struct SceneGoals {
    let map: ValueMap
    let goal: UnsafeMutablePointer<Float>
    /// Memory for 64 gains.
    let gains: UnsafeMutablePointer<Double>
    let panner: UnsafeMutablePointer<SpeakerPanner.Core>?
    let air: UnsafeMutablePointer<AirCoefficients>?
    let sampleRate: Double
    /// True if the environment has a sound field.
    let hasField: Bool
    /// True if the source has a memory for the delays of two ears.
    let hasEars: Bool
    /// True if the source has a memory for channels that go through late.
    let hasLateChannels: Bool

    @_noLocks
    init(
        _ map: ValueMap, _ goal: UnsafeMutablePointer<Float>, _ gains: UnsafeMutablePointer<Double>,
        _ panner: UnsafeMutablePointer<SpeakerPanner.Core>?, _ air: UnsafeMutablePointer<AirCoefficients>?,
        _ head: SourceCore.SourceHead, hasEars: Bool, hasLateChannels: Bool
    ) {
        (self.map, self.goal, self.gains, self.panner, self.air) = (map, goal, gains, panner, air)
        (sampleRate, hasField) = (head.sampleRate, head.hasField)
        (self.hasEars, self.hasLateChannels) = (hasEars, hasLateChannels)
    }

    /// Writes the goals of a source at a place.
    @_noLocks
    func write(_ scene: SceneValues, _ place: SpacePoint, _ listener: SpacePoint) {
        for index in 0..<map.count { goal[index] = 0 }
        switch scene.source.placing {
        case .ambience: writeBed(scene)
        case .mean: writePlaced(scene, place, listener)
        case .single where map.sourceChannelCount == 1: writePlaced(scene, place, listener)
        case .single, .none: writeThrough(scene, scene.source.level)
        }
    }

    /// Writes the goals of a source that is one point.
    @_noLocks
    private func writePlaced(_ scene: SceneValues, _ place: SpacePoint, _ listener: SpacePoint) {
        let heard = HeardSource(place, listener, scene.listener.axes, sourceAxes: scene.source.axes)
        let level = SourceLevel(scene, heard)
        writeThrough(scene, Float(level.through))
        writeAir(heard.distance)
        writeBands(scene.sourceDirectivity, heard.sourceCosine, ValueMap.sourceBands)
        writeBands(scene.listenerDirectivity, heard.listenerCosine, ValueMap.listenerBands)
        writePoint(scene, heard, level: level.placed, share: level.share)
    }

    /// Writes the gain of channels that go through in step with the algorithm.
    @_noLocks
    private func writeThrough(_ scene: SceneValues, _ gain: Float) {
        goal[scene.latencyFrameCount > 0 && hasLateChannels ? ValueMap.lateThrough : ValueMap.through] = gain
    }

    @_noLocks
    private func writeAir(_ metres: Double) {
        guard let air else { return }
        let coefficients = AirRows(memory: air).coefficients(metres: metres)
        (goal[ValueMap.air], goal[ValueMap.air &+ 1]) = (coefficients.first, coefficients.second)
    }

    /// Writes the levels of several bands of a directivity.
    @_noLocks
    private func writeBands(_ directivity: UnsafePointer<DirectivityTable.Core>?, _ cosine: Double, _ value: Int) {
        guard let directivity, directivity.pointee.count > 1 else { return }
        for band in 0..<directivity.pointee.count { goal[value &+ band] = Float(directivity.pointee.shapes[band].gain(cosine)) }
    }

    @_noLocks
    private func writePoint(_ scene: SceneValues, _ heard: HeardSource, level: Double, share: Double) {
        // The delays of a head are kept for other algorithms too, so that a change of the algorithm does not bend the pitch.
        let isAtEars = scene.algorithm.isSphericalHead && map.channelCount == 2 && hasEars
        if hasEars { writeEars(scene, heard, level: isAtEars ? level : 0, share) }
        switch scene.algorithm {
        case .sphericalHead where isAtEars: return
        case .measuredHead where scene.head != nil && map.channelCount <= 2: return
        case .soundField where hasField: writeField(heard.direction, map.column(0), level, share)
        default: writeChannels(heard.direction, heard.side, map.column(0), level, share)
        }
    }

    /// Writes the delays and the shadows of a spherical head.
    @_noLocks
    private func writeEars(_ scene: SceneValues, _ heard: HeardSource, level: Double, _ share: Double) {
        let head = SphericalHead(speedOfSound: scene.speedOfSound)
        for side in 0..<2 {
            let cosine = (side == 0 ? -heard.direction.x : heard.direction.x) * share
            let ear = head.ear(cosine: cosine, distance: heard.distance)
            let shadow = HeadShadow.coefficients(of: ear, head, sampleRate: sampleRate, gain: level * SphericalHead.earGain)
            goal[ValueMap.earDelays &+ side] = Float(ear.delay * sampleRate)
            goal[ValueMap.shadows &+ 2 &* side] = shadow.present
            goal[ValueMap.shadows &+ 2 &* side &+ 1] = shadow.former
        }
    }

    /// Writes the gains to the sound field; nearer than the ears only the part without a direction is left.
    @_noLocks
    private func writeField(_ direction: SpacePoint, _ column: Int, _ level: Double, _ share: Double) {
        SphericalHarmonics.encode(direction, into: gains)
        let first = column &+ map.channelCount
        for channel in 0..<ValueMap.fieldChannelCount {
            goal[first &+ channel] = Float(gains[channel] * level * (channel == 0 ? 1 : share))
        }
    }

    /// Writes the gains to the channels of the bus.
    @_noLocks
    private func writeChannels(_ direction: SpacePoint, _ side: Double, _ column: Int, _ level: Double, _ share: Double) {
        guard let panner, map.channelCount > 2 else { return writeSides(side * share, column, level) }
        panner.pointee.pan(direction, into: gains)
        let even = panner.pointee.evenGain
        var power = 0.0
        for channel in 0..<map.channelCount {
            if panner.pointee.fullRange & 1 << UInt64(channel) != 0 { gains[channel] = gains[channel] * share + even * (1 - share) }
            power += gains[channel] * gains[channel]
        }
        let scale = power > 0 ? level / Maths.sqrt(power) : 0
        for channel in 0..<map.channelCount { goal[column &+ channel] = Float(gains[channel] * scale) }
    }

    /// Writes the gains of two channels, whose powers have the same sum in every direction.
    @_noLocks
    private func writeSides(_ lateral: Double, _ column: Int, _ level: Double) {
        // The cosine and the sine of half the angle from the left.
        let left = Float(level * Maths.sqrt((1 - lateral) / 2))
        let right = Float(level * Maths.sqrt((1 + lateral) / 2))
        if map.channelCount > 1 {
            (goal[column], goal[column &+ 1]) = (left, right)
        } else {
            // One channel carries the power of both sides.
            goal[column] = Float(Maths.sqrt(Double(left * left + right * right)))
        }
    }

    /// Writes the gains of a bed: each channel comes from its direction, and turns against the head.
    @_noLocks
    private func writeBed(_ scene: SceneValues) {
        let level = Double(Maths.gain(fromDecibels: scene.source.dampingDecibels)) * Double(scene.source.level)
        guard let bed = scene.bed else { return writeRotation(scene.listener.axes, level) }
        for channel in 0..<min(scene.bedChannelCount, map.sourceChannelCount) {
            let column = map.column(channel &+ 1)
            if bed[channel].isLowFrequency {
                writeLowFrequency(column, level)
                continue
            }
            let direction = scene.listener.axes.local(bed[channel].direction)
            if !scene.algorithm.isEqualPower, hasField {
                writeField(direction, column, level, 1)
            } else {
                writeChannels(direction, max(-1, min(1, direction.x)), column, level, 1)
            }
        }
    }

    /// Sends a low-frequency channel to those of the bus; without one it is dropped.
    @_noLocks
    private func writeLowFrequency(_ column: Int, _ level: Double) {
        guard let panner else { return }
        for channel in 0..<map.channelCount where panner.pointee.fullRange & 1 << UInt64(channel) == 0 {
            goal[column &+ channel] = Float(level)
        }
    }

    /// Writes the rotation of a sound field against the head.
    @_noLocks
    private func writeRotation(_ axes: HeadAxes, _ level: Double) {
        guard hasField else { return }
        let rotation = FieldRotation(listener: axes)
        for channel in 0..<min(ValueMap.fieldChannelCount, map.sourceChannelCount) {
            let first = map.column(channel &+ 1) &+ map.channelCount
            for row in 0..<ValueMap.fieldChannelCount { goal[first &+ row] = Float(rotation.entry(row, channel) * level) }
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Clicks at the beats of the song, to the frame. Render thread.

import CRealtimeShims
import Realtime
import Rendering

/// The present click, and the beginning of the next one.
struct MetronomeCore: ~Copyable {
    /// The frames since the click began; beyond its end the metronome is silent.
    private var position = Int.max
    private var frequency: Float = 0
    private var level: Float = 0

    private static var seconds: Double { @_noLocks get { 0.03 } }
    private static var decaySeconds: Float { @_noLocks get { 0.006 } }
    private static var barFrequency: Float { @_noLocks get { 1600 } }
    private static var beatFrequency: Float { @_noLocks get { 1000 } }
    /// The level of a beat that does not begin a bar, as a factor.
    private static var beatLevel: Float { @_noLocks get { 0.5 } }
    /// The shortest distance of beats that are clicked, in seconds.
    private static var shortestBeat: Double { @_noLocks get { 0.01 } }
    /// The tolerance in frames within which a beat counts as reached, as for the transport.
    private static var tolerance: Double { @_noLocks get { 1e-6 } }

    init() {}

    /// Adds clicks to a silent block; true if it stays silent.
    @_noLocks
    mutating func render(_ output: AudioBlock, _ transport: Transport, sampleRate: Double) -> Bool {
        // Cannot trap: the rate is the engine's.
        let length = Int(Self.seconds * sampleRate)
        guard transport.isPlaying else { return sound(output, 0, output.frameCount, length, sampleRate) }
        let unit = 4 / Double(max(1, transport.timeSignatureDenominator))
        let framesPerBeat = sampleRate * 60 / transport.tempo * unit
        guard framesPerBeat > Self.shortestBeat * sampleRate else { return sound(output, 0, output.frameCount, length, sampleRate) }
        // The beat belongs to the first frame at which it has been reached; the frame before it is not in this piece.
        let beats = (transport.beatPosition - transport.timeSignatureBeat) / unit
        var number = CRealtimeShims_floor(beats)
        var (start, isSilent) = (0, true)
        while true {
            let offset = -CRealtimeShims_floor(Self.tolerance - (number - beats) * framesPerBeat)
            guard offset < Double(output.frameCount) else { break }
            if offset >= 0 {
                if !sound(output, start, Int(offset), length, sampleRate) { isSilent = false }
                begin(number, transport)
                start = Int(offset)
            }
            number += 1
        }
        return sound(output, start, output.frameCount, length, sampleRate) && isSilent
    }

    @_noLocks
    private mutating func begin(_ number: Double, _ transport: Transport) {
        let count = Double(max(1, transport.timeSignatureNumerator))
        let isBar = number - CRealtimeShims_floor(number / count) * count == 0
        position = 0
        frequency = isBar ? Self.barFrequency : Self.beatFrequency
        level = isBar ? 1 : Self.beatLevel
    }

    /// Plays the click on from one frame to another; true if none sounds.
    @_noLocks
    private mutating func sound(_ output: AudioBlock, _ start: Int, _ end: Int, _ length: Int, _ sampleRate: Double) -> Bool {
        let count = min(end &- start, length &- min(position, length))
        guard count > 0 else { return true }
        let rate = Float(sampleRate)
        for frame in start..<start &+ count {
            // The click begins with its first sample that is not 0.
            let seconds = Float(position &+ 1) / rate
            let sample = level * Maths.exp(-seconds / Self.decaySeconds) * Maths.sin(2 * .pi * frequency * seconds)
            for channel in 0..<output.channelCount { output[channel][frame] = sample }
            position &+= 1
        }
        return false
    }
}

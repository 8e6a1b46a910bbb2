// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Lets synthesizers play at a rate beyond theirs. Made on the control thread, used on the render thread.

import DSP
import PluginSDK

/// Renders an ensemble at a whole part of the sample rate, and interpolates the frames between.
struct RaisedRate: ~Copyable {
    /// The output frames for each frame of the synthesizers.
    private let factor: Int
    private let past = InputHistory(channelCount: 2, frameCount: 1024)
    private var reader = SincReader(channelCount: 2, highestStep: 1)
    private let block = AudioBuffer(channelCount: 2, frameCapacity: RaisedRate.pieceFrameCount)
    /// The next output frame.
    private var frame: Int64 = 0

    private static var pieceFrameCount: Int { @_noLocks get { 256 } }
    /// The frames of the synthesizers that the filter needs ahead.
    private static var lead: Int { @_noLocks get { SincReader.halfWidth &+ 1 } }

    /// Returns the rate of the synthesizers for a sample rate: the highest whole part of it that they support.
    static func innerRate(_ sampleRate: Double) -> Double { sampleRate / Double(factor(sampleRate)) }

    private static func factor(_ sampleRate: Double) -> Int {
        max(1, Int((sampleRate / SoundBank.sampleRates.upperBound).rounded(.up)))
    }

    /// `[control]` Makes an interpolator, which passes the sound on at a rate that the synthesizers support.
    init(sampleRate: Double) { factor = Self.factor(sampleRate) }

    var latencyFrameCount: Int { @_noLocks get { factor == 1 ? 0 : Self.lead &* factor } }

    /// Writes the next frames of an ensemble.
    @_noLocks
    mutating func render(_ ensemble: borrowing Ensemble, to output: AudioBlock) {
        if factor == 1 { return ensemble.add(to: output) }
        var done = 0
        while done < output.frameCount {
            let count = min(output.frameCount &- done, Self.pieceFrameCount)
            // A frame of the synthesizers is rendered with the output frame at its place, so that events keep their order.
            let whole = Int64(factor)
            let inner = block.block(frameCount: Int((frame &+ Int64(count) &+ whole &- 1) / whole &- (frame &+ whole &- 1) / whole))
            inner.silence()
            ensemble.add(to: inner)
            past.append(inner)
            interpolate(count, to: output, at: done)
            done &+= count
        }
    }

    @_noLocks
    private mutating func interpolate(_ count: Int, to output: AudioBlock, at start: Int) {
        for index in 0..<count {
            let place = Double(frame) / Double(factor) - Double(Self.lead)
            reader.read(past, at: place, stretch: 1, to: output, frame: start &+ index)
            frame &+= 1
        }
    }

    /// Forgets the sound.
    @_noLocks
    mutating func reset() {
        past.forget()
        reader.reset()
        frame = 0
    }
}

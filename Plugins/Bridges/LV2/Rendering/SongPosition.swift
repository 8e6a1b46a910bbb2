// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The song's position for plug-ins, sent only when it changes its course. Render thread.

import CLV2Shims
import PluginSDK

/// The last position that a plug-in received, and the beat that follows from it.
struct SongPosition {
    private let sampleRate: Double
    private var isKnown = false
    private var isPlaying = false
    private var tempo = 0.0
    private var numerator = 0
    private var denominator = 0
    private var expectedBeat = 0.0

    /// The deviation in quarter notes from which a jump is assumed: well below a frame at any tempo.
    private static var tolerance: Double {
        @_noLocks get { 1e-6 }
    }

    init(sampleRate: Double) { self.sampleRate = sampleRate }

    /// Makes the next position count as a change.
    @_noLocks
    mutating func forget() { isKnown = false }

    /// The position `start` frames into the block, if it does not follow from the last one; otherwise nil.
    @_noLocks
    mutating func change(_ block: RenderBlock, start: Int, frameCount: Int) -> CLV2Shims_Position? {
        let transport = block.transport
        let speed = transport.isPlaying ? transport.tempo / 60 / sampleRate : 0
        let beat = transport.beatPosition + Double(start) * speed
        let isOld =
            isKnown && isPlaying == transport.isPlaying && tempo == transport.tempo
            && numerator == transport.timeSignatureNumerator && denominator == transport.timeSignatureDenominator
            && abs(beat - expectedBeat) < Self.tolerance
        expectedBeat = beat + Double(frameCount) * speed
        guard !isOld, beat.isFinite, transport.tempo.isFinite else { return nil }
        isKnown = true
        isPlaying = transport.isPlaying
        tempo = transport.tempo
        numerator = transport.timeSignatureNumerator
        denominator = transport.timeSignatureDenominator
        return position(beat)
    }

    /// Converts the host's quarter notes to LV2's beats of the time signature.
    @_noLocks
    private func position(_ quarters: Double) -> CLV2Shims_Position {
        let unit = denominator > 0 ? denominator : 4
        let beatsPerBar = numerator > 0 ? numerator : 4
        let beat = quarters * Double(unit) / 4
        let bar = Maths.floor(beat / Double(beatsPerBar))
        let frame = tempo > 0 ? quarters * 60 / tempo * sampleRate : 0
        return CLV2Shims_Position(
            frame: Int64(Self.bounded(Maths.floor(frame + 0.5))), speed: isPlaying ? 1 : 0, beat: beat,
            bar: Int64(Self.bounded(bar)),
            barBeat: Float(beat - bar * Double(beatsPerBar)), beatUnit: Int32(truncatingIfNeeded: unit),
            beatsPerBar: Float(beatsPerBar), beatsPerMinute: Float(tempo * Double(unit) / 4))
    }

    @_noLocks
    private static func bounded(_ value: Double) -> Double { max(-1e15, min(1e15, value)) }
}

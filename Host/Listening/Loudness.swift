// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Loudness and true peaks, by libebur128. Main thread.

import AudioFormats
import CEbur128

/// Loudness by EBU R 128 and ITU-R BS.1770, and the loudness of each tenth of a second.
final class Loudness {
    /// The seconds up to which each block's energy is kept, at 1.3 MB an hour; longer sounds are counted in classes of 0.1 LU.
    private static let exactSeconds = 4.0 * 3600
    /// The frames of silence after which a filter for true peaks, of 49 taps at four times the rate, has given all.
    private static let flushFrameCount = 64
    /// The tenths of a second between two readings of the short-term loudness.
    private static let shortTermInterval = 5

    /// The greatest momentary loudness (400 ms) and short-term loudness (3 s) in LUFS; −∞ for silence.
    private(set) var greatestMomentary = -Double.infinity
    private(set) var greatestShortTerm = -Double.infinity
    /// The greatest momentary and the last short-term loudness of each column in LUFS.
    private(set) var momentary: [Double]
    private(set) var shortTerm: [Double]

    /// The loudness of the whole in LUFS, gated; −∞ for silence and for less than 400 ms.
    private(set) var integrated = -Double.infinity
    /// The loudness range in LU; nil for less than 3 s.
    private(set) var range: Double?

    private var state: UnsafeMutablePointer<ebur128_state>?
    private let tenth: Int
    private let channelCount: Int
    private let expectedFrameCount: Int
    private var frameCount = 0
    private var untilTenth: Int
    private var tenthCount = 0

    /// Makes a meter; nil if memory is short, or if libebur128 does not support the format.
    init?(sampleRate: Double, channelCount: Int, layout: ChannelLayout?, frameCount: Int, columnCount: Int) {
        let isExact = Double(frameCount) / sampleRate <= Self.exactSeconds
        let modes = [EBUR128_MODE_I, EBUR128_MODE_LRA, EBUR128_MODE_TRUE_PEAK] + (isExact ? [] : [EBUR128_MODE_HISTOGRAM])
        let hertz = max(1, Int(nearestFrame: sampleRate))
        let mode = modes.reduce(0) { $0 | $1.rawValue }
        guard let state = ebur128_init(UInt32(channelCount), UInt(hertz), Int32(mode)) else { return nil }
        self.state = state
        self.channelCount = channelCount
        expectedFrameCount = max(1, frameCount)
        tenth = max(1, Int(nearestFrame: (sampleRate / 10).rounded(.down)))
        untilTenth = tenth
        momentary = Array(repeating: -.infinity, count: columnCount)
        shortTerm = momentary
        for (index, position) in Self.positions(channelCount: channelCount, layout: layout).enumerated() {
            ebur128_set_channel(state, UInt32(index), position)
        }
    }

    deinit { ebur128_destroy(&state) }

    /// Takes interleaved samples, all of them finite.
    func take(_ samples: UnsafePointer<Float>, frameCount: Int) {
        guard let state else { return }
        var done = 0
        while done < frameCount {
            let step = min(frameCount - done, untilTenth)
            ebur128_add_frames_float(state, samples + done * channelCount, step)
            done += step
            self.frameCount += step
            untilTenth -= step
            if untilTenth == 0 { ask(state) }
        }
    }

    private func ask(_ state: UnsafeMutablePointer<ebur128_state>) {
        untilTenth = tenth
        tenthCount += 1
        let column = min(momentary.count - 1, (self.frameCount - 1) * momentary.count / expectedFrameCount)
        let loudness = Self.value { ebur128_loudness_momentary(state, $0) }
        // An earlier window contains silence from before the start.
        if tenthCount >= 4 { greatestMomentary = max(greatestMomentary, loudness) }
        if column >= 0 { momentary[column] = max(momentary[column], loudness) }
        guard tenthCount % Self.shortTermInterval == 0 else { return }
        let shortLoudness = Self.value { ebur128_loudness_shortterm(state, $0) }
        if tenthCount >= 30 { greatestShortTerm = max(greatestShortTerm, shortLoudness) }
        if column >= 0 { shortTerm[column] = shortLoudness }
    }

    /// Takes the results; nothing can be taken after this call.
    ///
    /// libebur128 knows no end: a crest between the last samples shows in the silence after them. That silence is no part of the loudness.
    func finish() {
        guard let state else { return }
        integrated = Self.value { ebur128_loudness_global(state, $0) }
        if frameCount >= 30 * tenth { range = Self.value { ebur128_loudness_range(state, $0) } }
        let silence = [Float](repeating: 0, count: Self.flushFrameCount * channelCount)
        ebur128_add_frames_float(state, silence, Self.flushFrameCount)
    }

    /// True if the sound is shorter than 400 ms, the least for which a loudness is defined.
    var isTooShort: Bool { tenthCount < 4 }

    /// The largest magnitude of a channel, also between samples.
    func truePeak(ofChannel channel: Int) -> Double {
        state.map { state in Self.value { ebur128_true_peak(state, UInt32(channel), $0) } } ?? 0
    }

    private static func value(_ ask: (UnsafeMutablePointer<Double>) -> Int32) -> Double {
        var value = -Double.infinity
        return ask(&value) == Int32(EBUR128_SUCCESS.rawValue) ? value : -.infinity
    }
}

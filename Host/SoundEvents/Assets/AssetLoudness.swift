// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Measures the loudness of an asset, by libebur128. Any thread.

import AudioFiles
import AudioFormats
import CEbur128
import Realtime

/// The treatment of an asset's loudness.
public enum AssetNormalization: Hashable, Sendable {
    /// The asset sounds as it is.
    case none
    /// The asset is brought to `AssetRegistry.targetLoudness`, by EBU R 128.
    ///
    /// It is never lifted so far that a sample would be above full scale. One shorter than 400 ms, the least for which a loudness is
    /// defined, counts as if it were repeated. Silence stays as it is.
    case dynamic
}

/// Measures assets.
enum AssetLoudness {
    /// The seconds for which a loudness is defined, and a step beyond.
    private static let leastSeconds = 0.5
    private static let stepFrameCount = 4096

    /// The factor that brings an asset to a loudness in LUFS.
    ///
    /// Throws `loudness` if it cannot be measured.
    static func gain(
        of audio: LoadedAudio, _ layout: ChannelLayout?, to target: Double, _ name: String
    ) throws(SoundEventError) -> Double {
        var peak: Float = 0
        for channel in 0..<audio.channelCount {
            for sample in audio[channel] where sample.isFinite { peak = max(peak, abs(sample)) }
        }
        guard peak > 0 else { return 1 }
        guard let loudness = measure(audio, layout) else { throw .loudness(name) }
        guard loudness.isFinite else { return 1 }
        return min(Maths.pow(10, (target - loudness) / 20), 1 / Double(peak))
    }

    /// The loudness of the whole in LUFS, −∞ below the gate; nil if memory is short, or if libebur128 does not support the format.
    private static func measure(_ audio: LoadedAudio, _ layout: ChannelLayout?) -> Double? {
        let hertz = max(1, Int(nearestFrame: audio.sampleRate))
        var state = ebur128_init(UInt32(audio.channelCount), UInt(hertz), Int32(EBUR128_MODE_I.rawValue))
        guard let meter = state else { return nil }
        defer { ebur128_destroy(&state) }
        for channel in 0..<audio.channelCount {
            ebur128_set_channel(meter, UInt32(channel), Int32(position(of: channel, layout).rawValue))
        }
        var (left, frame) = (max(audio.frameCount, Int(nearestFrame: leastSeconds * audio.sampleRate)), 0)
        var samples = [Float](repeating: 0, count: stepFrameCount * audio.channelCount)
        while left > 0 {
            let count = min(left, min(stepFrameCount, audio.frameCount - frame))
            for channel in 0..<audio.channelCount {
                for index in 0..<count {
                    let sample = audio[channel][frame + index]
                    samples[index * audio.channelCount + channel] = sample.isFinite ? sample : 0
                }
            }
            ebur128_add_frames_float(meter, samples, count)
            left -= count
            frame = (frame + count) % audio.frameCount
        }
        var loudness = -Double.infinity
        return ebur128_loudness_global(meter, &loudness) == Int32(EBUR128_SUCCESS.rawValue) ? loudness : nil
    }

    /// The weight of a channel as a position: speakers at the sides count 1.41 times, or those at the back without any at the sides.
    ///
    /// The low-frequency channel does not count. Source: ITU-R BS.1770, Annex 3.
    private static func position(of channel: Int, _ layout: ChannelLayout?) -> channel {
        let speakers = layout?.speakers ?? []
        guard channel < speakers.count else { return EBUR128_LEFT }
        switch speakers[channel] {
        case .lowFrequency: return EBUR128_UNUSED
        case .sideLeft, .sideRight: return EBUR128_LEFT_SURROUND
        case .backLeft, .backRight: return speakers.contains(.sideLeft) ? EBUR128_LEFT : EBUR128_LEFT_SURROUND
        default: return EBUR128_LEFT
        }
    }
}

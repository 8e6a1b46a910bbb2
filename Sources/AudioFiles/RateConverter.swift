// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Converts the sample rate of whole files with libsamplerate's band-limited interpolation. Control thread.

import CSampleRate

/// Converts planar audio from one sample rate to another.
///
/// libsamplerate's sinc converters follow J. O. Smith's bandlimited interpolation. Best quality keeps 97 % of the bandwidth
/// at a signal-to-noise ratio of 144 dB, medium quality 90 % at 121 dB.
public enum RateConverter {
    /// The quality of the conversion; the better, the slower.
    public enum Quality: Sendable {
        /// 97 % of the bandwidth, 144 dB.
        case best
        /// 90 % of the bandwidth, 121 dB.
        case medium

        var converter: CInt { CInt(self == .best ? SRC_SINC_BEST_QUALITY : SRC_SINC_MEDIUM_QUALITY) }
    }

    /// `[control]` The audio at `rate` hertz, with its length and start kept within a frame.
    ///
    /// `path` names the audio in errors. `progress` is called on this thread with the share done, from 0 to 1.
    ///
    /// Throws `AudioFileError.sampleRate`, `notEnoughMemory` or `resampling`.
    public static func convert(
        _ audio: LoadedAudio, to rate: Double, quality: Quality = .best, path: String,
        progress: (Double) -> Void = { _ in }
    ) throws(AudioFileError) -> LoadedAudio {
        try AudioFileFormat.check(rate: rate, channels: audio.channelCount, path: path, act: .read)
        let frameCount = max(1, Int((Double(audio.frameCount) * rate / audio.sampleRate).rounded()))
        let output = try AudioFile.memory(audio.channelCount, frameCount, rate, path)
        for channel in 0..<audio.channelCount {
            let problem = convert(audio[channel], into: output[channel], ratio: rate / audio.sampleRate, quality) {
                progress((Double(channel) + $0) / Double(audio.channelCount))
            }
            if let problem {
                throw .resampling(path: path, fromHertz: audio.sampleRate, toHertz: rate, reason: problem)
            }
        }
        return output
    }

    /// Nil, or libsamplerate's reason for a failure.
    private static func convert(
        _ input: UnsafeMutableBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>, ratio: Double,
        _ quality: Quality, progress: (Double) -> Void
    ) -> String? {
        var code: CInt = 0
        guard let state = src_new(quality.converter, 1, &code) else { return words(code) }
        defer { src_delete(state) }
        var (used, made) = (0, 0)
        while made < output.count {
            var step = SRC_DATA()
            step.data_in = UnsafePointer(input.baseAddress! + used)
            step.input_frames = min(input.count - used, 1 << 15)
            step.data_out = output.baseAddress! + made
            step.output_frames = output.count - made
            step.end_of_input = used + step.input_frames == input.count ? 1 : 0
            step.src_ratio = ratio
            code = src_process(state, &step)
            if code != 0 { return words(code) }
            if step.output_frames_gen == 0 && step.input_frames_used == 0 { break }
            used += step.input_frames_used
            made += step.output_frames_gen
            progress(Double(made) / Double(output.count))
        }
        progress(1)
        return nil
    }

    private static func words(_ code: CInt) -> String {
        src_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}

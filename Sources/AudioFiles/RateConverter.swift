// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Converts the sample rate of whole files with libsamplerate's band-limited interpolation. Control thread.

import RateConversion

/// Converts planar audio from one sample rate to another.
///
/// `RateStream` does the conversion; `RateQuality` sets its quality.
public enum RateConverter {
    /// `[control]` Converts audio to `rate` hertz; its length and start are kept within a frame.
    ///
    /// `path` names the audio in errors. `progress` is called on this thread with the share done, from 0 to 1.
    ///
    /// Throws `AudioFileError.sampleRate`, `notEnoughMemory` or `resampling`.
    public static func convert(
        _ audio: LoadedAudio, to rate: Double, quality: RateQuality = .best, path: String,
        progress: (Double) -> Void = { _ in }
    ) throws(AudioFileError) -> LoadedAudio {
        try AudioFileFormat.check(rate: rate, channels: audio.channelCount, path: path, act: .read)
        let frameCount = max(1, Int((Double(audio.frameCount) * rate / audio.sampleRate).rounded()))
        let output = try LoadedAudio.memory(audio.channelCount, frameCount, rate, path)
        output.channelLayout = audio.channelLayout
        for channel in 0..<audio.channelCount {
            do throws(RateConversionError) {
                var stream = try RateStream(channelCount: 1, from: audio.sampleRate, to: rate, quality: quality)
                convert(audio[channel], into: output[channel], &stream) {
                    progress((Double(channel) + $0) / Double(audio.channelCount))
                }
            } catch {
                throw .resampling(path: path, fromHertz: audio.sampleRate, toHertz: rate, reason: error.reason)
            }
        }
        return output
    }

    private static func convert(
        _ input: UnsafeMutableBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>, _ stream: inout RateStream,
        progress: (Double) -> Void
    ) {
        var (taken, made) = (0, 0)
        guard var source = input.baseAddress, var sink = output.baseAddress else { return }
        while made < output.count, taken < input.count {
            let step = stream.convert(
                &source, from: taken, min(input.count - taken, 1 << 15), to: &sink, from: made, output.count - made)
            guard step.taken > 0 || step.made > 0 else { break }
            taken += step.taken
            made += step.made
            progress(Double(made) / Double(output.count))
        }
        // The last frames reach into the silence after the end.
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 4096) { silence in
            silence.initialize(repeating: 0)
            guard var source = silence.baseAddress else { return }
            while made < output.count {
                let step = stream.convert(&source, from: 0, silence.count, to: &sink, from: made, output.count - made)
                guard step.taken > 0 || step.made > 0 else { break }
                made += step.made
            }
        }
        progress(1)
    }
}

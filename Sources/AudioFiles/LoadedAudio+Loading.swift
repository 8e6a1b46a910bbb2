// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Loads a whole file at the sample rate of the graph. Control thread.

import RateConversion

extension LoadedAudio {
    /// Reads a whole file into memory, converted to `sampleRate` hertz if that is given and differs.
    ///
    /// `[control]` `quality` is that of the conversion. `progress` is called on this thread with the share done, from 0 to 1.
    /// With `takesPipes` the file may be a pipe, or `-` for standard input.
    ///
    /// Throws the errors of `AudioFileReader`, and `AudioFileError.sampleRate`, `notEnoughMemory` and `resampling`.
    public static func load(
        _ path: String, sampleRate: Double? = nil, quality: RateQuality = .best, takesPipes: Bool = false,
        progress: (Double) -> Void = { _ in }
    ) throws(AudioFileError) -> LoadedAudio {
        let reader = try AudioFileReader(path: path, takesPipes: takesPipes)
        let rate = sampleRate ?? reader.format.sampleRate
        try AudioFileFormat.check(rate: rate, channels: reader.format.channelCount, path: path, act: .read)
        let isConverting = rate != reader.format.sampleRate
        let readingShare = isConverting ? 0.1 : 1.0
        let audio = try read(reader) { progress($0 * readingShare) }
        guard isConverting else { return audio }
        return try RateConverter.convert(audio, to: rate, quality: quality, path: path) {
            progress(readingShare + $0 * (1 - readingShare))
        }
    }

    private static func read(
        _ reader: AudioFileReader, progress: (Double) -> Void
    ) throws(AudioFileError) -> LoadedAudio {
        let format = reader.format
        let audio = try memory(format.channelCount, format.frameCount, format.sampleRate, reader.path)
        let step = 1 << 16
        while reader.position < format.frameCount {
            let start = reader.position
            let wanted = min(step, format.frameCount - start)
            if try reader.read(into: audio.channels, frameCount: wanted, offset: start) < wanted { break }
            progress(Double(reader.position) / Double(format.frameCount))
        }
        audio.channelLayout = format.channelLayout
        audio.shorten(to: reader.position)
        progress(1)
        return audio
    }

    static func memory(
        _ channelCount: Int, _ frameCount: Int, _ sampleRate: Double, _ path: String
    ) throws(AudioFileError) -> LoadedAudio {
        let audio = LoadedAudio(channelCount: channelCount, frameCount: frameCount, sampleRate: sampleRate)
        guard let audio else {
            throw .notEnoughMemory(path: path, byteCount: LoadedAudio.wording(channelCount, frameCount))
        }
        return audio
    }
}

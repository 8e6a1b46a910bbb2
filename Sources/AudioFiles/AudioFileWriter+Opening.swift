// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Opens an empty file as a libsndfile handle that writes a format. Control thread.

import CSndFile

extension AudioFileWriter {
    static func open(
        _ output: ReplacementFile, _ format: OutputFormat, _ sampleRate: Double, _ channelCount: Int, _ metadata: AudioFileMetadata
    ) throws(AudioFileError) -> SoundFile {
        let io = try SoundFileIO(sharing: output)
        var info = SF_INFO()
        (info.samplerate, info.channels) = (CInt(sampleRate.rounded()), CInt(channelCount))
        info.format = CInt(format.code)
        do {
            let file = try SoundFile(io, mode: SFM_WRITE, info: info)
            configure(file, format)
            file.store(metadata)
            return file
        } catch {
            throw refusal(error, io, output.path, sampleRate, channelCount)
        }
    }

    /// True if the format of a path's extension holds samples of that encoding.
    public static func holds(_ encoding: SampleEncoding, path: String) -> Bool { OutputFormat.holds(encoding, path: path) }

    /// The rate nearest to `rate` that the format of the path's extension supports, not below it if possible.
    public static func rate(nearest rate: Double, path: String) -> Double {
        guard let rates = try? OutputFormat.named(by: path).rates, !rates.isEmpty, !rates.contains(rate) else { return rate }
        return rates.first { $0 > rate } ?? rates[rates.count - 1]
    }

    private static func configure(_ file: SoundFile, _ format: OutputFormat) {
        // The PEAK chunk holds the time of day. Without it, equal audio makes equal files.
        file.set(SFC_SET_ADD_PEAK_CHUNK, false)
        file.set(SFC_SET_CLIPPING, true)
        if format.isRF64 { file.set(SFC_RF64_AUTO_DOWNGRADE, true) }
        if format.isVorbis || format.isMPEG { file.set(SFC_SET_VBR_ENCODING_QUALITY, 0.7) }
    }

    private static func refusal(
        _ refusal: SoundFile.Refusal, _ io: SoundFileIO, _ path: String, _ sampleRate: Double, _ channelCount: Int
    ) -> AudioFileError {
        if let failure = io.failure { return .writing(path, failure) }
        return .encoderRefuses(path: path, channelCount: channelCount, hertz: sampleRate, reason: refusal.words)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes planar 32-bit float to an audio file that appears only when it is complete. Control thread.

import AudioFormats
import CSndFile

/// An audio file being written, in the format of its file extension.
///
/// `[control]` Writing blocks on the disk. One thread at a time may use it. The file gets its name in `finish()`; a writer that
/// is released earlier leaves nothing behind.
///
/// `.wav` holds 32-bit float samples bit for bit, and becomes RF64 beyond 4 GB. `.rf64`, `.w64`, `.caf`, `.aifc` and `.au` hold
/// such samples, too. `.flac` and `.aiff` hold 24 bits. `.ogg`, `.opus` and `.mp3` are lossy. Formats without floating point
/// are limited to ±1, and NaN becomes 0. 16-bit samples are dithered unless they are exact.
public final class AudioFileWriter {
    /// The file, as the caller named it.
    public let path: String
    /// The sample rate in frames a second.
    public let sampleRate: Double
    /// The number of channels.
    public let channelCount: Int
    /// The number of frames written so far.
    public private(set) var frameCount = 0
    /// The number of samples so far that a format without floating point has limited to ±1.
    public private(set) var clippedSampleCount = 0
    /// The largest magnitude of the limited samples; 1 if there are none.
    public private(set) var clippedPeak: Float = 1

    /// True if the file states the meaning of its channels.
    public let keepsLayout: Bool

    private let output: ReplacementFile
    private let file: SoundFile
    private let format: OutputFormat
    private let interleaved: UnsafeMutablePointer<Float>
    /// The channel at each position in the file.
    private let order: [Int]
    /// True if the file's mask must become 0, which libsndfile cannot write.
    private let clearsMask: Bool
    /// Converts samples to integers, for formats that hold integers.
    private var integers: IntegerSamples?
    private var isOpen = true
    private static let chunkFrameCount = 4096
    /// The number of frames that have been sent to the disk, and the number that are sent at a time.
    private var settlingFrameCount = 0
    private static let settlingLength = 1 << 19
    /// The length up to which the header of a published file is right; nil for a file that is not published.
    private var soundByteCount: Int64?

    /// `[any]` The extensions that name a format, without the dot.
    public static var knownExtensions: [String] { OutputFormat.knownExtensions }

    /// `[control]` Starts a file of `channelCount` channels at `sampleRate` hertz, rounded to a whole number.
    ///
    /// `encoding` replaces the format's usual encoding; lossy formats ignore it. The format stores as much of `metadata` as it
    /// can hold. The path `-` writes a WAV file to standard output. `layout` gives the meaning of the channels; without one,
    /// the usual layout for their number is used.
    ///
    /// Throws `AudioFileError.unknownExtension`, `channelCount`, `sampleRate` or `encoderRefuses`. It throws another case if
    /// the folder cannot be written to.
    public convenience init(
        path: String, sampleRate: Double, channelCount: Int, encoding: SampleEncoding? = nil,
        metadata: AudioFileMetadata = AudioFileMetadata(), layout: ChannelLayout? = nil
    ) throws(AudioFileError) {
        try self.init(
            path: path, sampleRate: sampleRate, channelCount: channelCount, encoding: encoding, metadata: metadata, layout: layout,
            avoidsNameless: false)
    }

    init(
        path: String, sampleRate: Double, channelCount: Int, encoding: SampleEncoding? = nil,
        metadata: AudioFileMetadata = AudioFileMetadata(), layout: ChannelLayout? = nil, avoidsNameless: Bool
    ) throws(AudioFileError) {
        format = try OutputFormat.named(by: path, encoding: encoding)
        try AudioFileFormat.check(rate: sampleRate, channels: channelCount, path: path, act: .write)
        output = try ReplacementFile(path: path, avoidsNameless: avoidsNameless)
        file = try Self.open(output, format, sampleRate, channelCount, metadata)
        let layout = layout.flatMap { $0.channelCount == channelCount ? $0 : nil } ?? ChannelLayout.usual(channelCount)
        let stored = format
        let sorted = layout.map { ChannelLayout(stored.order(of: $0.sorted)) ?? $0 }
        let places = sorted?.speakers.compactMap { layout?.speakers.firstIndex(of: $0) } ?? []
        order = places.isEmpty ? Array(0..<channelCount) : places
        let isDiscrete = layout?.isDiscrete ?? false
        clearsMask = isDiscrete && format.isRF64
        if let layout, isDiscrete {
            keepsLayout = format.keeps(layout, hasSaid: false)
        } else if let layout, let sorted {
            keepsLayout = format.keeps(layout.sorted, hasSaid: file.set(layout: sorted))
        } else {
            keepsLayout = true
        }
        integers = SampleEncoding(format: format.code)?.integerBitCount.map { IntegerSamples(bitCount: $0) }
        interleaved = .allocate(capacity: Self.chunkFrameCount * channelCount)
        self.path = path
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// The storage format of the samples; nil if they are compressed.
    public var encoding: SampleEncoding? { SampleEncoding(format: format.code) }

    deinit {
        file.close()
        interleaved.deallocate()
    }

    /// `[control]` Appends `frameCount` frames of planar `channels`, one pointer for each channel.
    ///
    /// Throws `AudioFileError.diskFull`, `sizeLimit`, `formatLimit`, `system` or `alreadyFinished`. After an error the file
    /// can only be cancelled.
    public func write(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
    ) throws(AudioFileError) {
        guard isOpen else { throw .alreadyFinished(path: path) }
        var done = 0
        while done < frameCount {
            let step = min(frameCount - done, Self.chunkFrameCount)
            try checkLimit(adding: step)
            interleave(channels, frameCount: step, offset: done)
            let written = integers == nil ? file.write(interleaved, frameCount: step) : writeIntegers(frameCount: step)
            try checkWritten(written, of: step)
            done += step
            self.frameCount += step
        }
        try refresh()
        guard self.frameCount - settlingFrameCount >= Self.settlingLength else { return }
        settlingFrameCount = self.frameCount
        output.beginSettling()
    }

    /// `[control]` Appends all frames of `audio`, which must have as many channels as the file.
    ///
    /// Throws as the other `write` does, and `AudioFileError.encoderRefuses` for another channel count.
    public func write(_ audio: LoadedAudio) throws(AudioFileError) {
        guard audio.channelCount == channelCount else {
            let reason = "it was started with \(channelCount)"
            throw .encoderRefuses(path: path, channelCount: audio.channelCount, hertz: sampleRate, reason: reason)
        }
        defer { withExtendedLifetime(audio) {} }
        try write(audio.channels, frameCount: audio.frameCount)
    }

    /// `[control]` Completes the file, waits until it is on the disk, and gives it its name.
    ///
    /// Throws as `write` does. After an error the name still belongs to the earlier file, if there was one.
    public func finish() throws(AudioFileError) {
        guard isOpen else { throw .alreadyFinished(path: path) }
        isOpen = false
        file.close()
        if let failure = file.io.failure { throw .writing(path, failure) }
        if clearsMask { ChannelMask.clear(descriptor: output.descriptor) }
        if format.isRF64 { PeakChunk.removeTime(descriptor: output.descriptor) }
        if format.isOgg, !OggSerial.derive(descriptor: output.descriptor) {
            throw .damaged(path: path, reason: "its pages changed")
        }
        try output.commit()
    }

    /// `[control]` Gives the file its name now, and keeps its header right as it grows, so that a killed process loses little.
    ///
    /// An earlier file of that name is replaced. In a format without a length in its header, the last second may be missing.
    /// Throws as `finish` does.
    public func publish() throws(AudioFileError) {
        guard isOpen, soundByteCount == nil else { return }
        try output.publish()
        soundByteCount = 0
        try refresh()
    }

    /// `[control]` Ends the file after an error, for example a full disk, and keeps all earlier frames.
    ///
    /// A file that is not published is cancelled. Throws `notKept` where the earlier frames may be lost, too.
    public func abandon(after failure: AudioFileError) throws(AudioFileError) {
        guard let soundByteCount, isOpen else { return cancel() }
        isOpen = false
        file.close()
        do throws(AudioFileError) {
            if format.hasLengthInHeader { try output.cut(toByteCount: soundByteCount) }
            try output.commit()
        } catch {
            throw .notKept(after: failure, because: error)
        }
    }

    /// Brings the header of a published file up to date.
    private func refresh() throws(AudioFileError) {
        guard soundByteCount != nil else { return }
        if format.hasLengthInHeader { file.set(SFC_UPDATE_HEADER_NOW, true) }
        if let failure = file.io.failure { throw .writing(path, failure) }
        soundByteCount = file.io.length
    }

    /// `[control]` Cancels the file and removes its contents.
    public func cancel() {
        isOpen = false
        file.close()
        output.discard()
    }

    private func interleave(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int, offset: Int
    ) {
        for channel in 0..<channelCount {
            let samples = channels[order[channel]] + offset
            for frame in 0..<frameCount { interleaved[frame * channelCount + channel] = samples[frame] }
        }
        if !format.keepsFloat { limit(sampleCount: frameCount * channelCount) }
    }

    private func writeIntegers(frameCount: Int) -> Int {
        let count = frameCount * channelCount
        return withUnsafeTemporaryAllocation(of: Int32.self, capacity: count) { samples in
            for index in 0..<count { samples[index] = integers?.convert(interleaved[index]) ?? 0 }
            return samples.baseAddress.map { file.write($0, frameCount: frameCount) } ?? 0
        }
    }

    /// Limits samples to ±1 and replaces NaN by 0, since encoders expect neither larger values nor NaN.
    private func limit(sampleCount: Int) {
        for index in 0..<sampleCount {
            let sample = interleaved[index]
            if abs(sample) > 1 {
                clippedSampleCount += 1
                clippedPeak = max(clippedPeak, abs(sample))
            }
            interleaved[index] = sample.isNaN ? 0 : min(1, max(-1, sample))
        }
    }

    private func checkLimit(adding frames: Int) throws(AudioFileError) {
        let byteCount = UInt64(frameCount + frames) * UInt64(channelCount * format.sampleByteCount)
        if byteCount > format.byteLimit { throw .formatLimit(path: path, byteLimit: format.byteLimit) }
    }

    private func checkWritten(_ written: Int, of wanted: Int) throws(AudioFileError) {
        if let failure = file.io.failure { throw .writing(path, failure) }
        if written < wanted { throw .damaged(path: path, reason: file.problem ?? "short write") }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A sound file that is open for reading or for writing. Any thread but the render thread.

import AudioFiles
import Synchronization

/// A sound file that is open for reading or for writing.
///
/// It reads every kind of file that libsndfile reads. The extension of its name chooses the kind of a written file, which appears when it
/// is closed. All threads may use it; each call blocks on the disk.
public final class AudioFile: Sendable {
    /// The path, as the program gave it.
    public let path: String
    /// The format of the file itself; its sample format differs from a buffer's if samples are compressed or have 24 bits.
    public let fileFormat: AudioFormat
    /// The format in which a program reads and writes: the file's rate and channels as 32-bit float, unless the program chose another one.
    ///
    /// Buffers of any sample format can be read into and written, too.
    public let processingFormat: AudioFormat
    private let state: Mutex<State>

    private struct State: @unchecked Sendable {
        // SAFETY: reader and writer are used only with the lock held.
        var reader: AudioFileReader?
        var writer: AudioFileWriter?
        var position = 0
    }

    /// Opens a file for reading.
    ///
    /// `commonFormat` and `interleaved` choose the format in which the program reads. Throws `AudioFileError` for a file that is missing,
    /// empty, cut short or no sound file.
    public init(
        forReading path: String, commonFormat: AudioCommonFormat = .pcmFormatFloat32, interleaved: Bool = false
    ) throws(AudioFileError) {
        let reader = try AudioFileReader(path: path)
        self.path = path
        let format = AudioFormat(
            sampleRate: reader.format.sampleRate, channelCount: reader.format.channelCount, layout: reader.format.channelLayout)
        fileFormat = format.stored(as: reader.encoding)
        processingFormat = format.with(commonFormat, interleaved)
        state = Mutex(State(reader: reader))
    }

    /// Begins a file of a format; the extension of its name chooses the kind.
    ///
    /// `encoding` chooses how samples are stored, in place of the usual encoding of that kind of file. Throws `AudioFileError` for an
    /// unusable folder, format or extension.
    public init(
        forWriting path: String, format: AudioFormat, encoding: SampleEncoding? = nil
    ) throws(AudioFileError) {
        let writer = try AudioFileWriter(
            path: path, sampleRate: format.sampleRate, channelCount: format.channelCount, encoding: encoding,
            layout: format.layout)
        self.path = path
        fileFormat = format.stored(as: encoding ?? writer.encoding)
        processingFormat = format
        state = Mutex(State(writer: writer))
    }

    /// True if the file is open for reading.
    var isForReading: Bool { state.withLock { $0.reader != nil } }

    /// True if the file is being written.
    package var isForWriting: Bool { state.withLock { $0.writer != nil } }

    /// The number of frames in the file; of a file being written, the frames written so far.
    public var length: Int64 { state.withLock { Int64($0.reader?.format.frameCount ?? $0.writer?.frameCount ?? 0) } }

    /// The frame at which the next `read` begins, or which `write` has reached.
    ///
    /// A new value moves the next `read`, within the file; while writing it changes nothing.
    public var framePosition: Int64 {
        get { state.withLock { Int64($0.writer?.frameCount ?? $0.position) } }
        set { state.withLock { $0.position = Int(max(0, min(newValue, Int64($0.reader?.format.frameCount ?? 0)))) } }
    }

    /// Fills a buffer from `framePosition` on, with up to `frameCount` frames, and sets its length to the number read.
    ///
    /// Throws `AudioFileError.notOpen` for a file that is written or closed, and `channelMismatch` for other channels than the file's. Also
    /// throws errors of the disk.
    public func read(into buffer: AudioPCMBuffer, frameCount: Int? = nil) throws(AudioFileError) {
        buffer.frameLength = 0
        guard buffer.format.channelCount == fileFormat.channelCount else {
            throw .channelMismatch(path: path, count: buffer.format.channelCount, wanted: fileFormat.channelCount, act: .read)
        }
        let wanted = min(buffer.frameCapacity, max(0, frameCount ?? buffer.frameCapacity))
        guard
            let standard = buffer.format.isStandard
                ? buffer : AudioPCMBuffer(pcmFormat: fileFormat.standard, frameCapacity: max(1, wanted))
        else {
            throw .notEnoughMemory(path: path, byteCount: UInt64(clamping: 4 * wanted * fileFormat.channelCount))
        }
        standard.frameLength = wanted
        let start = state.withLock { $0.position }
        do throws(AudioFileError) {
            let count = try read(from: start, wanted, into: standard.samples.channels)
            (standard.frameLength, buffer.frameLength) = (count, count)
            state.withLock { $0.position = start + count }
        } catch {
            buffer.frameLength = 0
            throw error
        }
        if standard !== buffer { buffer.write(standard.samples, at: 0) }
    }

    /// Reads up to `frameCount` frames into planar memory, from a frame on; returns the number read.
    func read(
        from start: Int, _ frameCount: Int, into channels: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int = 0
    ) throws(AudioFileError) -> Int {
        // SAFETY: the memory is the caller's, and only this call uses it.
        nonisolated(unsafe) let channels = channels
        return try state.withLock { state throws(AudioFileError) in
            guard let reader = state.reader else { throw .notOpen(path: path, act: .read) }
            if reader.position != start { try reader.seek(toFrame: min(start, reader.format.frameCount)) }
            return try reader.read(into: channels, frameCount: frameCount, offset: offset)
        }
    }

    /// Writes a buffer's frames.
    ///
    /// Throws `AudioFileError.notOpen` for a file that is read or closed, `channelMismatch` for other channels, and errors of the disk.
    public func write(from buffer: AudioPCMBuffer) throws(AudioFileError) {
        try state.withLock { state throws(AudioFileError) in
            guard let writer = state.writer else { throw .notOpen(path: path, act: .write) }
            try writer.write(buffer)
        }
    }

    /// Completes a file that was written, and closes it.
    ///
    /// The end of its life completes a file, too, but without an error for a full disk.
    public func close() throws(AudioFileError) {
        try state.withLock { state throws(AudioFileError) in
            defer { (state.reader, state.writer) = (nil, nil) }
            try state.writer?.finish()
        }
    }

    deinit { try? close() }
}

extension AudioFormat {
    /// Returns the same rate and channels with interleaved samples of an encoding.
    fileprivate func stored(as encoding: SampleEncoding?) -> AudioFormat {
        switch encoding {
        case .int16: with(.pcmFormatInt16, true)
        case .int32: with(.pcmFormatInt32, true)
        case .float32: with(.pcmFormatFloat32, true)
        case .float64: with(.pcmFormatFloat64, true)
        case .int24, nil: with(.otherFormat, true)
        }
    }

    /// Returns the same rate and channels with another sample format.
    fileprivate func with(_ kind: AudioCommonFormat, _ isInterleaved: Bool) -> AudioFormat {
        var format = self
        (format.commonFormat, format.isInterleaved) = (kind, isInterleaved)
        return format
    }
}

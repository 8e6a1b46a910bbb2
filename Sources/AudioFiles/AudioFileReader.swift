// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads an audio file piece by piece, as planar 32-bit float. Control thread.

import CSndFile

/// An open audio file of any kind that libsndfile reads.
///
/// `[control]` Reading blocks on the disk. One thread at a time may use it.
public final class AudioFileReader {
    /// The file, as the caller named it.
    public let path: String
    /// The format and the length of the file.
    public let format: AudioFileFormat
    /// The frame at which the next `read` starts.
    public private(set) var position = 0

    private let file: SoundFile
    /// The position in the file of each channel.
    private let order: [Int]
    private let interleaved: UnsafeMutablePointer<Float>
    private static let chunkFrameCount = 4096

    /// `[control]` Opens a file, and checks that it keeps its header's promises and that Bulkhead can process it.
    ///
    /// With `takesPipes` the file may be a pipe, or `-` for standard input. This call then waits until all of it has been
    /// copied into a nameless file.
    ///
    /// Throws `AudioFileError` if the file is missing, not an ordinary file, empty, cut short or not audio. It also throws if
    /// the sample rate or the channel count is outside the limits of `AudioFileFormat`.
    public init(path: String, takesPipes: Bool = false) throws(AudioFileError) {
        file = try Self.open(path, takesPipes: takesPipes)
        format = try Self.format(of: file, path)
        self.path = path
        interleaved = .allocate(capacity: Self.chunkFrameCount * format.channelCount)
        let stored = file.layout?.speakers ?? []
        let places = format.channelLayout?.speakers.compactMap { stored.firstIndex(of: $0) } ?? []
        order = places.isEmpty ? Array(0..<format.channelCount) : places
    }

    deinit { interleaved.deallocate() }

    /// The storage format of the samples; nil if they are compressed.
    public var encoding: SampleEncoding? { SampleEncoding(format: Int(file.info.format)) }

    /// The tags and the broadcast information of the file.
    public var metadata: AudioFileMetadata { file.metadata }

    /// `[control]` Reads up to `frameCount` frames into planar `channels`, which start `offset` frames into their memory.
    ///
    /// `channels` has one pointer for each channel of the file, in the order of WAV if the file states their speakers. Returns
    /// the number of frames read, which is smaller than requested only at the end of the file.
    ///
    /// Throws `AudioFileError.truncatedFrames` if the file ends earlier than its header says, `damaged`, or `system`.
    public func read(
        into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int, offset: Int = 0
    ) throws(AudioFileError) -> Int {
        var done = 0
        while done < frameCount {
            let wanted = min(frameCount - done, Self.chunkFrameCount)
            let got = min(file.read(interleaved, frameCount: wanted), wanted)
            separate(into: channels, frameCount: got, offset: offset + done)
            done += got
            position += got
            guard got == wanted else {
                try checkEnd()
                break
            }
        }
        return done
    }

    /// `[control]` Makes `frame`, from 0 to the file's length, the next one to be read.
    ///
    /// Throws `AudioFileError.seekOutside`.
    public func seek(toFrame frame: Int) throws(AudioFileError) {
        guard (0...format.frameCount).contains(frame), file.seek(toFrame: frame) else {
            throw .seekOutside(path: path, frame: frame, frameCount: format.frameCount)
        }
        position = frame
    }

    private func separate(
        into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int, offset: Int
    ) {
        let stride = format.channelCount
        for channel in 0..<stride {
            let samples = channels[channel] + offset
            let place = order[channel]
            for frame in 0..<frameCount { samples[frame] = interleaved[frame * stride + place] }
        }
    }

    /// After a short read, distinguishes the true end of the file from a truncation.
    private func checkEnd() throws(AudioFileError) {
        if let failure = file.io.failure { throw .system(path: path, act: .read, code: failure.code) }
        if position < format.frameCount - tolerance {
            throw .truncatedFrames(path: path, promised: format.frameCount, present: position)
        }
        if let problem = file.problem { throw .damaged(path: path, reason: problem) }
    }

    /// MPEG headers count whole encoder blocks, including padding.
    private var tolerance: Int {
        Int(file.info.format) & SF_FORMAT_TYPEMASK == SF_FORMAT_MPEG ? 2 * 1152 : 0
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The errors between audio memory and a file. Any thread.

/// The reason why a file could not be read or written, with the facts of the case.
///
/// `[any]` `description` is one sentence: the act, the file in quotes, the numbers with their units, and what to do.
public enum AudioFileError: Error, Hashable, Sendable {
    // Finding and opening.
    /// The file does not exist.
    case missing(path: String)
    /// The folder to write in does not exist.
    case folderMissing(path: String)
    /// A folder was named instead of a file.
    case isDirectory(path: String, act: Act)
    /// A device, pipe or socket was named instead of an ordinary file.
    case notRegular(path: String, act: Act)
    /// The user may not read or write the file.
    case noPermission(path: String, act: Act)
    /// The target file system is mounted read-only.
    case readOnlyFileSystem(path: String)

    // Contents of a file.
    /// The file has no bytes.
    case empty(path: String)
    /// The file has no frames of audio.
    case noFrames(path: String)
    /// The file has no known audio format.
    case notAudio(path: String)
    /// libsndfile cannot decode the encoding of the file.
    case unsupportedEncoding(path: String, reason: String)
    /// The contents contradict themselves.
    case damaged(path: String, reason: String)
    /// The header promises more bytes than the file has.
    case truncatedBytes(path: String, promised: UInt64, present: UInt64)
    /// The header promises more frames than could be decoded.
    case truncatedFrames(path: String, promised: Int, present: Int)

    // Limits of the processing.
    /// The channel count lies outside `AudioFileFormat.channelCounts`.
    case channelCount(path: String, count: Int, act: Act)
    /// The sample rate lies outside `AudioFileFormat.sampleRates`.
    case sampleRate(path: String, hertz: Double, act: Act)
    /// The frame lies outside the file.
    case seekOutside(path: String, frame: Int, frameCount: Int)
    /// The audio needs more memory than there is.
    case notEnoughMemory(path: String, byteCount: UInt64)
    /// libsamplerate failed.
    case resampling(path: String, fromHertz: Double, toHertz: Double, reason: String)

    // Writing.
    /// The file extension is unknown.
    case unknownExtension(path: String, known: [String])
    /// The format cannot hold this sample rate or channel count.
    case encoderRefuses(path: String, channelCount: Int, hertz: Double, reason: String)
    /// The disk is full: only `written` of `wanted` bytes fitted.
    case diskFull(path: String, written: UInt64, wanted: UInt64)
    /// The file reached the system's limit on the size of a file.
    case sizeLimit(path: String, written: UInt64)
    /// The file reached its format's limit on size.
    case formatLimit(path: String, byteLimit: UInt64)
    /// Writing failed, and then what had been written before could not be kept either.
    indirect case notKept(after: AudioFileError, because: AudioFileError)
    /// The writer was used after it had finished or cancelled the file.
    case alreadyFinished(path: String)

    // Using an open file.
    /// The file is closed, or open only for the other act.
    case notOpen(path: String, act: Act)
    /// A buffer has another number of channels than the file.
    case channelMismatch(path: String, count: Int, wanted: Int, act: Act)

    /// Another refusal by the system, with its `errno`.
    case system(path: String, act: Act, code: CInt)

    /// The act that failed.
    public enum Act: String, Sendable {
        /// Reading the file.
        case read
        /// Writing the file.
        case write
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Everything that can go wrong between audio memory and a file, as a value. Any thread.

/// Why a file could not be read or written, with the facts of the case. `[any]`
///
/// `description` is one sentence: the act, the file in quotes, the numbers with their units, what to do.
public enum AudioFileError: Error, Equatable, Sendable {
    // Finding and opening.
    case missing(path: String)
    case folderMissing(path: String)
    case isDirectory(path: String, act: Act)
    case notRegular(path: String, act: Act)
    case noPermission(path: String, act: Act)

    // What is in a file.
    case empty(path: String)
    case noFrames(path: String)
    case notAudio(path: String)
    case unsupportedEncoding(path: String, reason: String)
    case damaged(path: String, reason: String)
    /// The header promises more bytes than the file has.
    case truncatedBytes(path: String, promised: UInt64, present: UInt64)
    /// The header promises more frames than could be decoded.
    case truncatedFrames(path: String, promised: Int, present: Int)

    // Limits of the processing.
    case channelCount(path: String, count: Int, act: Act)
    case sampleRate(path: String, hertz: Double, act: Act)
    case seekOutside(path: String, frame: Int, frameCount: Int)
    case notEnoughMemory(path: String, byteCount: UInt64)
    case resampling(path: String, fromHertz: Double, toHertz: Double, reason: String)

    // Writing.
    case unknownExtension(path: String, known: [String])
    /// The format cannot hold this rate or channel count.
    case encoderRefuses(path: String, channelCount: Int, hertz: Double, reason: String)
    /// A write came back short: `written` of `wanted` bytes fitted.
    case diskFull(path: String, written: UInt64, wanted: UInt64)
    /// A limit on the size of one file, set by the system, was reached.
    case sizeLimit(path: String, written: UInt64)
    /// The format's own limit on size was reached.
    case formatLimit(path: String, byteLimit: UInt64)
    case alreadyFinished(path: String)

    /// Any other refusal by the system, with its `errno`.
    case system(path: String, act: Act, code: CInt)

    /// What was being done to the file.
    public enum Act: String, Sendable {
        case read
        case write
    }
}

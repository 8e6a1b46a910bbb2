// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sound files by the names of Apple's systems. Any thread but the render thread.

import AudioGraph
import Foundation
import Synchronization

/// A sound file that is open for reading or for writing.
public typealias AVAudioFile = AudioFile

extension AudioFile {
    /// Opens a file for reading.
    public convenience init(forReading url: URL) throws { try self.init(forReading: url.path) }

    /// Opens a file for reading, into buffers of another sample format.
    public convenience init(forReading url: URL, commonFormat: AudioCommonFormat, interleaved: Bool) throws {
        try self.init(forReading: url.path, commonFormat: commonFormat, interleaved: interleaved)
    }

    /// Begins a file: the extension decides its kind, and `settings` its rate, channels and samples.
    ///
    /// Buffers of 32-bit floating point are written to it. It is completed when it is closed or released, or when the program
    /// ends.
    public convenience init(forWriting url: URL, settings: [String: Any]) throws {
        try self.init(forWriting: url, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Begins a file for buffers of another sample format.
    public convenience init(
        forWriting url: URL, settings: [String: Any], commonFormat: AudioCommonFormat, interleaved: Bool
    ) throws {
        let values = FormatSettings(values: settings)
        guard
            let rate = values.number(AVSampleRateKey), let count = values.integer(AVNumberOfChannelsKey),
            let format = AudioFormat(commonFormat: commonFormat, sampleRate: rate, channels: count, interleaved: interleaved)
        else { throw AVAudioFileError.incompleteSettings(path: url.path) }
        try self.init(forWriting: url.path, format: format, encoding: try values.encoding(path: url.path))
        OpenFiles.shared.add(self)
    }

    /// The URL of the file.
    public var url: URL { URL(fileURLWithPath: path) }

    /// Reads up to `frameCount` frames into a buffer, from `framePosition` on.
    public func read(into buffer: AudioPCMBuffer, frameCount: AVAudioFrameCount) throws {
        try read(into: buffer, frameCount: Int(frameCount))
    }
}

/// The reason why a file cannot be begun.
public enum AVAudioFileError: Error, Hashable, Sendable {
    /// The settings lack a valid rate or channel count.
    case incompleteSettings(path: String)
    /// The settings require a format that cannot be written here, such as AAC.
    case formatNotWritten(path: String, formatID: String)
}

extension AVAudioFileError: LocalizedError, CustomStringConvertible {
    /// The error in a sentence.
    public var description: String {
        switch self {
        case .incompleteSettings(let path):
            "Couldn't begin \"\(path)\": its settings need AVSampleRateKey above 0 and AVNumberOfChannelsKey from 1 to 255."
        case .formatNotWritten(let path, let formatID):
            "Couldn't begin \"\(path)\": \"\(formatID)\" cannot be written here. "
                + "Use kAudioFormatLinearPCM in a .wav or .caf file, kAudioFormatFLAC, or kAudioFormatOpus."
        }
    }

    /// The error in a sentence.
    public var errorDescription: String? { description }
}

extension FormatSettings {
    /// The sample encoding in the settings; nil if the kind of file decides.
    fileprivate func encoding(path: String) throws -> SampleEncoding? {
        guard formatID == kAudioFormatLinearPCM else {
            let written = [kAudioFormatFLAC, kAudioFormatOpus, kAudioFormatMPEGLayer3]
            guard written.contains(formatID) else {
                throw AVAudioFileError.formatNotWritten(
                    path: path, formatID: AudioUnits.FourCharCode(rawValue: formatID).description)
            }
            return nil
        }
        let isFloat = integer(AVLinearPCMIsFloatKey) ?? 0 != 0
        // Settings without a sample format mean the usual one of the kind of file.
        guard let depth = integer(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : nil) else { return nil }
        switch (isFloat, depth) {
        case (true, 64): return .float64
        case (true, _): return .float32
        case (false, ...16): return .int16
        case (false, ...24): return .int24
        case (false, _): return .int32
        }
    }
}

/// The files that are being written, so that the end of the program completes them.
private final class OpenFiles: Sendable {
    static let shared = OpenFiles()

    private struct Reference: Sendable {
        // SAFETY: a weak reference is read and written with the lock held.
        nonisolated(unsafe) weak var file: AudioFile?
    }

    private let references = Mutex<[Reference]>([])

    private init() { atexit { OpenFiles.shared.closeAll() } }

    func add(_ file: AudioFile) {
        references.withLock { references in
            references.removeAll { $0.file == nil }
            references.append(Reference(file: file))
        }
    }

    private func closeAll() {
        let files = references.withLock { $0.compactMap(\.file) }
        for file in files where file.isForWriting {
            do { try file.close() } catch { AVFAudioLog.write("\(error)") }
        }
    }
}

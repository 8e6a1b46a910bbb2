// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Opens a path as a libsndfile handle with a checked format. Control thread.

import CSndFile

extension AudioFileReader {
    static func open(_ path: String, takesPipes: Bool) throws(AudioFileError) -> SoundFile {
        let io = try InputFile.open(path, takesPipes: takesPipes)
        let header = ContainerHeader(descriptor: io.descriptor, byteCount: UInt64(io.length))
        let result = Result { () throws(SoundFile.Refusal) in try SoundFile(io, mode: SFM_READ) }
        if let failure = io.failure { throw .system(path: path, act: .read, code: failure.code) }
        try check(header, path)
        do { return try result.get() } catch { throw refusal(error, path) }
    }

    /// Checks the header itself, since libsndfile overlooks such faults, or reports them poorly.
    private static func check(_ header: ContainerHeader?, _ path: String) throws(AudioFileError) {
        guard let header else { return }
        if let channels = header.channelCount, let rate = header.sampleRate {
            try AudioFileFormat.check(rate: Double(rate), channels: channels, path: path, act: .read)
        }
        if let (promised, present) = header.truncation {
            throw .truncatedBytes(path: path, promised: promised, present: present)
        }
    }

    private static func refusal(_ refusal: SoundFile.Refusal, _ path: String) -> AudioFileError {
        switch refusal.code {
        case SF_ERR_UNRECOGNISED_FORMAT: .notAudio(path: path)
        case SF_ERR_UNSUPPORTED_ENCODING: .unsupportedEncoding(path: path, reason: refusal.words)
        default: .damaged(path: path, reason: refusal.words)
        }
    }

    static func format(of file: SoundFile, _ path: String) throws(AudioFileError) -> AudioFileFormat {
        let rate = Double(file.info.samplerate)
        let channels = Int(file.info.channels)
        try AudioFileFormat.check(rate: rate, channels: channels, path: path, act: .read)
        let frameCount = try frameCount(of: file, channels, path)
        guard frameCount > 0 else { throw .noFrames(path: path) }
        return AudioFileFormat(sampleRate: rate, channelCount: channels, frameCount: frameCount, channelLayout: file.layout?.sorted)
    }

    /// The number of frames that libsndfile states; for a stream without a length, all frames that can be decoded.
    private static func frameCount(of file: SoundFile, _ channels: Int, _ path: String) throws(AudioFileError) -> Int {
        let stated = Int(file.info.frames)
        guard stated >= 0 else { throw .damaged(path: path, reason: "it states \(stated) frames") }
        guard stated > Int.max / 1024 else { return stated }
        let counted = count(file, channels)
        guard file.seek(toFrame: 0) else { throw .damaged(path: path, reason: "it can't be read twice") }
        return counted
    }

    private static func count(_ file: SoundFile, _ channels: Int) -> Int {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 4096 * channels) { samples in
            var total = 0
            while true {
                let got = file.read(samples.baseAddress!, frameCount: 4096)
                if got == 0 { return total }
                total += got
            }
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The file format of a file extension. Control thread.

import CSndFile

/// A format that can be written, by libsndfile's number for it.
struct OutputFormat {
    let code: Int
    /// True if samples are stored as floating point, so that each survives unchanged.
    var keepsFloat: Bool { SampleEncoding(format: code) == .float32 || SampleEncoding(format: code) == .float64 }
    var isRF64: Bool { code & SF_FORMAT_TYPEMASK == SF_FORMAT_RF64 }
    var isVorbis: Bool { code & SF_FORMAT_SUBMASK == SF_FORMAT_VORBIS }

    var isOgg: Bool { code & SF_FORMAT_TYPEMASK == SF_FORMAT_OGG }
    var isMPEG: Bool { code & SF_FORMAT_TYPEMASK == SF_FORMAT_MPEG }

    /// The largest number of bytes of audio that a header with 32-bit sizes allows, less room for the header.
    var byteLimit: UInt64 {
        switch code & SF_FORMAT_TYPEMASK {
        case SF_FORMAT_AIFF, SF_FORMAT_AU: 0xFFFF_0000
        default: .max
        }
    }

    /// True if the header states the length, and can be updated while the file is written.
    var hasLengthInHeader: Bool {
        switch code & SF_FORMAT_TYPEMASK {
        case SF_FORMAT_RF64, SF_FORMAT_WAV, SF_FORMAT_AIFF, SF_FORMAT_CAF, SF_FORMAT_W64, SF_FORMAT_AU: true
        default: false
        }
    }

    /// The number of bytes of one sample, if it is fixed.
    var sampleByteCount: Int {
        switch SampleEncoding(format: code) {
        case .int16: 2
        case .int24: 3
        case .float64: 8
        case .int32, .float32, nil: 4
        }
    }

    /// The codes by extension; a file that is written as RF64 and closed below 4 GB becomes plain WAV.
    private static let table: [(name: String, code: Int)] = [
        ("wav", SF_FORMAT_RF64 | SF_FORMAT_FLOAT),
        ("flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_24),
        ("ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS),
        ("opus", SF_FORMAT_OGG | SF_FORMAT_OPUS),
        ("mp3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III),
        ("aiff", SF_FORMAT_AIFF | SF_FORMAT_PCM_24),
        ("aif", SF_FORMAT_AIFF | SF_FORMAT_PCM_24),
        ("aifc", SF_FORMAT_AIFF | SF_FORMAT_FLOAT),
        ("caf", SF_FORMAT_CAF | SF_FORMAT_FLOAT),
        ("w64", SF_FORMAT_W64 | SF_FORMAT_FLOAT),
        ("rf64", SF_FORMAT_RF64 | SF_FORMAT_FLOAT),
        ("au", SF_FORMAT_AU | SF_FORMAT_FLOAT),
    ]

    /// The extensions that the installed libsndfile can write.
    static let knownExtensions: [String] = table.filter { isAvailable($0.code) }.map(\.name)

    /// The format for a path; with `encoding` if the format is not lossy.
    ///
    /// Throws an error that lists the known extensions.
    static func named(by path: String, encoding: SampleEncoding? = nil) throws(AudioFileError) -> OutputFormat {
        let wanted = path == SpoolFile.standardPath ? "wav" : Path.fileExtension(of: path)
        guard knownExtensions.contains(wanted), let entry = table.first(where: { $0.name == wanted }) else {
            throw .unknownExtension(path: path, known: knownExtensions)
        }
        guard let encoding, SampleEncoding(format: entry.code) != nil else { return OutputFormat(code: entry.code) }
        return OutputFormat(code: entry.code & ~SF_FORMAT_SUBMASK | encoding.code)
    }

    /// True if the format for a path holds samples of an encoding; false for lossy formats.
    static func holds(_ encoding: SampleEncoding, path: String) -> Bool {
        guard let format = try? named(by: path, encoding: encoding) else { return false }
        return SampleEncoding(format: format.code) == encoding && isAvailable(format.code)
    }

    /// The sample rates of the format, in hertz, lowest first; empty if it supports any rate.
    var rates: [Double] {
        if code & SF_FORMAT_SUBMASK == SF_FORMAT_OPUS { return [8000, 12_000, 16_000, 24_000, 48_000] }
        if isMPEG { return [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000] }
        return []
    }

    private static func isAvailable(_ code: Int) -> Bool {
        var info = SF_INFO()
        (info.samplerate, info.channels, info.format) = (48_000, 2, CInt(code))
        return sf_format_check(&info) != 0
    }
}

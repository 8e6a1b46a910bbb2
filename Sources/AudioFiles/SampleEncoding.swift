// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The storage format of a file's samples. Any thread.

import CSndFile

/// The storage format of a file's uncompressed samples.
public enum SampleEncoding: String, CaseIterable, Sendable {
    /// 16-bit integers.
    case int16
    /// 24-bit integers.
    case int24
    /// 32-bit integers.
    case int32
    /// 32-bit floating point.
    case float32
    /// 64-bit floating point.
    case float64

    /// libsndfile's number for the encoding.
    var code: Int {
        switch self {
        case .int16: SF_FORMAT_PCM_16
        case .int24: SF_FORMAT_PCM_24
        case .int32: SF_FORMAT_PCM_32
        case .float32: SF_FORMAT_FLOAT
        case .float64: SF_FORMAT_DOUBLE
        }
    }

    /// The bits of an integer sample; nil for floating point.
    public var integerBitCount: Int? {
        switch self {
        case .int16: 16
        case .int24: 24
        case .int32: 32
        case .float32, .float64: nil
        }
    }

    /// The encoding of a libsndfile format; nil for a compressed one.
    init?(format: Int) {
        guard let encoding = Self.allCases.first(where: { $0.code == format & SF_FORMAT_SUBMASK }) else { return nil }
        self = encoding
    }
}

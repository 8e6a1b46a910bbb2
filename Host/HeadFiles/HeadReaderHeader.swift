// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The first message of the process that reads a file of a head: see `Host/HeadReader/Header.h`. Control thread.

/// The counts and the texts of a file, as a process says that has read it; nothing in it is trusted.
struct HeadReaderHeader {
    /// The arrays of a file, in the order in which their numbers arrive.
    enum Field: Int, CaseIterable {
        case sourcePosition, listenerPosition, listenerView, listenerUp, receiverPosition, sampleRate, delay, response
    }

    private static let textByteCount = 64
    private static let fieldCount = Field.allCases.count
    /// The bytes of a header: two numbers, six dimensions, a count for each array, two texts for each array, and two texts.
    static let byteCount = 4 * (2 + 6 + fieldCount) + textByteCount * (2 * fieldCount + 2)
    static let pieceByteCount = 4 * 8192

    private let bytes: [UInt8]

    /// Takes a message; nil if it is no header.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
        guard kind == 1 || kind == 2 else { return nil }
    }

    private func number(_ index: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[4 * index + $1]) << UInt32(8 * $1) }
    }

    private func text(_ index: Int) -> String {
        let start = 4 * (2 + 6 + Self.fieldCount) + index * Self.textByteCount
        return String(decoding: bytes[start..<start + Self.textByteCount].prefix { $0 != 0 }, as: UTF8.self)
    }

    private var kind: UInt32 { number(0) }
    /// True if the process could not read the file.
    var isRefusal: Bool { kind == 1 }
    /// libmysofa's error.
    var errorCode: Int32 { Int32(bitPattern: number(1)) }
    /// The number of receivers, R.
    var receiverCount: Int { Int(number(2 + 2)) }
    /// The number of emitters, E.
    var emitterCount: Int { Int(number(2 + 3)) }
    /// The samples of a response, N.
    var sampleCount: Int { Int(number(2 + 4)) }
    /// The number of measurements, M.
    var measurementCount: Int { Int(number(2 + 5)) }
    /// The numbers of an array.
    func count(_ field: Field) -> Int { Int(number(8 + field.rawValue)) }
    /// The coordinates of an array: `cartesian` or `spherical`.
    func type(_ field: Field) -> String { text(field.rawValue) }
    /// The units of an array.
    func units(_ field: Field) -> String { text(Self.fieldCount + field.rawValue) }
    /// The convention of the file, or the reason of a refusal.
    var convention: String { text(2 * Self.fieldCount) }
    /// The type of its data, such as `FIR`.
    var dataType: String { text(2 * Self.fieldCount + 1) }
}

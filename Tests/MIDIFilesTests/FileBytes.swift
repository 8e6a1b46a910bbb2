// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// MIDI files written by hand, byte by byte. Test thread.

/// Puts the parts of a file together.
enum FileBytes {
    static func header(format: Int, tracks: Int, division: Int = 96) -> [UInt8] {
        let words = [format, tracks, division].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        return Array("MThd".utf8) + [0, 0, 0, 6] as [UInt8] + words
    }

    static func chunk(_ contents: [UInt8], type: String = "MTrk") -> [UInt8] {
        let length = [24, 16, 8, 0].map { UInt8(contents.count >> $0 & 255) }
        return Array(type.utf8) + length + contents
    }

    /// Bytes in hexadecimal digits, two each.
    static func hex(_ text: String) -> [UInt8] { text.split(whereSeparator: \.isWhitespace).map { UInt8($0, radix: 16)! } }

    private static func track(_ text: String) -> [UInt8] { chunk(hex(text)) }

    /// The file of format 0 in the specification: four channels, three notes, 120 quarter notes a minute, 96 ticks each.
    static let formatZero =
        header(format: 0, tracks: 1)
        + track(
            """
            00 FF 58 04 04 02 18 08  00 FF 51 03 07 A1 20
            00 C0 05  00 C1 2E  00 C2 46
            00 92 30 60  00 3C 60  60 91 43 40  60 90 4C 20
            81 40 82 30 40  00 3C 40  00 81 43 40  00 80 4C 40
            00 FF 2F 00
            """)

    /// The same song in format 1: the first track has no notes, and notes end with a velocity of 0.
    static let formatOne = [
        header(format: 1, tracks: 4),
        track("00 FF 58 04 04 02 18 08  00 FF 51 03 07 A1 20  83 00 FF 2F 00"),
        track("00 C0 05  81 40 90 4C 20  81 40 4C 00  00 FF 2F 00"),
        track("00 C1 2E  60 91 43 40  82 20 43 00  00 FF 2F 00"),
        track("00 C2 46  00 92 30 60  00 3C 60  83 00 30 00  00 3C 00  00 FF 2F 00"),
    ].flatMap { $0 }

    /// One track with all that is skipped: an unknown chunk, a second name, a text, a device's message in two parts, a key
    /// signature, an unknown meta event, and a note after the end.
    static let crowded = [
        header(format: 1, tracks: 1, division: 480), chunk([1, 2, 3], type: "XYZW"),
        track(
            """
            00 FF 03 04 42 61 73 73  00 FF 03 01 58  00 FF 01 02 68 69
            00 F0 03 43 12 00  0A F7 02 10 F7  00 FF 59 02 00 00  00 FF 60 01 07
            0A B3 07 64  00 FF 06 02 5A FC  0A 0A 40
            00 E3 00 40  00 E3 7F 7F  00 D3 21  00 A3 3C 22
            87 68 FF 2F 00  00 93 40 40
            """),
    ].flatMap { $0 }
}

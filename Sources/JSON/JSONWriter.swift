// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes a value as bytes of JSON, on one line or several; names are sorted, so equal values are equal bytes. Any thread.

extension JSONValue {
    /// The value as JSON on one line.
    ///
    /// A number that JSON does not have becomes null.
    public var json: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, nil)
        return bytes
    }

    /// The value as JSON on several lines, without a line feed at the end.
    public var readableJSON: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, 0)
        return bytes
    }

    /// Writes the value; on several lines if `depth` is given.
    private func write(to bytes: inout [UInt8], _ depth: Int?) {
        switch self {
        case .null: bytes += "null".utf8
        case .flag(let flag): bytes += (flag ? "true" : "false").utf8
        case .number(let number): Self.write(number, to: &bytes)
        case .text(let text): Self.write(text, to: &bytes)
        case .list(let values):
            Self.write(values, "[", "]", to: &bytes, depth) { value, bytes, depth in value.write(to: &bytes, depth) }
        case .object(let members):
            Self.write(members.sorted { $0.key < $1.key }, "{", "}", to: &bytes, depth) { member, bytes, depth in
                Self.write(member.key, to: &bytes)
                bytes += (depth == nil ? ":" : " : ").utf8
                member.value.write(to: &bytes, depth)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], _ opening: Unicode.Scalar, _ closing: Unicode.Scalar, to bytes: inout [UInt8], _ depth: Int?,
        _ write: (Element, inout [UInt8], Int?) -> Void
    ) {
        bytes.append(UInt8(ascii: opening))
        defer { bytes.append(UInt8(ascii: closing)) }
        guard !elements.isEmpty else { return }
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine(&bytes, depth.map { $0 + 1 })
            write(element, &bytes, depth.map { $0 + 1 })
        }
        breakLine(&bytes, depth)
    }

    private static func breakLine(_ bytes: inout [UInt8], _ depth: Int?) {
        guard let depth else { return }
        bytes.append(0x0A)
        bytes += repeatElement(0x20, count: depth * 2)
    }

    private static func write(_ number: Double, to bytes: inout [UInt8]) {
        if !number.isFinite {
            bytes += "null".utf8
        } else if let whole = Int64(exactly: number), abs(whole) < 1 << 53 {
            bytes += "\(whole)".utf8
        } else {
            bytes += "\(number)".utf8
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += #"\""#.utf8
            case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
            case 0x0A: bytes += #"\n"#.utf8
            case 0x0D: bytes += #"\r"#.utf8
            case 0x09: bytes += #"\t"#.utf8
            case 0x08: bytes += #"\b"#.utf8
            case 0x0C: bytes += #"\f"#.utf8
            case ..<0x20: bytes += "\(byte < 0x10 ? "\\u000" : "\\u00")\(String(byte, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

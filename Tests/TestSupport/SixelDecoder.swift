// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads sixels as a terminal does, and refuses sequences that terminals may show in different ways. Any thread.

/// A picture that was sent to a terminal as sixels.
package struct SixelImage: Equatable, Sendable {
    package let width: Int
    package let height: Int
    /// The pixels as 0xFFRRGGBB, or 0 for unpainted ones.
    package private(set) var pixels: [UInt32]

    package subscript(x: Int, y: Int) -> UInt32 { pixels[y * width + x] }

    /// All pictures in the output of a program; nil stands for an invalid one.
    package static func images(in output: [UInt8]) -> [SixelImage?] {
        var images: [SixelImage?] = []
        var rest = output[...]
        while let start = rest.firstRange(of: [0x1B, 0x50]) {
            guard let end = rest[start.upperBound...].firstRange(of: [0x1B, 0x5C]) else { break }
            images.append(SixelImage(rest[start.lowerBound..<end.upperBound]))
            rest = rest[end.upperBound...]
        }
        return images
    }

    /// Reads a picture from the first byte of its sequence to the last one.
    package init?(_ bytes: some Sequence<UInt8>) {
        var decoder = Decoder(Array(bytes))
        guard let image = decoder.decode() else { return nil }
        self = image
    }

    fileprivate init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        pixels = Array(repeating: 0, count: width * height)
    }

    /// Paints the pixels of a column of six; false if one is painted twice or lies outside.
    fileprivate mutating func paint(_ bits: UInt8, _ color: UInt32, x: Int, y: Int) -> Bool {
        for row in 0..<6 where bits >> UInt8(row) & 1 == 1 {
            guard x < width, y + row < height, pixels[(y + row) * width + x] == 0 else { return false }
            pixels[(y + row) * width + x] = color
        }
        return true
    }
}

private struct Decoder {
    private let bytes: [UInt8]
    private var place = 0
    private var colors: [Int: UInt32] = [:]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[place...].starts(with: text.utf8) else { return false }
        place += text.utf8.count
        return true
    }

    /// Reads numbers between semicolons.
    private mutating func numbers() -> [Int] {
        var numbers = [0]
        while place < bytes.count {
            switch bytes[place] {
            case 0x30...0x39: numbers[numbers.count - 1] = min(99_999, numbers[numbers.count - 1] * 10 + Int(bytes[place]) - 0x30)
            case 0x3B: numbers.append(0)
            default: return numbers
            }
            place += 1
        }
        return numbers
    }

    mutating func decode() -> SixelImage? {
        // The second parameter keeps the background.
        guard take("\u{1B}P"), numbers() == [0, 1, 0], take("q\"") else { return nil }
        let raster = numbers()
        guard raster.count == 4, raster[..<2] == [1, 1], raster[2] > 0, raster[3] > 0 else { return nil }
        var image = SixelImage(width: raster[2], height: raster[3])
        var (x, y, color): (Int, Int, UInt32?) = (0, 0, nil)
        while place < bytes.count {
            if take("\u{1B}\\") { return place == bytes.count ? image : nil }
            let byte = bytes[place]
            place += 1
            switch byte {
            case 0x23:
                guard let selected = takeColor() else { return nil }
                color = selected
            case 0x24: x = 0
            case 0x2D: (x, y) = (0, y + 6)
            case 0x21, 0x3F...0x7E:
                let count = byte == 0x21 ? numbers()[0] : 1
                let sixel = byte == 0x21 ? bytes[place] : byte
                if byte == 0x21 { place += 1 }
                guard let color, count > 0, (0x3F...0x7E).contains(sixel) else { return nil }
                for _ in 0..<count {
                    guard image.paint(sixel - 0x3F, color, x: x, y: y) else { return nil }
                    x += 1
                }
            default: return nil
            }
        }
        return nil
    }

    /// Selects or defines a colour; a definition also selects it.
    private mutating func takeColor() -> UInt32? {
        let parts = numbers()
        guard parts[0] < 256 else { return nil }
        if parts.count == 5, parts[1] == 2, parts[2...].allSatisfy({ $0 <= 100 }) {
            let levels = parts[2...].map { UInt32(($0 * 255 + 50) / 100) }
            colors[parts[0]] = 0xFF00_0000 | levels[0] << 16 | levels[1] << 8 | levels[2]
        } else if parts.count != 1 {
            return nil
        }
        return colors[parts[0]]
    }
}

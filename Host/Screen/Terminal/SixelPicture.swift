// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A picture in pixels as sixels: the bytes that show it at a terminal's cursor. Any thread.

import Cells

/// Writes a picture in bands of six rows, and each band colour by colour.
///
/// The most frequent colours are exact. Any other colour becomes the nearest of these and of a small colour cube. So flat areas
/// and lines keep their true colours.
struct SixelPicture {
    private let size: PixelSize
    /// The number of each pixel's colour; `transparent` if the background is visible.
    private let indices: [UInt8]
    private let palette: [Color]
    private var bytes: [UInt8] = []

    /// Red, green and blue from 0 to 255; in sums also the number of pixels.
    private typealias Color = SIMD4<Int>

    /// The least number of colours: those of the smaller cube, and one exact colour.
    static let leastColors = 9
    /// The largest number of colours: index 255 means transparent.
    private static let mostColors = 240
    private static let transparent: UInt8 = 255
    private static let bandHeight = 6

    /// The bytes of a picture for a terminal that shows `colorCount` colours, at least `leastColors`.
    static func bytes(of picture: CellPixels, colorCount: Int = 256) -> [UInt8] {
        var sixels = SixelPicture(picture, min(max(leastColors, colorCount), mostColors))
        sixels.write()
        return sixels.bytes
    }

    private init(_ picture: CellPixels, _ colorCount: Int) {
        size = picture.size
        let (palette, numbers) = Self.palette(of: picture.pixels, colorCount)
        self.palette = palette
        indices = picture.pixels.map { $0 >> 31 == 1 ? numbers[Self.bin($0)] : Self.transparent }
    }

    // MARK: Colours

    /// The bin of a colour, which ignores the three lowest bits.
    private static func bin(_ pixel: UInt32) -> Int {
        let (red, green, blue): (UInt32, UInt32, UInt32) = (pixel >> 19 & 31, pixel >> 11 & 31, pixel >> 3 & 31)
        return Int(red << 10 | green << 5 | blue)
    }

    private static func color(_ pixel: UInt32) -> Color {
        Color(Int(pixel >> 16 & 255), Int(pixel >> 8 & 255), Int(pixel & 255), 1)
    }

    /// The colours to show, and the number of a colour for each bin.
    private static func palette(of pixels: [UInt32], _ colorCount: Int) -> (colors: [Color], numbers: [UInt8]) {
        var sums = [Color](repeating: .zero, count: 1 << 15)
        for pixel in pixels where pixel >> 31 == 1 { sums[bin(pixel)] &+= color(pixel) }
        var numbers = [UInt8](repeating: transparent, count: sums.count)
        // The most frequent first.
        let counts: [Int] = sums.map { $0.w }
        let bins: [Int] = counts.indices.filter { counts[$0] > 0 }.sorted { one, other in
            counts[one] == counts[other] ? one < other : counts[one] > counts[other]
        }
        let means: [Color] = bins.map { sums[$0] / Color(repeating: counts[$0]) }
        if bins.count <= colorCount {
            for (index, bin) in bins.enumerated() { numbers[bin] = UInt8(index) }
            return (means, numbers)
        }
        // The exact colours, and the corners of the cube; if there is room, with two levels between them.
        let cube: [Color] = colorCount >= 128 ? Self.cube(side: 4) : Self.cube(side: 2)
        let ownCount = colorCount - cube.count
        let colors = Array(means.prefix(ownCount)) + cube
        for (index, bin) in bins.enumerated() {
            numbers[bin] = index < ownCount ? UInt8(index) : nearest(means[index], colors)
        }
        return (colors, numbers)
    }

    private static func cube(side: Int) -> [Color] {
        (0..<side * side * side).map { step in
            Color(step / (side * side), step / side % side, step % side, 0) &* (255 / (side - 1))
        }
    }

    private static func nearest(_ color: Color, _ colors: [Color]) -> UInt8 {
        var (best, least) = (0, Int.max)
        for (index, other) in colors.enumerated() {
            let difference = color &- other
            let (red, green, blue) = (difference.x, difference.y, difference.z)
            // The eye is most sensitive to green.
            let distance = 2 * red * red + 4 * green * green + 3 * blue * blue
            if distance < least { (best, least) = (index, distance) }
        }
        return UInt8(best)
    }

    // MARK: Bytes

    private mutating func write() {
        // Pixels without a colour keep the background; a pixel is as high as it is wide.
        append("\u{1B}P0;1;0q\"1;1;")
        append(number: size.width)
        append(";")
        append(number: size.height)
        writePalette()
        for top in stride(from: 0, to: size.height, by: Self.bandHeight) {
            if top > 0 { append("-") }
            writeBand(top, min(top + Self.bandHeight, size.height))
        }
        append("\u{1B}\\")
    }

    private mutating func writePalette() {
        var isUsed = [Bool](repeating: false, count: 256)
        for index in indices { isUsed[Int(index)] = true }
        for (index, color) in palette.enumerated() where isUsed[index] {
            append("#")
            append(number: index)
            append(";2")
            for part in [color.x, color.y, color.z] {
                append(";")
                // In percent.
                append(number: (part * 100 + 127) / 255)
            }
        }
    }

    /// Writes six rows: the columns of each colour, whose lowest bit is the top row.
    private mutating func writeBand(_ top: Int, _ bottom: Int) {
        var slots = [Int](repeating: -1, count: 256)
        var columns: [[UInt8]] = []
        var colors: [Int] = []
        for row in top..<bottom {
            for column in 0..<size.width {
                let color = Int(indices[row * size.width + column])
                guard color != Int(Self.transparent) else { continue }
                if slots[color] < 0 {
                    slots[color] = columns.count
                    columns.append([UInt8](repeating: 0, count: size.width))
                    colors.append(color)
                }
                columns[slots[color]][column] |= 1 << UInt8(row - top)
            }
        }
        for (slot, color) in colors.enumerated() {
            if slot > 0 { append("$") }
            append("#")
            append(number: color)
            writeRuns(columns[slot])
        }
    }

    private mutating func writeRuns(_ columns: [UInt8]) {
        var start = 0
        // Trailing empty columns are omitted.
        let end = (columns.lastIndex { $0 != 0 } ?? -1) + 1
        while start < end {
            let bits = columns[start]
            var next = start + 1
            while next < end, columns[next] == bits { next += 1 }
            if next - start > 3 {
                append("!")
                append(number: next - start)
                bytes.append(63 + bits)
            } else {
                bytes.append(contentsOf: repeatElement(63 + bits, count: next - start))
            }
            start = next
        }
    }

    private mutating func append(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }

    private mutating func append(number: Int) {
        if number >= 10 { append(number: number / 10) }
        bytes.append(UInt8(0x30 + number % 10))
    }
}

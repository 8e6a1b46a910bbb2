// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Pictures as sixels, read again, and when they are written. Test thread.

import Cells
import TestSupport
import Testing

@testable import Screen

/// The greatest difference of two colours in red, green or blue.
private func distance(_ one: UInt32, _ other: UInt32) -> Int {
    [UInt32(0), 8, 16].map { abs(Int(one >> $0 & 255) - Int(other >> $0 & 255)) }.max() ?? 0
}

private func picture(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> UInt32) -> CellPixels {
    let pixels = (0..<width * height).map { pixel($0 % width, $0 / width) }
    let part = CellRectangle(column: 2, row: 1, columnCount: (width + 9) / 10, rowCount: (height + 19) / 20)
    return CellPixels(part: part, size: PixelSize(width: width, height: height), pixels: pixels)!
}

@Suite struct SixelPictureTests {
    private func decode(_ picture: CellPixels) throws -> SixelImage {
        let image = try #require(SixelImage(SixelPicture.bytes(of: picture)))
        #expect(image.width == picture.size.width && image.height == picture.size.height)
        return image
    }

    @Test(arguments: [(1, 1), (7, 6), (300, 13), (5, 100), (64, 64)]) func fewColoursAreShownAsTheyAre(width: Int, height: Int)
        throws
    {
        let colors: [UInt32] = [0xFF00_0000, 0xFFFF_FFFF, 0xFF12_3456, 0xFFE0_2010, 0x7FFF_FFFF]
        let source = picture(width, height) { x, y in colors[(x / 5 + y / 3 + x * y % 2) % 5] }
        let image = try decode(source)
        for (found, wanted) in zip(image.pixels, source.pixels) {
            // A terminal takes colours in percent.
            if wanted >> 31 == 0 { #expect(found == 0) } else { #expect(found != 0 && distance(found, wanted) <= 2) }
        }
    }

    @Test func manyColoursAreShownByNearOnes() throws {
        var random = Seed()
        let source = picture(200, 50) { x, y in
            // A flat ground with a gradient and noise beside it.
            if x < 100 { return 0xFF20_2428 }
            if x < 150 { return 0xFF00_0000 | UInt32(x * 5 & 255) << 16 | UInt32(y * 5) << 8 | UInt32(255 - y * 5) }
            return UInt32.random(in: 0xFF00_0000...(.max), using: &random)
        }
        let image = try decode(source)
        let distances = zip(image.pixels, source.pixels).map { $0 == 0 ? 256 : distance($0, $1) }
        #expect(distances.allSatisfy { $0 <= 100 } && distances.reduce(0, +) < 20 * distances.count)
        for y in 0..<50 { #expect(distance(image[0, y], 0xFF20_2428) <= 2) }
        #expect(Set(image.pixels).count <= 240)
    }

    /// Terminals of old have 16 colours.
    @Test(arguments: [16, 0]) func noMoreColoursAreUsedThanTheTerminalHas(colorCount: Int) throws {
        let source = picture(100, 60) { x, y in y < 50 ? 0xFF20_2428 : 0xFF00_0000 | UInt32(x * 2) << 16 | UInt32(y * 4) }
        let image = try #require(SixelImage(SixelPicture.bytes(of: source, colorCount: colorCount)))
        let colors = Set(image.pixels)
        #expect(colors.count <= max(9, colorCount) && !colors.contains(0) && distance(image[0, 0], 0xFF20_2428) <= 2)
        #expect(colors.contains { $0 >> 16 & 255 > 100 } && colors.contains { $0 & 255 > 100 })
    }

    @Test func flatPicturesAreShort() {
        #expect(SixelPicture.bytes(of: picture(1000, 600) { _, _ in 0xFF40_8020 }).count < 1000)
    }
}

@Suite struct PixelWriterTests {
    private let kind = TerminalKind(colorCount: 256, isASCII: false, entering: "", leaving: "")
    private let cell = PixelSize(width: 10, height: 20)

    /// Words below a picture that is not opaque where its level is 0.
    private func grid(_ level: UInt32?, columns: Int = 10, rows: Int = 5) -> CellGrid {
        var grid = CellGrid(columnCount: columns, rowCount: rows)
        for row in 0..<rows { grid.put("below", column: 2, row: row) }
        grid.pixels = level.map { level in picture(30, 40) { _, _ in level == 0 ? 0 : 0xFF00_0000 | level } }
        return grid
    }

    private func written(_ new: CellGrid, after old: CellGrid?, cell: PixelSize? = nil) -> (cells: String, images: [SixelImage?]) {
        let (_, shown) = old.map { PixelWriter.bytes(for: $0, after: nil, on: kind, cell: cell ?? self.cell) } ?? ([], new)
        let bytes = PixelWriter.bytes(for: new, after: old == nil ? nil : shown, on: kind, cell: cell ?? self.cell).bytes
        let cells = bytes.prefix(bytes.firstRange(of: [0x1B, 0x50])?.lowerBound ?? bytes.count)
        return (String(decoding: cells, as: UTF8.self), SixelImage.images(in: bytes))
    }

    @Test func aPictureTakesThePlaceOfItsCells() throws {
        let (cells, images) = written(grid(0xFF), after: nil)
        #expect(cells.hasSuffix("\u{1B}[2;3H"), "it begins in the corner of its part")
        #expect(images.count == 1 && images[0]?[0, 0] == 0xFF00_00FF)
        // Rows 0, 3 and 4 have all of their words, and the others what is right of the picture.
        #expect(cells.components(of: "below") == 3 && cells.components(of: "ow") == 5)
    }

    @Test func whatIsTheSameIsNotWritten() {
        #expect(written(grid(0xFF), after: grid(0xFF)) == ("", []))
        var changed = grid(0xFF)
        changed.put("x", column: 0, row: 4)
        #expect(written(changed, after: grid(0xFF)).images.isEmpty)
        // A character beside the picture may be wider than it seems.
        changed.put("x", column: 1, row: 1)
        #expect(written(changed, after: grid(0xFF)).images.count == 1)
    }

    @Test func anOpaquePictureIsReplacedWithoutItsCells() {
        let (cells, images) = written(grid(0xFF), after: grid(0xAA00))
        #expect(cells == "\u{1B}[2;3H" && images.count == 1)
        // Through the other one the former picture would be seen.
        #expect(written(grid(0), after: grid(0xFF)).cells.contains("   "))
    }

    @Test func aPictureThatGoesLeavesItsCells() {
        let (cells, images) = written(grid(nil), after: grid(0xFF))
        #expect(cells.components(of: "bel") == 2 && images.isEmpty)
    }

    @Test func whereItCannotBeShownItsCellsAre() {
        // No pixels, smaller cells, and the last row, which would scroll.
        for (grid, cell) in [
            (grid(0xFF), PixelSize.none), (grid(0xFF), PixelSize(width: 9, height: 20)),
            (grid(0xFF), PixelSize(width: 10, height: 19)),
            (grid(0xFF, rows: 3), self.cell),
        ] {
            let (cells, images) = written(grid, after: nil, cell: cell)
            #expect(images.isEmpty && cells.components(of: "below") == grid.rowCount)
        }
    }
}

extension String {
    /// How often a text is in it.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}

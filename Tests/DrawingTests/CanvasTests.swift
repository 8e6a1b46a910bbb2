// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Pictures as files: their first bytes and their sizes. Any thread.

import Drawing
import Testing

@Suite struct CanvasTests {
    private func bytes(_ format: PictureFormat, width: Int, height: Int) throws -> [UInt8] {
        let canvas = try Canvas(width: width, height: height, format: format)
        canvas.fill(Box(x: 2, y: 2, width: 10, height: 5), .distinct(0))
        canvas.stroke([Point(0, 0), Point(20, 20)], .ink, width: 2, dash: [3, 1])
        canvas.text("µs", at: Point(5, 15), size: 11, .ink, .middle)
        return try canvas.finish()
    }

    @Test func aPNGHasItsSignatureAndItsSize() throws {
        let bytes = try bytes(.png, width: 300, height: 70)
        #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(bytes[16..<24] == [0, 0, 1, 44, 0, 0, 0, 70])
    }

    @Test func aPNGHasTheColoursWhereTheyWereDrawn() throws {
        let picture = try PixelReader(png: try bytes(.png, width: 300, height: 70))
        #expect(picture[9, 4] == 0x0072B2 && picture[11, 3] == 0x0072B2)
        #expect(picture[13, 4] == 0xFFFFFF && picture[5, 60] == 0xFFFFFF && picture[299, 69] == 0xFFFFFF)
        // The text is somewhere around its point.
        #expect((0..<12).contains { x in (10..<26).contains { y in x < y - 4 && picture[x, y] & 0xFF < 0x80 } })
    }

    @Test func anSVGHasItsSizeAndWhatWasDrawn() throws {
        let text = String(decoding: try bytes(.svg, width: 300, height: 70), as: UTF8.self)
        #expect(text.contains("viewBox=\"0 0 300 70\"") && text.hasSuffix("</svg>\n"))
        #expect(text.contains("M 2 2 L 12 2 L 12 7 L 2 7 Z"))
        // cairo 1.16 writes a style, and 1.18 attributes.
        let dashes = ["stroke-dasharray:3,1", "stroke-dasharray=\"3 1\""]
        #expect(text.contains("M 0 0 L 20 20") && dashes.contains { text.contains($0) })
        #expect(text.contains("<use "), "the text is there as glyphs")
    }

    @Test func moreThanCairoHasPixelsForIsRefused() {
        #expect(throws: DrawingError.self) { _ = try Canvas(width: 10, height: Canvas.longestSide + 1, format: .png) }
    }

    @Test func theEndingNamesTheFormat() {
        #expect(PictureFormat(path: "a.svg") == .svg && PictureFormat(path: "/b/c.x/d.PNG") == .png)
        for path in ["a", "svg", "a.jpg", "a.png/b", "a.svg.gz", ""] { #expect(PictureFormat(path: path) == nil, "\(path)") }
    }

    @Test func longerTextIsWider() throws {
        let canvas = try Canvas(width: 10, height: 10, format: .png)
        #expect(canvas.width(of: "floor", size: 12) < canvas.width(of: "floor and more", size: 12))
        #expect(canvas.width(of: "floor", size: 12) < canvas.width(of: "floor", size: 24))
    }

    @Test func theFirstColoursDiffer() { #expect(Set((0..<28).map(Colour.distinct)).count == 28) }
}

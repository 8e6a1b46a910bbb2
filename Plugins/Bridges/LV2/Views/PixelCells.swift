// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A picture of pixels in character cells: half blocks in colours, or dots without them. The view's thread.

import PluginSDK

/// Draws pictures in the middle of a part of a grid, without distortion.
struct PixelCells {
    let picture: PixelPicture
    /// The number of colours that are shown.
    let colorCount: Int

    /// Below this alpha, the terminal's own background is shown.
    static let leastAlpha: Float = 0.25

    /// Draws the picture, and returns its cells.
    func draw(into grid: inout CellGrid, _ part: CellRectangle) -> CellRectangle {
        guard !part.isEmpty else { return part }
        return colorCount < 8 ? drawDots(into: &grid, part) : drawHalves(into: &grid, part)
    }

    // MARK: Colours

    /// A pixel for each column, and two for each row.
    private func drawHalves(into grid: inout CellGrid, _ part: CellRectangle) -> CellRectangle {
        let size = picture.fitted(width: part.columnCount, height: 2 * part.rowCount)
        let place = part.centred(columnCount: size.width, rowCount: (size.height + 1) / 2)
        drawHalves(into: &grid, place, height: size.height)
        return place
    }

    /// Draws two pixels in each cell of a place; `height` counts the pixels from top to bottom.
    func drawHalves(into grid: inout CellGrid, _ place: CellRectangle, height: Int) {
        let size = (width: place.columnCount, height: height)
        let small = picture.scaled(width: size.width, height: size.height)
        for row in 0..<place.rowCount {
            for column in 0..<size.width {
                let index = 2 * row * size.width + column
                let lower = 2 * row + 1 < size.height ? small.pixels[index + size.width] : .zero
                grid[place.column + column, place.row + row] = cell(small.pixels[index], lower)
            }
        }
    }

    private func cell(_ upper: Pixel, _ lower: Pixel) -> Cell {
        switch (upper.w >= Self.leastAlpha, lower.w >= Self.leastAlpha) {
        case (false, false): return Cell()
        case (true, false): return Cell("▀", CellStyle(foreground: color(upper)))
        case (false, true): return Cell("▄", CellStyle(foreground: color(lower)))
        case (true, true):
            let (above, below) = (color(upper), color(lower))
            return above == below
                ? Cell(" ", CellStyle(background: above)) : Cell("▀", CellStyle(foreground: above, background: below))
        }
    }

    private func color(_ pixel: Pixel) -> CellColor { PixelColors.color(of: pixel, among: colorCount) }

    // MARK: Dots

    /// Two dots for each column and four for each row, where the picture differs from its background.
    private func drawDots(into grid: inout CellGrid, _ part: CellRectangle) -> CellRectangle {
        let size = picture.fitted(width: 2 * part.columnCount, height: 4 * part.rowCount)
        let small = picture.scaled(width: size.width, height: size.height)
        let place = part.centred(columnCount: (size.width + 1) / 2, rowCount: (size.height + 3) / 4)
        let levels = small.pixels.map { 0.3 * $0.x + 0.59 * $0.y + 0.11 * $0.z }
        let background = Self.mostFrequent(levels)
        let greatest = levels.reduce(0) { max($0, abs($1 - background)) }
        guard greatest > 0.05 else { return place }
        var plot = BraillePlot(columnCount: place.columnCount, rowCount: place.rowCount)
        for (index, level) in levels.enumerated() where abs(level - background) > 0.3 * greatest {
            plot.set(x: index % size.width, y: index / size.width)
        }
        plot.draw(into: &grid, column: place.column, row: place.row)
        return place
    }

    /// The brightness that most pixels have, to a sixteenth.
    private static func mostFrequent(_ levels: [Float]) -> Float {
        var counts = [Int](repeating: 0, count: 16)
        var sums = [Float](repeating: 0, count: 16)
        for level in levels {
            let bin = max(0, min(15, Int(level * 16)))
            counts[bin] += 1
            sums[bin] += level
        }
        let bin = counts.indices.max { counts[$0] < counts[$1] } ?? 0
        return counts[bin] > 0 ? sums[bin] / Float(counts[bin]) : 0
    }
}

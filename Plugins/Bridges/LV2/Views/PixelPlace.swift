// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The position of a picture on a screen with pixels, and the picture in those pixels. The view's thread.

import PluginSDK

/// A picture in the middle of a part of a view, without distortion on the screen.
struct PixelPlace {
    /// The cells that the picture replaces.
    let part: CellRectangle
    private let size: PixelSize

    /// Finds the largest size that fits into a part with at most `capacity` pixels; nil for a screen without pixels.
    init?(_ picture: PixelPicture, in part: CellRectangle, cell: PixelSize, capacity: Int) {
        guard !cell.isEmpty, !part.isEmpty, capacity > 0 else { return nil }
        var size = picture.fitted(width: part.columnCount * cell.width, height: part.rowCount * cell.height)
        if size.width * size.height > capacity {
            let scale = (Double(capacity) / Double(size.width * size.height)).squareRoot()
            size = picture.fitted(width: Int(Double(size.width) * scale), height: Int(Double(size.height) * scale))
            guard size.width * size.height <= capacity else { return nil }
        }
        self.size = PixelSize(width: size.width, height: size.height)
        self.part = part.centred(
            columnCount: (size.width + cell.width - 1) / cell.width, rowCount: (size.height + cell.height - 1) / cell.height)
    }

    /// The picture for a grid, opaque where the cells below it are opaque.
    func pixels(of picture: PixelPicture) -> CellPixels? {
        let isSame = picture.width == size.width && picture.height == size.height
        let scaled = isSame ? picture : picture.scaled(width: size.width, height: size.height)
        return CellPixels(part: part, size: size, pixels: scaled.pixels.map(Self.word))
    }

    private static func word(_ pixel: Pixel) -> UInt32 {
        guard pixel.w >= PixelCells.leastAlpha else { return 0 }
        let bytes = SIMD4<UInt32>(
            (pixel * 255).rounded(.toNearestOrAwayFromZero).clamped(lowerBound: .zero, upperBound: Pixel(repeating: 255)))
        return 0xFF00_0000 | bytes.x << 16 | bytes.y << 8 | bytes.z
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A picture in pixels over a part of a screen of cells, for terminals that show pixels. One thread.

/// A size in pixels.
public struct PixelSize: Hashable, Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int

    /// Makes a size; a negative side becomes 0.
    public init(width: Int, height: Int) { (self.width, self.height) = (max(0, width), max(0, height)) }

    /// No pixels at all, such as a cell has on a screen of characters alone.
    public static let none = PixelSize(width: 0, height: 0)

    /// Whether there are no pixels.
    public var isEmpty: Bool { width == 0 || height == 0 }
}

/// A picture in pixels that a screen may show in the place of a part of its cells.
///
/// Its upper left corner is that of the part. A screen without pixels shows the cells.
public struct CellPixels: Hashable, Sendable {
    /// The cells whose place it takes.
    public internal(set) var part: CellRectangle
    /// The width and height.
    public let size: PixelSize
    /// 0xAARRGGBB for each pixel, row by row; where the alpha is less than 128, the background of the screen is seen.
    public let pixels: [UInt32]

    /// Makes a picture; nil if it or its part is empty, or if the number of pixels is another one.
    public init?(part: CellRectangle, size: PixelSize, pixels: [UInt32]) {
        guard !part.isEmpty, !size.isEmpty, pixels.count == size.width * size.height else { return nil }
        (self.part, self.size, self.pixels) = (part, size, pixels)
    }

    /// Whether nothing of the background is seen through it.
    public var isOpaque: Bool { pixels.allSatisfy { $0 >> 31 == 1 } }

    /// Whether it lies within its part, where a cell has that size.
    public func fits(cell: PixelSize) -> Bool {
        size.width <= part.columnCount * cell.width && size.height <= part.rowCount * cell.height
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A picture in pixels over a rectangle of cells, for terminals that show pixels. One thread.

/// A size in pixels.
public struct PixelSize: Hashable, Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int

    /// Makes a size; a negative side becomes 0.
    public init(width: Int, height: Int) { (self.width, self.height) = (max(0, width), max(0, height)) }

    /// No pixels, as on a screen that shows only characters.
    public static let none = PixelSize(width: 0, height: 0)

    /// True if there are no pixels.
    public var isEmpty: Bool { width == 0 || height == 0 }
}

/// A picture in pixels that a screen may show in place of some cells.
///
/// It begins at the upper left corner of the rectangle. A screen without pixels shows the cells.
public struct CellPixels: Hashable, Sendable {
    /// The cells that the picture replaces.
    public internal(set) var part: CellRectangle
    /// The size in pixels.
    public let size: PixelSize
    /// 0xAARRGGBB for each pixel, row by row; where alpha is less than 128, the screen's background shows.
    public let pixels: [UInt32]

    /// Makes a picture; nil if it or its rectangle is empty, or if the number of pixels is wrong.
    public init?(part: CellRectangle, size: PixelSize, pixels: [UInt32]) {
        guard !part.isEmpty, !size.isEmpty, pixels.count == size.width * size.height else { return nil }
        (self.part, self.size, self.pixels) = (part, size, pixels)
    }

    /// Makes a picture from red, green, blue and alpha of each pixel, a byte each.
    public init?(part: CellRectangle, size: PixelSize, bytes: [UInt8]) {
        guard bytes.count == 4 * size.width * size.height else { return nil }
        let pixels = stride(from: 0, to: bytes.count, by: 4).map { place in
            let (red, green) = (UInt32(bytes[place]), UInt32(bytes[place + 1]))
            let (blue, alpha) = (UInt32(bytes[place + 2]), UInt32(bytes[place + 3]))
            return alpha << 24 | red << 16 | green << 8 | blue
        }
        self.init(part: part, size: size, pixels: pixels)
    }

    /// Red, green, blue and alpha of each pixel, a byte each.
    public var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 4 * pixels.count) { buffer, count in
            for (index, pixel) in pixels.enumerated() {
                buffer[4 * index] = UInt8(truncatingIfNeeded: pixel >> 16)
                buffer[4 * index + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
                buffer[4 * index + 2] = UInt8(truncatingIfNeeded: pixel)
                buffer[4 * index + 3] = UInt8(truncatingIfNeeded: pixel >> 24)
            }
            count = 4 * pixels.count
        }
    }

    /// True if the picture hides all of the background.
    public var isOpaque: Bool { pixels.allSatisfy { $0 >> 31 == 1 } }

    /// True if the picture lies within its rectangle, for cells of the given size.
    public func fits(cell: PixelSize) -> Bool {
        size.width <= part.columnCount * cell.width && size.height <= part.rowCount * cell.height
    }
}

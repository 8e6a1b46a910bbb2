// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The shapes and colours of a picture: points, boxes, colours. Any thread.

/// A position in points, from the upper left of the picture.
package struct Point: Hashable, Sendable {
    /// The distances from the left and from the top.
    package var x, y: Double
    /// Makes a point.
    package init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
}

/// A rectangle in points.
package struct Box: Hashable, Sendable {
    /// The upper left corner and the size.
    package var x, y, width, height: Double
    /// Makes a box.
    package init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// The right edge.
    package var right: Double { x + width }
    /// The bottom edge.
    package var bottom: Double { y + height }
}

/// The kinds of letters, named as the system's fonts.
package enum FontFamily: String, Sendable {
    /// Letters of different widths, and letters of equal width.
    case proportional = "sans-serif"
    case monospaced = "monospace"
}

/// The part of a text that lies at its point.
package enum Anchor: Sendable { case start, middle, end }

/// A colour; each part is 0 to 1.
package struct Colour: Hashable, Sendable {
    /// The parts of the colour.
    package var red, green, blue: Double
    /// 0 is invisible, 1 opaque.
    package var opacity = 1.0

    /// Makes an opaque colour from `0xRRGGBB`.
    package init(_ number: UInt32) {
        red = Double(number >> 16 & 255) / 255
        green = Double(number >> 8 & 255) / 255
        blue = Double(number & 255) / 255
    }

    /// The same colour with another opacity.
    package func faded(to opacity: Double) -> Colour {
        var colour = self
        colour.opacity = opacity
        return colour
    }

    /// The colour of paper.
    package static let white = Colour(0xFFFFFF)
    /// The colour of text and axes.
    package static let ink = Colour(0x222222)
    /// The colour of grid lines.
    package static let pale = Colour(0xE4E4E4)
    /// The colour of secondary lines and text.
    package static let grey = Colour(0x777777)

    /// The colour of curve `index`; no two curves have the same.
    ///
    /// People with impaired colour vision can also distinguish the first ones (Okabe and Ito). The next ones are darker, and
    /// then lighter, shades of them.
    package static func distinct(_ index: Int) -> Colour {
        let base: [UInt32] = [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x8C6D31]
        var colour = Colour(base[index % base.count])
        let shade = [1, 0.62, 1.3, 0.4][index / base.count % 4]
        (colour.red, colour.green, colour.blue) = (
            min(1, colour.red * shade), min(1, colour.green * shade), min(1, colour.blue * shade)
        )
        return colour
    }
}

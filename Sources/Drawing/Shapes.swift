// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What is drawn with: points, boxes and colours. Any thread.

/// From the upper left of the picture.
public struct Point: Hashable, Sendable {
    public var x, y: Double
    public init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
}

public struct Box: Hashable, Sendable {
    public var x, y, width, height: Double
    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    public var right: Double { x + width }
    public var bottom: Double { y + height }
}

/// Where the point is that a text is drawn at.
public enum Anchor: Sendable { case start, middle, end }

/// From 0 to 1 each.
public struct Colour: Hashable, Sendable {
    public var red, green, blue: Double
    public var opacity = 1.0

    /// 0xRRGGBB
    public init(_ number: UInt32) {
        red = Double(number >> 16 & 255) / 255
        green = Double(number >> 8 & 255) / 255
        blue = Double(number & 255) / 255
    }

    public func faded(to opacity: Double) -> Colour {
        var colour = self
        colour.opacity = opacity
        return colour
    }

    public static let white = Colour(0xFFFFFF)
    public static let ink = Colour(0x222222)
    public static let pale = Colour(0xE4E4E4)
    public static let grey = Colour(0x777777)

    /// The first are told apart by people who see colours otherwise, too (Okabe and Ito); those that follow are darker and then
    /// lighter ones of the same.
    public static func distinct(_ index: Int) -> Colour {
        let base: [UInt32] = [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x8C6D31]
        var colour = Colour(base[index % base.count])
        let shade = [1, 0.62, 1.3, 0.4][index / base.count % 4]
        (colour.red, colour.green, colour.blue) = (
            min(1, colour.red * shade), min(1, colour.green * shade), min(1, colour.blue * shade)
        )
        return colour
    }
}

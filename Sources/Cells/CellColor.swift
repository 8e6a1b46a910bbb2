// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The colour of a cell: the terminal's own, one of a palette, or red, green and blue. Any thread.

/// A colour.
///
/// The terminal's own colour suits light and dark terminals alike. So do the first eight of the palette, mostly.
public struct CellColor: BitwiseCopyable, Hashable, Sendable {
    /// The kind in the highest byte, 0 to 2, and the number in the lower three.
    public let rawValue: UInt32

    /// Makes a colour from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The terminal's own colour, of the text or the background.
    public static let terminal = CellColor(rawValue: 0)

    /// One of the palette's 256 colours; the first eight are black, red, green, yellow, blue, magenta, cyan and white.
    public static func palette(_ index: UInt8) -> CellColor { CellColor(rawValue: 1 << 24 | UInt32(index)) }

    /// A colour from red, green and blue; a terminal with fewer colours shows the nearest one.
    public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> CellColor {
        CellColor(rawValue: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    /// The palette's red.
    public static let red = palette(1)
    /// The palette's green.
    public static let green = palette(2)
    /// The palette's yellow.
    public static let yellow = palette(3)
    /// The palette's blue.
    public static let blue = palette(4)
    /// The palette's magenta.
    public static let magenta = palette(5)
    /// The palette's cyan.
    public static let cyan = palette(6)

    /// The same colour, or the terminal's own for invalid bits.
    var cleaned: CellColor {
        switch rawValue >> 24 {
        case 1: .palette(UInt8(truncatingIfNeeded: rawValue))
        case 2: self
        default: .terminal
        }
    }

    /// The nearest colour of a palette of `count` colours: 256, 16 or 8; the terminal's own for fewer.
    public func among(_ count: Int) -> CellColor {
        guard count >= 8 else { return .terminal }
        switch rawValue >> 24 {
        case 1:
            let index = UInt8(truncatingIfNeeded: rawValue)
            if Int(index) < count { return self }
            return index < 16 ? .palette(index & 7) : Self.nearest(Self.components(of: index), count)
        case 2:
            return Self.nearest((Int(rawValue >> 16 & 255), Int(rawValue >> 8 & 255), Int(rawValue & 255)), count)
        default: return .terminal
        }
    }

    private typealias Components = (red: Int, green: Int, blue: Int)

    /// The colours from 16 on: a cube of 6 × 6 × 6, then 24 greys.
    private static func components(of index: UInt8) -> Components {
        guard index < 232 else {
            let grey = 8 + 10 * (Int(index) - 232)
            return (grey, grey, grey)
        }
        func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }
        let cube = Int(index) - 16
        return (level(cube / 36), level(cube / 6 % 6), level(cube % 6))
    }

    private static func nearest(_ color: Components, _ count: Int) -> CellColor {
        func step(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
        if count >= 256 {
            return .palette(UInt8(16 + 36 * step(color.red) + 6 * step(color.green) + step(color.blue)))
        }
        let highest = max(color.red, color.green, color.blue)
        // Grey and near grey become the terminal's own colour, which is readable on any background.
        guard highest - min(color.red, color.green, color.blue) > 40 else { return .terminal }
        func bit(_ value: Int, _ place: UInt8) -> UInt8 { value * 2 > highest ? place : 0 }
        return .palette(bit(color.red, 1) | bit(color.green, 2) | bit(color.blue, 4))
    }
}

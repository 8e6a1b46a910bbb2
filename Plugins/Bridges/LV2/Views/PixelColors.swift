// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The terminal's colours that are nearest to a pixel's. The view's thread.

import PluginSDK

/// Finds colours of a terminal, including black and greys: a picture has its own background.
enum PixelColors {
    /// The nearest of `count` colours: 8, 16, 256, or any.
    static func color(of pixel: Pixel, among count: Int) -> CellColor {
        let bytes = (pixel * 255).rounded(.toNearestOrAwayFromZero).clamped(lowerBound: .zero, upperBound: Pixel(repeating: 255))
        if count > 256 { return .rgb(UInt8(bytes.x), UInt8(bytes.y), UInt8(bytes.z)) }
        let candidates =
            count >= 256 ? [cube(bytes), grey(bytes)] : Array(basic.prefix(count >= 16 ? 16 : 8).enumerated().map { ($0, $1) })
        let nearest = candidates.min { distance($0.1, bytes) < distance($1.1, bytes) }
        return .palette(UInt8(nearest?.0 ?? 0))
    }

    /// The first sixteen colours of most terminals.
    private static let basic: [Pixel] = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ].map { (bits: UInt32) in Pixel(Float(bits >> 16), Float(bits >> 8 & 255), Float(bits & 255), 0) }

    /// The nearest of 6 × 6 × 6, and its components.
    private static func cube(_ bytes: Pixel) -> (Int, Pixel) {
        func step(_ value: Float) -> Int { value < 48 ? 0 : value < 115 ? 1 : min(5, (Int(value) - 35) / 40) }
        func level(_ step: Int) -> Float { step == 0 ? 0 : Float(55 + 40 * step) }
        let (red, green, blue) = (step(bytes.x), step(bytes.y), step(bytes.z))
        return (16 + 36 * red + 6 * green + blue, Pixel(level(red), level(green), level(blue), 0))
    }

    /// The nearest of 24 greys.
    private static func grey(_ bytes: Pixel) -> (Int, Pixel) {
        let step = max(0, min(23, Int(((bytes.x + bytes.y + bytes.z) / 3 - 3) / 10)))
        let level = Float(8 + 10 * step)
        return (232 + step, Pixel(level, level, level, 0))
    }

    private static func distance(_ one: Pixel, _ other: Pixel) -> Float {
        let difference = one - other
        return difference.x * difference.x + difference.y * difference.y + difference.z * difference.z
    }
}

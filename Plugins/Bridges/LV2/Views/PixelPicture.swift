// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A picture of pixels by a plug-in: checked, copied, and scaled. The view's thread.

import CLV2Shims

/// Red, green, blue and alpha from 0 to 1; the colours are multiplied by alpha.
typealias Pixel = SIMD4<Float>

/// The reason why a plug-in's picture cannot be shown.
struct PictureDefect: Error {
    let sentence: String
}

extension Result where Failure == PictureDefect {
    var defect: PictureDefect? {
        if case .failure(let defect) = self { defect } else { nil }
    }
}

/// Pixels, row by row.
struct PixelPicture: Equatable {
    let width: Int
    let height: Int
    private(set) var pixels: [Pixel]

    /// Stands in for an instance without a picture.
    static let transparent = PixelPicture(width: 1, height: 1, pixels: [.zero])

    /// More pixels than any view has.
    private static let (longestSide, mostPixels) = (8192, 1 << 22)

    init(width: Int, height: Int, pixels: [Pixel]) { (self.width, self.height, self.pixels) = (width, height, pixels) }

    /// Copies a plug-in's picture, unless its numbers are impossible.
    init(checking picture: CLV2Shims_DisplayPicture) throws(PictureDefect) {
        let (width, height, stride) = (Int(picture.width), Int(picture.height), Int(picture.stride))
        let sides = 1...Self.longestSide
        guard sides.contains(width), sides.contains(height), width * height <= Self.mostPixels else {
            throw PictureDefect(sentence: "Its picture of \(width) by \(height) pixels cannot be shown.")
        }
        guard (width * 4...Self.longestSide * 16).contains(stride) else {
            throw PictureDefect(sentence: "Its picture of \(width) pixels in rows of \(stride) bytes cannot be shown.")
        }
        guard let data = picture.data else { throw PictureDefect(sentence: "Its picture has no pixels.") }
        let bytes = UnsafeRawPointer(data)
        var pixels: [Pixel] = []
        pixels.reserveCapacity(width * height)
        for row in 0..<height {
            for column in 0..<width {
                let bits = bytes.loadUnaligned(fromByteOffset: row * stride + column * 4, as: UInt32.self)
                pixels.append(Self.pixel(bits))
            }
        }
        self.init(width: width, height: height, pixels: pixels)
    }

    private static func pixel(_ bits: UInt32) -> Pixel {
        Pixel(Float(bits >> 16 & 255), Float(bits >> 8 & 255), Float(bits & 255), Float(bits >> 24)) / 255
    }

    /// The factor that scales a picture of that size into the limits; 1 if it fits.
    static func scale(width: Int, height: Int) -> Double {
        let (width, height) = (Double(width), Double(height))
        return min(1, Double(longestSide) / max(width, height), (Double(mostPixels) / (width * height)).squareRoot())
    }

    /// The largest size that fits, in the same proportion.
    func fitted(width: Int, height: Int) -> (width: Int, height: Int) {
        let scale = min(Double(width) / Double(self.width), Double(height) / Double(self.height))
        func side(_ length: Int, _ most: Int) -> Int { max(1, min(most, Int((Double(length) * scale).rounded()))) }
        return (side(self.width, width), side(self.height, height))
    }

    /// The picture in another size; each pixel is the mean of the pixels that it replaces.
    func scaled(width: Int, height: Int) -> PixelPicture {
        var scaled: [Pixel] = []
        scaled.reserveCapacity(width * height)
        for row in 0..<height {
            let rows = Self.range(row, height, of: self.height)
            for column in 0..<width { scaled.append(mean(of: rows, Self.range(column, width, of: self.width))) }
        }
        return PixelPicture(width: width, height: height, pixels: scaled)
    }

    /// The picture, scaled down if it exceeds its share of the pixels of one picture.
    func limited(toOneOf count: Int) -> PixelPicture {
        let share = Self.mostPixels / max(1, count)
        guard width * height > share else { return self }
        return scaled(by: (Double(share) / Double(width * height)).squareRoot())
    }

    /// The picture, scaled down by a factor.
    func scaled(by scale: Double) -> PixelPicture {
        scaled(width: max(1, Int(Double(width) * scale)), height: max(1, Int(Double(height) * scale)))
    }

    private static func range(_ index: Int, _ count: Int, of length: Int) -> Range<Int> {
        let first = index * length / count
        return first..<max(first + 1, (index + 1) * length / count)
    }

    /// The mean of squares, which is close to the mean of light: so a thin bright line stays bright.
    private func mean(of rows: Range<Int>, _ columns: Range<Int>) -> Pixel {
        var sum = Pixel.zero
        for row in rows {
            for column in columns {
                let pixel = pixels[row * width + column]
                sum += pixel * pixel
            }
        }
        return (sum / Float(rows.count * columns.count)).squareRoot()
    }
}

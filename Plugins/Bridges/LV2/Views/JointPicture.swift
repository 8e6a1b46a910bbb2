// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The pictures of several instances as one picture, with transparent pixels between them. The view's thread.

import PluginSDK

/// Pictures side by side, or below each other.
struct JointPicture {
    let picture: PixelPicture
    let arrangement: PictureArrangement
    /// Where each picture begins, as a share of the whole.
    let starts: [Double]

    /// Joins pictures for a part of a view; smaller ones among them have transparent pixels on the right and below.
    init(_ pictures: [PixelPicture], _ arrangement: PictureArrangement, in part: CellRectangle) {
        self.arrangement = arrangement
        guard pictures.count > 1 else {
            (picture, starts) = (pictures.first ?? PixelPicture(width: 1, height: 1, pixels: [.zero]), [0])
            return
        }
        let width = pictures.map(\.width).max() ?? 1
        let height = pictures.map(\.height).max() ?? 1
        let isBeside = arrangement.isBeside
        let length = isBeside ? width : height
        let step = length + arrangement.gap(length, in: part)
        let total = step * (pictures.count - 1) + length
        var pixels = [Pixel](repeating: .zero, count: total * (isBeside ? height : width))
        for (index, picture) in pictures.enumerated() {
            let origin = isBeside ? index * step : index * step * width
            let rowLength = isBeside ? total : width
            for row in 0..<picture.height {
                let source = picture.pixels[row * picture.width..<(row + 1) * picture.width]
                let start = origin + row * rowLength
                pixels.replaceSubrange(start..<start + picture.width, with: source)
            }
        }
        picture = PixelPicture(width: isBeside ? total : width, height: isBeside ? height : total, pixels: pixels)
        starts = pictures.indices.map { Double($0 * step) / Double(total) }
    }
}

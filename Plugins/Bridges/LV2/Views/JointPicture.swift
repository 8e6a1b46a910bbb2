// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The pictures of several instances as one picture, with transparent pixels between them. The view's thread.

import PluginSDK

/// Pictures side by side, or below each other.
struct JointPicture {
    let picture: PixelPicture
    let arrangement: PictureArrangement
    /// The start of each picture, as a share of the whole.
    let starts: [Double]
    /// The reason why each picture is missing; nil if it is there.
    let reasons: [String?]

    /// Joins pictures for a part of a view; smaller ones are padded with transparent pixels on the right and below.
    ///
    /// All are scaled down if they have too many pixels together.
    init(_ drawn: [Result<PixelPicture, PictureDefect>], _ arrangement: PictureArrangement, in part: CellRectangle) {
        self.arrangement = arrangement
        reasons = drawn.map { $0.defect?.sentence }
        let pictures = drawn.map { (try? $0.get()) ?? .transparent }
        guard pictures.count > 1 else {
            (picture, starts) = (pictures.first ?? .transparent, [0])
            return
        }
        let row = PictureRow(pictures, isBeside: arrangement.isBeside)
        let gap = arrangement.gap(row.length, in: part)
        let size = row.size(gap: gap)
        let scale = PixelPicture.scale(width: size.width, height: size.height)
        if scale < 1 {
            let small = PictureRow(pictures.map { $0.scaled(by: scale) }, isBeside: arrangement.isBeside)
            (picture, starts) = small.joined(gap: Int(Double(gap) * scale))
        } else {
            (picture, starts) = row.joined(gap: gap)
        }
    }
}

/// Pictures that all have as much room as the largest one.
private struct PictureRow {
    private let pictures: [PixelPicture]
    private let isBeside: Bool
    private let width: Int
    private let height: Int

    init(_ pictures: [PixelPicture], isBeside: Bool) {
        (self.pictures, self.isBeside) = (pictures, isBeside)
        width = pictures.map(\.width).max() ?? 1
        height = pictures.map(\.height).max() ?? 1
    }

    /// The length of each picture along the row.
    var length: Int { isBeside ? width : height }

    func size(gap: Int) -> (width: Int, height: Int) {
        let total = (length + gap) * (pictures.count - 1) + length
        return isBeside ? (total, height) : (width, total)
    }

    func joined(gap: Int) -> (PixelPicture, starts: [Double]) {
        let (step, size) = (length + gap, size(gap: gap))
        var pixels = [Pixel](repeating: .zero, count: size.width * size.height)
        for (index, picture) in pictures.enumerated() {
            let origin = index * step * (isBeside ? 1 : width)
            for row in 0..<picture.height {
                let source = picture.pixels[row * picture.width..<(row + 1) * picture.width]
                let start = origin + row * size.width
                pixels.replaceSubrange(start..<start + picture.width, with: source)
            }
        }
        let total = Double(isBeside ? size.width : size.height)
        let starts = pictures.indices.map { Double($0 * step) / total }
        return (PixelPicture(width: size.width, height: size.height, pixels: pixels), starts)
    }
}

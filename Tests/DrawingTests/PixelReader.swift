// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The pixels of a PNG, as cairo reads them. Any thread.

import CCairo
import Testing

/// A picture that was read from a PNG.
struct PixelReader {
    private let pixels: [UInt32]
    private let width: Int

    init(png bytes: [UInt8]) throws {
        var rest = bytes[...]
        let surface = try #require(
            withUnsafeMutablePointer(to: &rest) { rest in
                cairo_image_surface_create_from_png_stream(
                    { context, data, count in
                        guard let rest = context?.assumingMemoryBound(to: ArraySlice<UInt8>.self), let data,
                            rest.pointee.count >= Int(count)
                        else { return CAIRO_STATUS_READ_ERROR }
                        for index in 0..<Int(count) { data[index] = rest.pointee.removeFirst() }
                        return CAIRO_STATUS_SUCCESS
                    }, rest)
            })
        defer { cairo_surface_destroy(surface) }
        try #require(cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
        width = Int(cairo_image_surface_get_width(surface))
        let (height, stride) = (Int(cairo_image_surface_get_height(surface)), Int(cairo_image_surface_get_stride(surface)))
        let data = UnsafeRawPointer(try #require(cairo_image_surface_get_data(surface)))
        pixels = (0..<height * width).map { [width] index in
            data.load(fromByteOffset: index / width * stride + index % width * 4, as: UInt32.self) & 0xFF_FFFF
        }
    }

    /// The colour of a pixel, 0xRRGGBB.
    subscript(x: Int, y: Int) -> UInt32 { pixels[y * width + x] }
}

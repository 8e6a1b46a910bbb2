// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A picture that cairo draws, as the contents of an SVG or PNG file. Control thread.

import CCairo
import Glibc

/// The formats of a picture, named by their file extensions.
package enum PictureFormat: String, CaseIterable, Sendable {
    /// A drawing of lines and shapes, and an image of pixels.
    case svg, png

    /// The format of a path's extension; nil for any other extension.
    package init?(path: String) {
        guard let dot = path.lastIndex(of: "."), let format = Self(rawValue: path[path.index(after: dot)...].lowercased())
        else { return nil }
        self = format
    }
}

/// The reason why a picture could not be made.
package struct DrawingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// cairo's own reason, in lower case.
    package let reason: String
    /// Makes an error from its reason, in lower case.
    package init(reason: String) { self.reason = reason }
    /// The error as one sentence.
    package var description: String { "Couldn't draw: \(reason)." }
}

/// A picture to draw on, measured in points from the upper left; a point is a pixel of a PNG.
package final class Canvas {
    /// The largest number of pixels of cairo's images in either direction.
    package static let longestSide = 32_767

    /// The size of the picture in points.
    package let width, height: Double
    private let format: PictureFormat
    private let surface: OpaquePointer
    private let context: OpaquePointer
    private let sink: Sink

    /// Collects the bytes of an SVG while it is drawn.
    private final class Sink { var bytes: [UInt8] = [] }

    /// Makes a white picture; neither side may exceed `longestSide`.
    ///
    /// Throws `DrawingError` if there is not enough memory.
    package init(width: Int, height: Int, format: PictureFormat) throws(DrawingError) {
        (self.width, self.height, self.format) = (Double(width), Double(height), format)
        sink = Sink()
        let surface =
            switch format {
            case .png: cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
            case .svg:
                cairo_svg_surface_create_for_stream(
                    Self.append, Unmanaged.passUnretained(sink).toOpaque(), Double(width), Double(height))
            }
        guard let surface, let context = cairo_create(surface) else { throw DrawingError(reason: "out of memory") }
        (self.surface, self.context) = (surface, context)
        try check()
        cairo_select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
        fill(Box(x: 0, y: 0, width: self.width, height: self.height), .white)
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    private static let append: cairo_write_func_t = { sink, bytes, count in
        guard let sink, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
        Unmanaged<Sink>.fromOpaque(sink).takeUnretainedValue().bytes += UnsafeBufferPointer(start: bytes, count: Int(count))
        return CAIRO_STATUS_SUCCESS
    }

    private func check() throws(DrawingError) {
        for status in [cairo_surface_status(surface), cairo_status(context)] where status != CAIRO_STATUS_SUCCESS {
            throw DrawingError(reason: String(cString: cairo_status_to_string(status)))
        }
    }

    /// Finishes the picture and returns the contents of the file; nothing can be drawn after that.
    ///
    /// Throws `DrawingError`.
    package func finish() throws(DrawingError) -> [UInt8] {
        try check()
        if format == .png {
            let status = cairo_surface_write_to_png_stream(surface, Self.append, Unmanaged.passUnretained(sink).toOpaque())
            guard status == CAIRO_STATUS_SUCCESS else {
                throw DrawingError(reason: String(cString: cairo_status_to_string(status)))
            }
        }
        cairo_surface_finish(surface)
        let status = cairo_surface_status(surface)
        guard status == CAIRO_STATUS_SUCCESS else { throw DrawingError(reason: String(cString: cairo_status_to_string(status))) }
        return sink.bytes
    }
}

// MARK: Drawing

extension Canvas {
    /// Fills a box.
    package func fill(_ box: Box, _ colour: Colour) {
        use(colour)
        cairo_rectangle(context, box.x, box.y, box.width, box.height)
        cairo_fill(context)
    }

    /// Fills the area that `points` enclose.
    package func fill(_ points: [Point], _ colour: Colour) {
        use(colour)
        trace(points)
        cairo_fill(context)
    }

    /// Draws a line through `points`; `dash` holds the lengths of drawn and blank parts in turn, in points.
    package func stroke(_ points: [Point], _ colour: Colour, width: Double = 1, dash: [Double] = []) {
        use(colour)
        cairo_set_line_width(context, width)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        cairo_set_dash(context, dash, Int32(dash.count), 0)
        trace(points)
        cairo_stroke(context)
    }

    /// Fills a circle.
    package func disc(at centre: Point, radius: Double, _ colour: Colour) {
        use(colour)
        cairo_arc(context, centre.x, centre.y, radius, 0, 2 * .pi)
        cairo_fill(context)
    }

    /// Draws an image of `pixels`, 0xRRGGBB row by row, scaled to fill `box`; its pixels keep their edges.
    ///
    /// Throws `DrawingError` if there is not enough memory.
    package func image(width: Int, height: Int, pixels: [UInt32], in box: Box) throws(DrawingError) {
        guard width > 0, height > 0, pixels.count >= width * height else { return }
        guard let image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)),
            let bytes = cairo_image_surface_get_data(image)
        else { throw DrawingError(reason: "out of memory") }
        defer { cairo_surface_destroy(image) }
        let stride = Int(cairo_image_surface_get_stride(image))
        for row in 0..<height {
            pixels.withUnsafeBytes {
                UnsafeMutableRawPointer(bytes + row * stride).copyMemory(
                    from: $0.baseAddress! + 4 * row * width, byteCount: 4 * width)
            }
        }
        cairo_surface_mark_dirty(image)
        cairo_save(context)
        cairo_translate(context, box.x, box.y)
        cairo_scale(context, box.width / Double(width), box.height / Double(height))
        cairo_set_source_surface(context, image, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST)
        cairo_paint(context)
        cairo_restore(context)
    }

    /// Draws text of `size` points that starts, ends or is centred at `point`, which lies on its baseline.
    package func text(
        _ text: String, at point: Point, size: Double, _ colour: Colour = .ink, _ anchor: Anchor = .start, isBold: Bool = false,
        family: FontFamily = .proportional
    ) {
        select(size, isBold, family)
        let shift = anchor == .start ? 0 : width(of: text) * (anchor == .middle ? 0.5 : 1)
        use(colour)
        cairo_move_to(context, point.x - shift, point.y)
        cairo_show_text(context, text)
    }

    /// Draws text that runs upwards, centred at `point`.
    package func uprightText(_ text: String, at point: Point, size: Double, _ colour: Colour = .ink) {
        cairo_save(context)
        cairo_translate(context, point.x, point.y)
        cairo_rotate(context, -.pi / 2)
        self.text(text, at: Point(0, 0), size: size, colour, .middle)
        cairo_restore(context)
    }

    /// The width of a text in points.
    package func width(of text: String, size: Double, isBold: Bool = false) -> Double {
        select(size, isBold)
        return width(of: text)
    }

    private func width(of text: String) -> Double {
        var extents = cairo_text_extents_t()
        cairo_text_extents(context, text, &extents)
        return extents.x_advance
    }

    private func select(_ size: Double, _ isBold: Bool, _ family: FontFamily = .proportional) {
        let weight = isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL
        cairo_select_font_face(context, family.rawValue, CAIRO_FONT_SLANT_NORMAL, weight)
        cairo_set_font_size(context, size)
    }

    private func trace(_ points: [Point]) {
        cairo_new_path(context)
        for point in points { cairo_line_to(context, point.x, point.y) }
    }

    private func use(_ colour: Colour) { cairo_set_source_rgba(context, colour.red, colour.green, colour.blue, colour.opacity) }
}

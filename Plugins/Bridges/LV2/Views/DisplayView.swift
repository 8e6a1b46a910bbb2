// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The view of an LV2 plug-in that draws itself: its instances' pictures, and its first parameters below. The view's thread.

import PluginSDK

/// A plug-in's own picture in characters.
struct DisplayView: View {
    static var preferredSizes: [ViewSize] { [ViewSize(columnCount: 72, rowCount: 24), ViewSize(columnCount: 40, rowCount: 16)] }
    static var frameRate: Double { 20 }

    /// The requested pixels for each shown one: many plug-ins draw nothing useful in very few pixels.
    private static let density = 2

    private let display: Display
    private var values: ValueLines
    private var picture: JointPicture?
    private var words: String?
    /// The conditions of the drawn picture.
    private var drawn: (size: ViewSize, cell: PixelSize, frameCount: Int, instanceCount: Int)?
    private var hasChanged = true

    /// Makes a view of a unit without instances, as the protocol requires.
    init(_ context: ViewContext) { self.init(Display(), context) }

    init(_ display: Display, _ context: ViewContext) {
        self.display = display
        values = ValueLines(context.parameters)
    }

    mutating func handle(_ event: ViewEvent, _ context: ViewContext) {
        hasChanged = true
        if case .key(let key, let modifiers) = event { values.step(key, isFine: modifiers.contains(.shift), context) }
    }

    mutating func draw(into grid: inout CellGrid, _ context: ViewContext) {
        let lineCount = values.lineCount(in: context.size)
        let part = CellRectangle(
            column: 0, row: 0, columnCount: grid.columnCount, rowCount: grid.rowCount - (lineCount > 0 ? lineCount + 1 : 0))
        if isDue(context) { update(part, context) }
        guard let picture else { return drawValues(into: &grid, context) }
        draw(picture, into: &grid, part, context)
        values.draw(into: &grid, lineCount, context)
    }

    /// Draws the picture in pixels if the screen shows them, and in characters below.
    private func draw(_ joint: JointPicture, into grid: inout CellGrid, _ part: CellRectangle, _ context: ViewContext) {
        let (picture, region) = (joint.picture, joint.arrangement.region(of: part))
        let cells = PixelCells(picture: picture, colorCount: context.colorCount)
        let place: CellRectangle
        if context.colorCount >= 8,
            let pixels = PixelPlace(picture, in: region, cell: context.cell, capacity: context.pixelCapacity)
        {
            place = pixels.part
            cells.drawHalves(into: &grid, place, height: 2 * place.rowCount)
            grid.pixels = pixels.pixels(of: picture)
        } else {
            place = cells.draw(into: &grid, region)
        }
        joint.arrangement.drawNames(into: &grid, part, place, joint.starts)
        joint.arrangement.draw(joint.reasons, into: &grid, place, joint.starts)
    }

    /// Without a picture, draws as many values as fit, below the reason.
    private func drawValues(into grid: inout CellGrid, _ context: ViewContext) {
        grid.put(words ?? "", column: 0, row: 0, CellStyle([.dim]))
        values.draw(into: &grid, grid.rowCount - 2, context)
    }

    /// True if the plug-in's picture may have changed.
    private func isDue(_ context: ViewContext) -> Bool {
        guard let drawn, !hasChanged, drawn.size == context.size, drawn.cell == context.cell else { return true }
        return display.takeRequest() || drawn.frameCount != context.output.frameCount
            || drawn.instanceCount != display.instanceCount
    }

    /// The number of pixels to request: as many as the screen has there, if they fit.
    private static func size(_ part: CellRectangle, _ capacity: Int, _ context: ViewContext) -> PixelSize {
        let cell = context.cell.isEmpty ? PixelSize(width: density, height: 2 * density) : context.cell
        let (width, height) = (max(1, part.columnCount) * cell.width, max(1, part.rowCount) * cell.height)
        guard !context.cell.isEmpty, width * height > capacity else { return PixelSize(width: width, height: height) }
        let scale = (Double(max(1, capacity)) / Double(width * height)).squareRoot()
        return PixelSize(width: max(1, Int(Double(width) * scale)), height: max(1, Int(Double(height) * scale)))
    }

    private mutating func update(_ part: CellRectangle, _ context: ViewContext) {
        // Counted before: a change during the drawing makes another picture necessary.
        let now = (context.size, context.cell, context.output.frameCount, display.instanceCount)
        let arrangement = PictureArrangement(display.names, in: part)
        let count = arrangement.pictureCount
        let size = Self.size(arrangement.pictureSize(in: part), context.pixelCapacity / count, context)
        switch display.draw(width: size.width, height: size.height, atMost: count) {
        case .pictures(let pictures) where pictures.count == count:
            (picture, words) = (JointPicture(pictures, arrangement, in: part), nil)
        case .noInstance: words = "It plays nothing yet."
        case .busy, .pictures:
            // The plug-in's request has been taken, but remains open; the instances may have changed meanwhile.
            hasChanged = true
            return
        case .nothing(let reason): (picture, words) = (nil, reason)
        }
        (drawn, hasChanged) = (now, false)
    }
}

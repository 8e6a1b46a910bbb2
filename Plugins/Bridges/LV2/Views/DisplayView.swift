// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The view of an LV2 plug-in that draws a picture of itself: the picture, and its first parameters below. The view's thread.

import PluginSDK

/// A plug-in's own picture in characters.
struct DisplayView: View {
    static var preferredSizes: [ViewSize] { [ViewSize(columnCount: 72, rowCount: 24), ViewSize(columnCount: 40, rowCount: 16)] }
    static var frameRate: Double { 20 }

    /// Pixels that are asked for in the place of one that is shown: many plug-ins draw nothing useful in very few pixels.
    private static let density = 2

    private let display: Display
    private var values: ValueLines
    private var picture: PixelPicture?
    private var words: String?
    /// What the picture was drawn for.
    private var drawn: (size: ViewSize, frameCount: Int, instanceCount: Int)?
    private var hasChanged = true

    /// A view of a unit without instances, which a protocol asks for.
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
        PixelCells(picture: picture, colorCount: context.colorCount).draw(into: &grid, part)
        values.draw(into: &grid, lineCount, context)
    }

    /// Draws as many values as there is room for where there is no picture, below the reason.
    private func drawValues(into grid: inout CellGrid, _ context: ViewContext) {
        grid.put(words ?? "", column: 0, row: 0, CellStyle([.dim]))
        values.draw(into: &grid, grid.rowCount - 2, context)
    }

    /// Whether the plug-in may have another picture now.
    private func isDue(_ context: ViewContext) -> Bool {
        guard let drawn, !hasChanged, drawn.size == context.size else { return true }
        return display.takeRequest() || drawn.frameCount != context.output.frameCount
            || drawn.instanceCount != display.instanceCount
    }

    private mutating func update(_ part: CellRectangle, _ context: ViewContext) {
        // Counted before: what happens while it draws makes another picture necessary.
        let now = (context.size, context.output.frameCount, display.instanceCount)
        let (width, height) = (max(1, part.columnCount) * Self.density, max(1, part.rowCount) * 2 * Self.density)
        switch display.draw(width: width, height: height) {
        case .picture(let new): (picture, words) = (new, nil)
        case .noInstance: words = "It plays nothing yet."
        case .busy:
            // The plug-in's request has been taken, and stands.
            hasChanged = true
            return
        case .nothing(let reason): (picture, words) = (nil, reason)
        }
        (drawn, hasChanged) = (now, false)
    }
}

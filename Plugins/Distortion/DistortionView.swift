// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The view of Distortion: one large knob, the curve, and the wave before and after. The view's thread.

import PluginSDK
import ViewKit

/// On the left the drive as a knob; on the right the curve of a sample, and the passing sound.
struct DistortionView: View {
    static var preferredSizes: [ViewSize] { [ViewSize(columnCount: 64, rowCount: 14), ViewSize(columnCount: 36, rowCount: 24)] }
    static var frameRate: Double { 15 }

    private static let drive = Distortion.Address.drive.rawValue
    private static let curve = Distortion.Address.curve.rawValue

    /// The row of the mouse and the drive at the start of a drag.
    private var held: (row: Int, drive: Double)?

    init(_ context: ViewContext) {}

    mutating func handle(_ event: ViewEvent, _ context: ViewContext) {
        switch event {
        case .mouse(.press, _, let row, _): held = (row, context[Self.drive])
        case .mouse(.release, _, _, _): held = nil
        case .mouse(.drag, _, let row, _):
            guard let held else { return }
            // The height of the view is the whole range.
            let share = Double(held.row - row) / Double(max(1, context.size.rowCount - 1))
            context.set(Self.drive, to: held.drive + 48 * share)
        case .mouse(.wheelUp, _, _, _), .key(.up, []), .key(.right, []): context.set(Self.drive, to: context[Self.drive] + 1)
        case .mouse(.wheelDown, _, _, _), .key(.down, []), .key(.left, []): context.set(Self.drive, to: context[Self.drive] - 1)
        case .key(.up, _), .key(.right, _): context.set(Self.drive, to: context[Self.drive] + 0.1)
        case .key(.down, _), .key(.left, _): context.set(Self.drive, to: context[Self.drive] - 0.1)
        case .key(.character("c"), _): context.setToNextChoice(Self.curve)
        case .key(.delete, _), .key(.home, _): context.restore(Self.drive)
        default: break
        }
    }

    // MARK: Drawing

    mutating func draw(into grid: inout CellGrid, _ context: ViewContext) {
        let rows = max(1, grid.rowCount - 1)
        // Side by side if there is room, and one above the other in a tall pane.
        let isWide = grid.columnCount >= 3 * rows
        let knob =
            isWide
            ? CellRectangle(column: 0, row: 0, columnCount: min(2 * rows, grid.columnCount / 3), rowCount: rows)
            : CellRectangle(column: 0, row: 0, columnCount: grid.columnCount, rowCount: rows / 3)
        let rest =
            isWide
            ? CellRectangle(
                column: knob.columnCount + 1, row: 0, columnCount: grid.columnCount - knob.columnCount - 1, rowCount: rows)
            : CellRectangle(column: 0, row: knob.rowCount, columnCount: grid.columnCount, rowCount: rows - knob.rowCount)
        let half = isWide ? rest.columnCount / 2 : rest.rowCount / 2
        let curve =
            isWide
            ? CellRectangle(column: rest.column, row: 0, columnCount: half, rowCount: rows)
            : CellRectangle(column: 0, row: rest.row, columnCount: rest.columnCount, rowCount: half)
        let waves =
            isWide
            ? CellRectangle(column: rest.column + half + 1, row: 0, columnCount: rest.columnCount - half - 1, rowCount: rows)
            : CellRectangle(column: 0, row: rest.row + half, columnCount: rest.columnCount, rowCount: rest.rowCount - half)
        drawKnob(into: &grid, knob, context)
        drawCurve(into: &grid, curve, context)
        drawWaves(into: &grid, waves, context)
        let told: [Distortion.Address] = [.drive, .curve, .mix, .output]
        grid.put(context.text(of: told.map(\.rawValue)), column: 0, row: grid.rowCount - 1, CellStyle([.bold]))
    }

    /// A circle that is open below, and a hand that turns through three quarters of it.
    private func drawKnob(into grid: inout CellGrid, _ part: CellRectangle, _ context: ViewContext) {
        var dots = BraillePlot(columnCount: part.columnCount, rowCount: part.rowCount)
        let radius = Double(min(dots.width, dots.height)) / 2 - 1
        let (x, y) = (Double(dots.width) / 2, Double(dots.height) / 2)
        func dot(_ share: Double, _ distance: Double) {
            let angle = (0.75 + 1.5 * share) * Double.pi
            dots.set(x: Int(x + radius * distance * Maths.cos(angle)), y: Int(y + radius * distance * Maths.sin(angle)))
        }
        guard radius > 1 else { return }
        for step in 0...200 { dot(Double(step) / 200, 1) }
        let share = max(0, min(1, context[Self.drive] / 48))
        for step in 30...80 { dot(share, Double(step) / 100) }
        dots.draw(into: &grid, column: part.column, row: part.row, CellStyle(foreground: .yellow, [.bold]))
    }

    /// Draws the output over the input, from −1 to 1.
    private func drawCurve(into grid: inout CellGrid, _ part: CellRectangle, _ context: ViewContext) {
        var dots = BraillePlot(columnCount: part.columnCount, rowCount: part.rowCount)
        guard dots.width > 1, dots.height > 1 else { return }
        let shape = Curve(rawValue: Int(max(0, min(100, context[Self.curve])))) ?? .soft
        let root = Maths.exp2(Float(context[Self.drive]) / 12.041_2)
        let bias = Float(context[Distortion.Address.bias.rawValue])
        var last: Int?
        for column in 0..<dots.width {
            let input = 2 * Float(column) / Float(dots.width - 1) - 1
            let output = shape.value(at: input, root: root, bias: bias)
            let row = Int((1 - max(-1, min(1, output))) / 2 * Float(dots.height - 1))
            dots.setColumn(x: column, from: last ?? row, to: row)
            last = row
        }
        dots.draw(into: &grid, column: part.column, row: part.row, CellStyle(foreground: .cyan))
    }

    /// Draws the wave before, faint, and after; both begin where the sound before rises through zero.
    private func drawWaves(into grid: inout CellGrid, _ part: CellRectangle, _ context: ViewContext) {
        var (before, after) = (
            BraillePlot(columnCount: part.columnCount, rowCount: part.rowCount),
            BraillePlot(columnCount: part.columnCount, rowCount: part.rowCount)
        )
        guard before.width > 1, before.height > 1 else { return }
        let (input, output) = (context.input.latest(4096), context.output.latest(4096))
        let span = 960
        let start = (1..<input.count - span).first { input[$0 - 1] < 0 && input[$0] >= 0 } ?? input.count - span
        func draw(_ samples: [Float], _ dots: inout BraillePlot) {
            var last: Int?
            for column in 0..<dots.width {
                let sample = samples[start + column * span / dots.width]
                let level = sample == sample ? max(-1, min(1, sample)) : 0
                let row = Int((1 - level) / 2 * Float(dots.height - 1))
                dots.setColumn(x: column, from: last ?? row, to: row)
                last = row
            }
        }
        draw(input, &before)
        draw(output, &after)
        before.draw(into: &grid, column: part.column, row: part.row, CellStyle([.dim]))
        after.draw(into: &grid, column: part.column, row: part.row, CellStyle(foreground: .green))
    }
}

extension Curve {
    /// The curve's output for a sample, given the square root of the drive.
    fileprivate func value(at input: Float, root: Float, bias: Float) -> Float {
        func of<Shape: Waveshaper>(_ shape: Shape) -> Float {
            let gain = shape.gain(root: Vector(repeating: root))
            let point = shape.point(Vector(repeating: input) * gain + Vector(repeating: bias))
            return shape.mean(point, point)[0]
        }
        switch self {
        case .soft: return of(SoftCurve())
        case .hard: return of(HardCurve())
        case .fold: return of(FoldCurve())
        case .rectifier: return of(RectifierCurve())
        case .clean: return of(CleanCurve())
        case .squared: return of(SquaredCurve())
        case .cubed: return of(CubedCurve())
        }
    }
}

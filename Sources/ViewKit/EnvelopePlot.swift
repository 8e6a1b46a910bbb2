// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An envelope as a shape with three points to drag. The view's thread.

import Cells
import Glibc

/// A picture of attack, decay, sustain and release.
///
/// Times are positions from 0 to 1, as in `Parameter.position(of:)`, so that short and long times fit into one picture. Each time
/// has at most three tenths of the width; a held note has one tenth.
public struct EnvelopePlot: Hashable, Sendable {
    /// The points to drag: the end of the attack, the end of the decay at the sustain level, and the end of the release.
    public enum Point: Int, CaseIterable, Sendable {
        /// To the right is slower.
        case attack
        /// To the right is slower, and up is a higher sustain level.
        case decay
        /// To the right is slower.
        case release
    }

    /// The cells of the picture.
    public let part: CellRectangle
    private let attack, decay, sustain, release: Double

    private static let (timeShare, holdShare) = (0.3, 0.1)

    /// Makes a picture of three times and a level, each a position from 0 to 1; NaN counts as 0.
    public init(_ part: CellRectangle, attack: Double, decay: Double, sustain: Double, release: Double) {
        func bounded(_ number: Double) -> Double { number >= 0 ? min(1, number) : 0 }
        self.part = part
        (self.attack, self.decay) = (bounded(attack), bounded(decay))
        (self.sustain, self.release) = (bounded(sustain), bounded(release))
    }

    // MARK: Places

    /// The start of the stage that ends at a point, as a share of the width.
    private func start(of point: Point) -> Double {
        switch point {
        case .attack: 0
        case .decay: Self.timeShare * attack
        case .release: Self.timeShare * (attack + decay) + Self.holdShare
        }
    }

    private func end(of point: Point) -> Double {
        let time = point == .attack ? attack : point == .decay ? decay : release
        return start(of: point) + Self.timeShare * time
    }

    /// The cell of a point.
    public func cell(of point: Point) -> (column: Int, row: Int) {
        let level = point == .attack ? 1 : point == .decay ? sustain : 0
        let lastRow = max(0, part.rowCount - 1)
        return (
            part.column + max(0, min(part.columnCount - 1, Int(end(of: point) * Double(part.columnCount)))),
            part.row + Int((1 - level) * Double(lastRow) + 0.5)
        )
    }

    /// The time of a point that is dragged to a column, as a position from 0 to 1.
    public func time(of point: Point, atColumn column: Int) -> Double {
        let share = (Double(column - part.column) + 0.5) / Double(max(1, part.columnCount))
        return max(0, min(1, (share - start(of: point)) / Self.timeShare))
    }

    /// The level of a row: 1 at the upper edge, 0 at the lower edge.
    public func level(atRow row: Int) -> Double {
        max(0, min(1, 1 - Double(row - part.row) / Double(max(1, part.rowCount - 1))))
    }

    // MARK: Drawing

    /// Draws the shape in dots.
    public func draw(into grid: inout CellGrid, _ style: CellStyle = .plain) {
        var dots = BraillePlot(columnCount: part.columnCount, rowCount: part.rowCount)
        // A note begins at the bottom, even if it rises at once.
        var last = dots.height - 1
        for x in 0..<dots.width {
            let share = (Double(x) + 0.5) / Double(dots.width)
            guard share <= end(of: .release) + 1 / Double(dots.width) else { break }
            let y = Int((1 - level(at: share)) * Double(dots.height - 1) + 0.5)
            dots.setColumn(x: x, from: last, to: y)
            last = y
        }
        dots.draw(into: &grid, column: part.column, row: part.row, style)
    }

    /// The level at a share of the width; it has the curve of a capacitor's voltage, as `Envelope` of the module DSP.
    private func level(at share: Double) -> Double {
        func progress(_ point: Point) -> Double {
            let length = end(of: point) - start(of: point)
            return length > 0 ? max(0, min(1, (share - start(of: point)) / length)) : 1
        }
        if share < end(of: .attack) { return min(1, 1.3 * (1 - exp(-1.466 * progress(.attack)))) }
        // A fall looks complete after 30 dB.
        if share < end(of: .decay) { return sustain + (1 - sustain) * exp(-3.5 * progress(.decay)) }
        return sustain * (share < start(of: .release) ? 1 : exp(-3.5 * progress(.release)))
    }
}

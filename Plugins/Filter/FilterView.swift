// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The view of Filter: its response over the spectrum, and one point to drag. The view's thread.

import DSP
import PluginSDK
import ViewKit

/// Cutoff and resonance as a point on the curve: the column is the cutoff, the row the resonance.
struct FilterView: View {
    static var preferredSizes: [ViewSize] { [ViewSize(columnCount: 60, rowCount: 16), ViewSize(columnCount: 36, rowCount: 20)] }
    static var frameRate: Double { 20 }

    private static let (cutoff, resonance): (UInt64, UInt64) = (0, 1)
    private static let decibels = -42.0...30.0

    private let spectrum = Spectrum()
    private var isHeld = false

    init(_ context: ViewContext) {}

    private func plot(_ context: ViewContext) -> FrequencyPlot {
        let part = CellRectangle(
            column: 0, row: 0, columnCount: context.size.columnCount, rowCount: max(1, context.size.rowCount - 1))
        return FrequencyPlot(part, decibels: Self.decibels)
    }

    mutating func handle(_ event: ViewEvent, _ context: ViewContext) {
        switch event {
        case .mouse(let action, let column, let row, _): point(action, column, row, context)
        case .key(let key, let modifiers): step(key, isFine: modifiers.contains(.shift), context)
        default: break
        }
    }

    private mutating func point(_ action: ViewMouseAction, _ column: Int, _ row: Int, _ context: ViewContext) {
        switch action {
        case .press, .release:
            isHeld = action == .press
            for address in [Self.cutoff, Self.resonance] { context.touch(address, isHeld: isHeld) }
            if isHeld { fallthrough }
        case .drag:
            let plot = plot(context)
            context.set(Self.cutoff, to: plot.frequency(atColumn: Double(column)))
            context.set(Self.resonance, to: plot.level(atRow: Double(row)))
        case .wheelUp, .wheelDown: context.set(Self.resonance, to: context[Self.resonance] + (action == .wheelUp ? 1 : -1))
        }
    }

    private func step(_ key: ViewKey, isFine: Bool, _ context: ViewContext) {
        // A semitone, or a tenth of one; a decibel, or a tenth of one.
        let size = isFine ? 0.1 : 1
        switch key {
        case .left, .right:
            let semitones = key == .right ? size : -size
            context.set(Self.cutoff, to: context[Self.cutoff] * Maths.exp2(semitones / 12))
        case .up, .down: context.set(Self.resonance, to: context[Self.resonance] + (key == .up ? size : -size))
        case .delete, .home:
            for address in [Self.cutoff, Self.resonance] { context.restore(address) }
        default: break
        }
    }

    mutating func draw(into grid: inout CellGrid, _ context: ViewContext) {
        let (cutoff, resonance) = (context[Self.cutoff], context[Self.resonance])
        let plot = plot(context)
        spectrum.update(context.output.latest(Spectrum.frameCount), sampleRate: context.sampleRate)
        plot.drawGrid(into: &grid)
        plot.draw(spectrum, into: &grid, Spectrum.style(colorCount: context.colorCount))
        let section = AnalogueSection(poles: AnaloguePair(frequency: cutoff, q: Double(Maths.gain(fromDecibels: Float(resonance)))))
        plot.draw(into: &grid, CellStyle(foreground: .cyan)) { section.decibels(at: $0) }
        plot.drawPoint(into: &grid, at: cutoff, resonance, "●", CellStyle(foreground: .yellow, .bold))
        grid.put(context.text(of: [Self.cutoff, Self.resonance]), column: 0, row: grid.rowCount - 1, CellStyle([.bold]))
    }
}

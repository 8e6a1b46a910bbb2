// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The points of Synth's view: their positions and their parameters. The view's thread.

import PluginSDK
import ViewKit

/// A point to drag.
struct SynthPoint {
    /// The number of the panel that holds it.
    let panel: Int
    /// The parameters of the horizontal and the vertical movement.
    let horizontal: Address
    let vertical: Address?
    /// The point of an envelope, if it belongs to one.
    var stage: EnvelopePlot.Point?

    var addresses: [UInt64] { [horizontal.rawValue] + (vertical.map { [$0.rawValue] } ?? []) }

    static let panelNames = ["Wave", "Filter", "Amplifier", "Filter Envelope"]

    static let all = [
        SynthPoint(panel: 0, horizontal: .width, vertical: .mix), SynthPoint(panel: 1, horizontal: .cutoff, vertical: .resonance),
        SynthPoint(panel: 2, horizontal: .attack, vertical: nil, stage: .attack),
        SynthPoint(panel: 2, horizontal: .decay, vertical: .sustain, stage: .decay),
        SynthPoint(panel: 2, horizontal: .release, vertical: nil, stage: .release),
        SynthPoint(panel: 3, horizontal: .filterAttack, vertical: nil, stage: .attack),
        SynthPoint(panel: 3, horizontal: .filterDecay, vertical: .filterSustain, stage: .decay),
        SynthPoint(panel: 3, horizontal: .filterRelease, vertical: nil, stage: .release),
    ]

    // MARK: Places

    /// The levels of the filter's panel; the resonance is a point at its peak.
    static let decibels = -30.0...30.0
    private static let resonances = -3.0...25.0

    /// A panel below its title.
    static func inside(_ panel: CellRectangle) -> CellRectangle {
        CellRectangle(column: panel.column, row: panel.row + 1, columnCount: panel.columnCount, rowCount: panel.rowCount - 1)
    }

    /// The envelope of a panel.
    static func envelope(_ panel: Int, in layout: PanelLayout, _ context: ViewContext) -> EnvelopePlot {
        func place(_ amplifier: Address, _ filter: Address) -> Double {
            context.position(of: (panel == 2 ? amplifier : filter).rawValue)
        }
        return EnvelopePlot(
            inside(layout.panels[panel]), attack: place(.attack, .filterAttack),
            decay: place(.decay, .filterDecay),
            sustain: place(.sustain, .filterSustain),
            release: place(.release, .filterRelease))
    }

    /// The cell of the point.
    func cell(in layout: PanelLayout, _ context: ViewContext) -> (column: Int, row: Int) {
        let part = Self.inside(layout.panels[panel])
        if let stage { return Self.envelope(panel, in: layout, context).cell(of: stage) }
        let rise = vertical.map { context.position(of: $0.rawValue) } ?? 0
        if panel == 1 {
            let plot = FrequencyPlot(part, decibels: Self.decibels)
            let level = Self.resonances.lowerBound + rise * (Self.resonances.upperBound - Self.resonances.lowerBound)
            return (plot.column(of: context[horizontal.rawValue]), plot.row(of: level))
        }
        let column = Int(context.position(of: horizontal.rawValue) * Double(max(0, part.columnCount - 1)) + 0.5)
        return (part.column + column, part.row + Int((1 - rise) * Double(max(0, part.rowCount - 1)) + 0.5))
    }

    // MARK: Setting

    /// Moves to the mouse.
    func move(to column: Int, _ row: Int, in layout: PanelLayout, _ context: ViewContext) {
        let part = Self.inside(layout.panels[panel])
        if let stage {
            let plot = Self.envelope(panel, in: layout, context)
            context.set(horizontal.rawValue, toPosition: plot.time(of: stage, atColumn: column))
            if let vertical { context.set(vertical.rawValue, toPosition: plot.level(atRow: row)) }
        } else if panel == 1, let vertical {
            let plot = FrequencyPlot(part, decibels: Self.decibels)
            context.set(horizontal.rawValue, to: plot.frequency(atColumn: Double(column)))
            let span = Self.resonances.upperBound - Self.resonances.lowerBound
            context.set(vertical.rawValue, toPosition: (plot.level(atRow: Double(row)) - Self.resonances.lowerBound) / span)
        } else if let vertical {
            context.set(horizontal.rawValue, toPosition: Double(column - part.column) / Double(max(1, part.columnCount - 1)))
            context.set(vertical.rawValue, toPosition: 1 - Double(row - part.row) / Double(max(1, part.rowCount - 1)))
        }
    }

    /// Moves horizontally by a share of the range.
    func step(horizontal size: Double, _ context: ViewContext) {
        context.move(horizontal.rawValue, by: size)
    }

    /// Moves vertically by a share of the range; a point without vertical movement stays.
    func step(vertical size: Double, _ context: ViewContext) {
        if let vertical { context.move(vertical.rawValue, by: size) }
    }
}

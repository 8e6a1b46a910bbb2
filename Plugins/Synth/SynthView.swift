// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The view of Synth: its wave, its filter and both envelopes, with points to drag. The view's thread.

import DSP
import PluginSDK
import ViewKit

/// Four panels; the one or three points of each set two parameters.
struct SynthView: View {
    static var preferredSizes: [ViewSize] { [ViewSize(columnCount: 76, rowCount: 19), ViewSize(columnCount: 36, rowCount: 25)] }
    static var frameRate: Double { 15 }

    /// The number of the chosen point.
    private var chosen = 1
    private var isHeld = false
    private let spectrum = Spectrum()

    init(_ context: ViewContext) {}

    private func layout(_ context: ViewContext) -> PanelLayout {
        let room = CellRectangle(
            column: 0, row: 0, columnCount: context.size.columnCount, rowCount: max(1, context.size.rowCount - 1))
        return PanelLayout(room, count: 4, columnCount: 16, rowCount: 4, chosen: SynthPoint.all[chosen].panel)
    }

    // MARK: Keys and mouse

    mutating func handle(_ event: ViewEvent, _ context: ViewContext) {
        switch event {
        case .mouse(let action, let column, let row, _): point(action, column, row, context)
        case .key(.character(let character), _): press(character, context)
        case .key(let key, let modifiers): step(key, modifiers.contains(.shift) ? 0.002 : 0.02, context)
        default: break
        }
    }

    private mutating func point(_ action: ViewMouseAction, _ column: Int, _ row: Int, _ context: ViewContext) {
        let layout = layout(context)
        switch action {
        case .press:
            guard let panel = layout.panel(atColumn: column, row: row) else { return }
            let near = SynthPoint.all.indices.filter { SynthPoint.all[$0].panel == panel }.min {
                distance($0, column, row, layout, context) < distance($1, column, row, layout, context)
            }
            (chosen, isHeld) = (near ?? chosen, true)
            for address in SynthPoint.all[chosen].addresses { context.touch(address, isHeld: true) }
        case .release:
            isHeld = false
            for address in SynthPoint.all[chosen].addresses { context.touch(address, isHeld: false) }
        case .drag: if isHeld { SynthPoint.all[chosen].move(to: column, row, in: layout, context) }
        case .wheelUp, .wheelDown: SynthPoint.all[chosen].step(vertical: action == .wheelUp ? 0.02 : -0.02, context)
        }
    }

    private func distance(_ index: Int, _ column: Int, _ row: Int, _ layout: PanelLayout, _ context: ViewContext) -> Int {
        let cell = SynthPoint.all[index].cell(in: layout, context)
        return abs(cell.column - column) + 2 * abs(cell.row - row)
    }

    private mutating func press(_ character: Unicode.Scalar, _ context: ViewContext) {
        switch character {
        case "n": chosen = (chosen + 1) % SynthPoint.all.count
        case "N": chosen = (chosen + SynthPoint.all.count - 1) % SynthPoint.all.count
        case "w": context.setToNextChoice(Address.wave.rawValue)
        case "W": context.setToNextChoice(Address.wave2.rawValue)
        case "t": context.setToNextChoice(Address.filterType.rawValue)
        case "m": context.setToNextChoice(Address.mode.rawValue)
        default: break
        }
    }

    private func step(_ key: ViewKey, _ size: Double, _ context: ViewContext) {
        let point = SynthPoint.all[chosen]
        switch key {
        case .left: point.step(horizontal: -size, context)
        case .right: point.step(horizontal: size, context)
        case .up: point.step(vertical: size, context)
        case .down: point.step(vertical: -size, context)
        case .delete, .home: for address in point.addresses { context.restore(address) }
        default: break
        }
    }

    // MARK: Drawing

    mutating func draw(into grid: inout CellGrid, _ context: ViewContext) {
        let layout = layout(context)
        spectrum.update(context.output.latest(Spectrum.frameCount), sampleRate: context.sampleRate)
        for (index, panel) in layout.panels.enumerated() where !panel.isEmpty {
            let isChosen = SynthPoint.all[chosen].panel == index
            grid.horizontalLine(column: panel.column, row: panel.row, panel.columnCount, CellStyle([.dim]))
            let title = CellStyle(isChosen ? [.bold, .reversed] : [.bold])
            let end = grid.put(SynthPoint.panelNames[index], column: panel.column, row: panel.row, title, width: panel.columnCount)
            grid.put(
                " \(values(index, context)) ", column: panel.column + end, row: panel.row, CellStyle([.dim]),
                width: panel.columnCount - end)
        }
        drawWave(into: &grid, SynthPoint.inside(layout.panels[0]), context)
        drawFilter(into: &grid, SynthPoint.inside(layout.panels[1]), context)
        for panel in 2...3 where !layout.panels[panel].isEmpty {
            SynthPoint.envelope(panel, in: layout, context).draw(into: &grid, CellStyle(foreground: .cyan))
        }
        for (index, point) in SynthPoint.all.enumerated() where !SynthPoint.inside(layout.panels[point.panel]).isEmpty {
            let cell = point.cell(in: layout, context)
            let style = CellStyle(foreground: .yellow, index == chosen ? [.bold, .reversed] : [.bold])
            grid.overlay("●", column: cell.column, row: cell.row, style)
        }
        let told = SynthPoint.all[chosen].addresses + [Address.wave, .wave2, .filterType, .mode, .volume].map(\.rawValue)
        grid.put(context.text(of: told), column: 0, row: grid.rowCount - 1, CellStyle([.bold]))
    }

    /// The values of a panel's points, as text.
    private func values(_ panel: Int, _ context: ViewContext) -> String {
        let addresses = SynthPoint.all.filter { $0.panel == panel }.flatMap(\.addresses)
        return addresses.compactMap { address in
            context.parameters[address: address]?.string(from: context[address])
        }.joined(separator: " ")
    }

    /// Draws two cycles of both oscillators and the sub together, without the detuning.
    private func drawWave(into grid: inout CellGrid, _ part: CellRectangle, _ context: ViewContext) {
        func share(_ address: Address) -> Double { max(0, min(1, context[address.rawValue] / 100)) }
        let (mix, sub, width) = (share(.mix), share(.sub), share(.width))
        let ratio = Maths.exp2(context[Address.pitch2.rawValue] / 12)
        var dots = BraillePlot(columnCount: part.columnCount, rowCount: part.rowCount)
        var last: Int?
        for x in 0..<dots.width {
            let phase = 2 * Double(x) / Double(dots.width)
            let sum =
                (1 - mix) * Self.sample(context[Address.wave.rawValue], phase, width)
                + mix * Self.sample(context[Address.wave2.rawValue], phase * ratio, width)
                + sub * Maths.sin(Double.pi * phase)
            let y = Int((1 - max(-1, min(1, sum / (1 + sub)))) / 2 * Double(dots.height - 1))
            dots.setColumn(x: x, from: last ?? y, to: y)
            last = y
        }
        dots.draw(into: &grid, column: part.column, row: part.row, CellStyle(foreground: .cyan))
    }

    /// A wave between −1 and 1 at a phase in cycles.
    private static func sample(_ wave: Double, _ phase: Double, _ width: Double) -> Double {
        let place = phase - Maths.floor(phase)
        switch wave {
        case ..<0.5: return Maths.sin(2 * Double.pi * place)
        case ..<1.5: return place < 0.5 ? 4 * place - 1 : 3 - 4 * place
        case ..<2.5: return 2 * place - 1
        default: return place < width ? 1 : -1
        }
    }

    /// Draws the filter's response: at rest, and faintly at the peak of a note's envelope.
    private func drawFilter(into grid: inout CellGrid, _ part: CellRectangle, _ context: ViewContext) {
        guard !part.isEmpty else { return }
        let plot = FrequencyPlot(part, decibels: SynthPoint.decibels)
        plot.draw(spectrum, into: &grid, Spectrum.style(colorCount: context.colorCount))
        let amount = Maths.exp2(context[Address.amount.rawValue])
        let cutoff = context[Address.cutoff.rawValue]
        for (frequency, style) in [(cutoff * amount, CellStyle([.dim])), (cutoff, CellStyle(foreground: .cyan))] {
            let poles = AnaloguePair(frequency: frequency, q: 0.707 * Maths.exp2(0.0465 * context[Address.resonance.rawValue]))
            let type = context[Address.filterType.rawValue]
            let section = AnalogueSection(poles: poles, zeros: type < 1.5 ? .none : type < 2.5 ? .oneAtZero : .twoAtZero)
            let second = AnalogueSection(poles: AnaloguePair(frequency: frequency, q: 1))
            let isSteep = (0.5..<1.5).contains(type)
            plot.draw(into: &grid, style) { section.decibels(at: $0) + (isSteep ? second.decibels(at: $0) : 0) }
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The view of Equalizer: the response of all bands over the spectrum, and a point for each band. The view's thread.

import DSP
import PluginSDK
import ViewKit

/// The bands as numbered points: the column is the frequency, the row the gain.
struct EqualizerView: View {
    static var preferredSizes: [ViewSize] { [ViewSize(columnCount: 76, rowCount: 18), ViewSize(columnCount: 40, rowCount: 22)] }
    static var frameRate: Double { 20 }

    private static let marks = Array("123456789ABCDEFG".unicodeScalars)
    private static let decibels = -27.0...27.0

    private let spectrum = Spectrum()
    private var chosen = 0
    private var isHeld = false

    init(_ context: ViewContext) {
        chosen = (0..<Equalizer.bandCount).first { EqualizerBand($0, context).isOn } ?? 0
    }

    private func plot(_ context: ViewContext) -> FrequencyPlot {
        let rows = max(1, context.size.rowCount - 1)
        return FrequencyPlot(
            CellRectangle(column: 0, row: 0, columnCount: context.size.columnCount, rowCount: rows), decibels: Self.decibels)
    }

    private func bands(_ context: ViewContext) -> [EqualizerBand] { (0..<Equalizer.bandCount).map { EqualizerBand($0, context) } }

    // MARK: Keys and mouse

    mutating func handle(_ event: ViewEvent, _ context: ViewContext) {
        switch event {
        case .mouse(let action, let column, let row, let modifiers): point(action, column, row, modifiers, context)
        case .key(.character(let character), _): press(character, context)
        case .key(let key, let modifiers): step(key, isFine: modifiers.contains(.shift), EqualizerBand(chosen, context), context)
        default: break
        }
    }

    private mutating func point(
        _ action: ViewMouseAction, _ column: Int, _ row: Int, _ modifiers: ViewModifiers, _ context: ViewContext
    ) {
        let plot = plot(context)
        switch action {
        case .press:
            isHeld = true
            if let near = nearest(column, row, plot, context) {
                chosen = near
            } else if let free = bands(context).first(where: { !$0.isOn }) {
                chosen = free.index
                EqualizerBand(chosen, context).begin(context)
            } else {
                isHeld = false
                return
            }
        case .drag: break
        case .release:
            isHeld = false
            return
        case .wheelUp, .wheelDown: return EqualizerBand(chosen, context).widen(by: action == .wheelUp ? 1.1 : 1 / 1.1, context)
        }
        guard isHeld else { return }
        let band = EqualizerBand(chosen, context)
        context.set(band.address + 1, to: plot.frequency(atColumn: Double(column)))
        if band.shape.hasGain { context.set(band.address + 3, to: plot.level(atRow: Double(row))) }
    }

    /// The band that is on and whose point is near.
    private func nearest(_ column: Int, _ row: Int, _ plot: FrequencyPlot, _ context: ViewContext) -> Int? {
        let distances = bands(context).filter(\.isOn).map { band in
            (band.index, abs(plot.column(of: band.frequency) - column) + 2 * abs(plot.row(of: band.pointLevel) - row))
        }
        return distances.min { $0.1 < $1.1 }.flatMap { $0.1 <= 4 ? $0.0 : nil }
    }

    private mutating func press(_ character: Unicode.Scalar, _ context: ViewContext) {
        let band = EqualizerBand(chosen, context)
        switch character {
        case "n", "N":
            let step = character == "n" ? 1 : Equalizer.bandCount - 1
            chosen = (chosen + step) % Equalizer.bandCount
        case " ": context.set(band.address + 4, to: band.isBypassed ? 0 : 1)
        case "t": context.set(band.address, to: Double((band.type + 1) % BandShape.names.count))
        case "w": band.widen(by: 1.1, context)
        case "W": band.widen(by: 1 / 1.1, context)
        default:
            if let index = Self.marks.firstIndex(where: { $0 == character }) { chosen = index }
        }
    }

    private func step(_ key: ViewKey, isFine: Bool, _ band: EqualizerBand, _ context: ViewContext) {
        let size = isFine ? 0.1 : 1
        switch key {
        case .left, .right: context.set(band.address + 1, to: band.frequency * Maths.exp2((key == .right ? size : -size) / 12))
        case .up, .down: context.set(band.address + 3, to: band.gain + (key == .up ? size : -size))
        case .pageUp: band.widen(by: 1.1, context)
        case .pageDown: band.widen(by: 1 / 1.1, context)
        case .delete, .backspace: band.end(context)
        default: break
        }
    }

    // MARK: Drawing

    mutating func draw(into grid: inout CellGrid, _ context: ViewContext) {
        let (plot, bands) = (plot(context), bands(context))
        spectrum.update(context.output.latest(Spectrum.frameCount), sampleRate: context.sampleRate)
        plot.drawGrid(into: &grid, step: 9)
        plot.draw(spectrum, into: &grid, Spectrum.style(colorCount: context.colorCount))
        let sections = bands.filter(\.isOn).map(\.prototype)
        let gain = context[Equalizer.gainAddress]
        plot.draw(into: &grid, CellStyle(foreground: .cyan)) { frequency in
            sections.reduce(gain) { $0 + $1.decibels(at: frequency) }
        }
        for band in bands where band.isOn || band.index == chosen {
            let style: CellStyle =
                band.index == chosen ? CellStyle(foreground: .yellow, [.bold, .reversed]) : CellStyle(foreground: .yellow, [.bold])
            plot.drawPoint(
                into: &grid, at: band.frequency, band.pointLevel, Self.marks[band.index], band.isOn ? style : CellStyle([.dim]))
        }
        grid.put(words(bands[chosen], context), column: 0, row: grid.rowCount - 1, CellStyle([.bold]))
    }

    private func words(_ band: EqualizerBand, _ context: ViewContext) -> String {
        func text(_ offset: UInt64) -> String {
            context.parameters[address: band.address + offset].map { $0.string(from: context[band.address + offset]) } ?? ""
        }
        let gain = band.shape.hasGain ? "   \(text(3))" : ""
        return "Band \(band.index + 1)\(band.isBypassed ? " (bypassed)" : "")   \(text(0))   \(text(1))\(gain)   \(text(2))"
    }
}

/// The values of a band that the view reads.
private struct EqualizerBand {
    let index: Int
    let address: UInt64
    let type: Int
    let frequency, bandwidth, gain: Double
    let isBypassed: Bool

    init(_ index: Int, _ context: ViewContext) {
        self.index = index
        address = Equalizer.firstAddress(ofBand: index)
        type = Int(max(0, min(100, context[address])))
        (frequency, bandwidth, gain) = (context[address + 1], context[address + 2], context[address + 3])
        isBypassed = context[address + 4] > 0.5
    }

    var shape: BandShape { BandShape(number: type) }
    /// True if the band changes the sound.
    var isOn: Bool { !isBypassed && (gain != 0 || !shape.hasGain) }
    /// The level of its point.
    var pointLevel: Double { shape.hasGain ? gain : 0 }
    var prototype: AnalogueSection { shape.prototype(frequency: frequency, bandwidth: bandwidth, gain: gain) }

    func widen(by factor: Double, _ context: ViewContext) { context.set(address + 2, to: bandwidth * factor) }

    /// Puts the band into use at the position of the mouse.
    func begin(_ context: ViewContext) {
        context.set(address, to: 0)
        context.set(address + 4, to: 0)
    }

    /// Takes the band out of use, as a peak of 0 dB.
    func end(_ context: ViewContext) {
        context.set(address, to: 0)
        context.set(address + 3, to: 0)
    }
}

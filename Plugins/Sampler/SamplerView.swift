// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The view of Sampler: the preset of each channel, and a keyboard that lights the played keys. The view's thread.

import PluginSDK
import ViewKit

/// Sixteen channels, and below them the keys.
struct SamplerView: View {
    static var preferredSizes: [ViewSize] { [ViewSize(columnCount: 76, rowCount: 14), ViewSize(columnCount: 36, rowCount: 23)] }
    static var frameRate: Double { 20 }

    private let names: PresetNames
    private var lights: KeyLights
    private var chosen = 0
    /// The row of the mouse and the program at the start of a drag.
    private var held: (row: Int, program: Double)?

    init(_ context: ViewContext) { self.init(context, PresetNames()) }

    init(_ context: ViewContext, _ names: PresetNames) {
        self.names = names
        lights = KeyLights(context.keys)
    }

    // MARK: Places

    /// The channels in a row: the fewest that leave five rows for the keyboard, at least two; with little room one, in a
    /// scrolling list.
    private func channelsPerRow(_ context: ViewContext) -> Int {
        func fewest(keyboardRowCount: Int, columnCount: Int) -> Int? {
            let rows = context.size.rowCount - 1 - keyboardRowCount
            return [1, 2, 4, 8].first { 16 <= $0 * rows && context.size.columnCount / $0 >= columnCount }
        }
        return fewest(keyboardRowCount: 5, columnCount: 14) ?? fewest(keyboardRowCount: 2, columnCount: 10) ?? 1
    }

    private func listRowCount(_ context: ViewContext) -> Int {
        max(1, min(16 / channelsPerRow(context), context.size.rowCount - 2))
    }

    /// The channel in the upper left corner; channels run downwards.
    private func firstChannel(_ context: ViewContext) -> Int {
        channelsPerRow(context) > 1 ? 0 : max(0, min(16 - listRowCount(context), chosen - listRowCount(context) / 2))
    }

    private func channel(atColumn column: Int, row: Int, _ context: ViewContext) -> Int? {
        let (perRow, rows) = (channelsPerRow(context), listRowCount(context))
        guard row >= 0, row < rows, column >= 0 else { return nil }
        let channel = firstChannel(context) + min(perRow - 1, column / max(1, context.size.columnCount / perRow)) * rows + row
        return channel < 16 ? channel : nil
    }

    // MARK: Keys and mouse

    mutating func handle(_ event: ViewEvent, _ context: ViewContext) {
        let program = Address.program(chosen)
        switch event {
        case .mouse(.press, let column, let row, _):
            guard let channel = channel(atColumn: column, row: row, context) else { return }
            chosen = channel
            held = (row, context[Address.program(channel)])
        case .mouse(.drag, _, let row, _): if let held { context.set(program, to: held.program + Double(held.row - row)) }
        case .mouse(.release, _, _, _): held = nil
        case .mouse(.wheelUp, _, _, _), .key(.up, _): context.set(program, to: context[program] + 1)
        case .mouse(.wheelDown, _, _, _), .key(.down, _): context.set(program, to: context[program] - 1)
        case .key(.pageUp, _): context.set(program, to: context[program] + 8)
        case .key(.pageDown, _): context.set(program, to: context[program] - 8)
        case .key(.left, _), .key(.character("N"), _): chosen = (chosen + 15) % 16
        case .key(.right, _), .key(.character("n"), _): chosen = (chosen + 1) % 16
        case .key(.delete, _), .key(.home, _): for address in [program, program + 1] { context.restore(address) }
        default: break
        }
    }

    // MARK: Drawing

    mutating func draw(into grid: inout CellGrid, _ context: ViewContext) {
        lights.update(context.keys)
        let (perRow, rows) = (channelsPerRow(context), listRowCount(context))
        let width = grid.columnCount / perRow
        let playing = (0..<128).reduce(0 as UInt16) { $0 | context.keys.channels(holding: $1) }
        let first = firstChannel(context)
        for channel in first..<min(16, first + perRow * rows) {
            let (column, row) = ((channel - first) / rows * width, (channel - first) % rows)
            let isPlaying = playing & 1 << UInt16(channel) != 0
            let style = CellStyle(foreground: isPlaying ? .green : .terminal, channel == chosen ? [.bold, .reversed] : [])
            let number = (channel < 9 ? " " : "") + "\(channel + 1) "
            grid.put(number + name(channel, context), column: column, row: row, style, width: width - 1)
        }
        let keyboard = KeyboardPlot(
            CellRectangle(column: 0, row: rows, columnCount: grid.columnCount, rowCount: min(8, grid.rowCount - 1 - rows)))
        keyboard.draw(into: &grid) { lights.isLit($0) ? .green : nil }
        let told = [Address.program(chosen), Address.bank(chosen), Address.gain, Address.tuning, Address.pan]
        grid.put("Channel \(chosen + 1)   \(context.text(of: told))", column: 0, row: grid.rowCount - 1, CellStyle([.bold]))
    }

    private func name(_ channel: Int, _ context: ViewContext) -> String {
        func number(_ address: UInt64) -> Int { Int(max(0, min(16_383, context[address]))) }
        let (bank, program) = (number(Address.bank(channel)), number(Address.program(channel)))
        return names.name(bank: bank, program: program) ?? "Program \(program)\(bank > 0 ? ", Bank \(bank)" : "")"
    }
}

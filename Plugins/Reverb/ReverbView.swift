// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The view of Reverb: the decay time of each frequency, and three points to drag. The view's thread.

import PluginSDK
import ViewKit

/// The decay time over frequency, and the times of low, middle and high sounds as points.
struct ReverbView: View {
    static var preferredSizes: [ViewSize] { [ViewSize(columnCount: 60, rowCount: 14), ViewSize(columnCount: 36, rowCount: 18)] }

    /// The lowest and the highest decay time, as powers of two of a second.
    private static let octaves = -5.0...5.0
    private static let points: [(hertz: Double, address: Reverb.Address)] = [(100, .lowDecay), (1000, .decay), (9000, .highDecay)]

    private var held: Int?
    private var chosen = 1

    init(_ context: ViewContext) {}

    /// The base-2 logarithm of a number.
    private static func octave(of number: Double) -> Double { Maths.log(max(1e-9, number)) / Maths.log(2.0) }

    private func plot(_ context: ViewContext) -> FrequencyPlot {
        let rows = max(1, context.size.rowCount - 1)
        return FrequencyPlot(
            CellRectangle(column: 0, row: 0, columnCount: context.size.columnCount, rowCount: rows), decibels: Self.octaves)
    }

    /// The decay time in seconds: as set at 1 kHz, its multiples below 250 Hz and above 4 kHz, and straight lines between.
    private func seconds(at hertz: Double, _ context: ViewContext) -> Double {
        let (decay, low, high) = (
            context[Reverb.Address.decay.rawValue], context[Reverb.Address.lowDecay.rawValue],
            context[Reverb.Address.highDecay.rawValue]
        )
        let octave = Self.octave(of: max(1, hertz) / 1000)
        let share = max(-1, min(1, octave / 2))
        return decay * Maths.exp2(share < 0 ? -share * Self.octave(of: low) : share * Self.octave(of: high))
    }

    mutating func handle(_ event: ViewEvent, _ context: ViewContext) {
        let plot = plot(context)
        switch event {
        case .mouse(.release, _, _, _): held = nil
        case .mouse(.wheelUp, _, _, _): move(chosen, by: 1.05, context)
        case .mouse(.wheelDown, _, _, _): move(chosen, by: 1 / 1.05, context)
        case .mouse(let action, let column, let row, _):
            if action == .press {
                let nearest = Self.points.indices.min {
                    abs(plot.column(of: Self.points[$0].hertz) - column) < abs(plot.column(of: Self.points[$1].hertz) - column)
                }
                (held, chosen) = (nearest, nearest ?? chosen)
            }
            guard let held else { return }
            set(held, toSeconds: Maths.exp2(plot.level(atRow: Double(row))), context)
        case .key(.left, _): chosen = max(0, chosen - 1)
        case .key(.right, _): chosen = min(2, chosen + 1)
        case .key(.up, let modifiers): move(chosen, by: modifiers.contains(.shift) ? 1.01 : 1.1, context)
        case .key(.down, let modifiers): move(chosen, by: 1 / (modifiers.contains(.shift) ? 1.01 : 1.1), context)
        case .key(.delete, _), .key(.home, _):
            context.restore(Self.points[chosen].address.rawValue)
        default: break
        }
    }

    private func move(_ point: Int, by factor: Double, _ context: ViewContext) {
        let address = Self.points[point].address.rawValue
        context.set(address, to: context[address] * factor)
    }

    private func set(_ point: Int, toSeconds seconds: Double, _ context: ViewContext) {
        let address = Self.points[point].address
        // Low and high decay are multiples of the decay.
        let whole = context[Reverb.Address.decay.rawValue]
        context.set(address.rawValue, to: point == 1 ? seconds : seconds / max(1e-3, whole))
    }

    mutating func draw(into grid: inout CellGrid, _ context: ViewContext) {
        let plot = plot(context)
        for seconds in [0.1, 0.3, 1, 3, 10] {
            let row = plot.row(of: Self.octave(of: seconds))
            for column in 0..<grid.columnCount { grid[column, row] = Cell("┄", CellStyle([.dim])) }
            grid.put(
                "\(seconds == 10 || seconds == 1 || seconds == 3 ? "\(Int(seconds))" : "\(seconds)") s", column: 0, row: row,
                CellStyle([.dim]))
        }
        plot.draw(into: &grid, CellStyle(foreground: .cyan)) { Self.octave(of: seconds(at: $0, context)) }
        for (index, point) in Self.points.enumerated() {
            let style = CellStyle(foreground: .yellow, index == chosen ? [.bold, .reversed] : [.bold])
            plot.drawPoint(into: &grid, at: point.hertz, Self.octave(of: seconds(at: point.hertz, context)), "●", style)
        }
        let told: [Reverb.Address] = [.decay, .size, .preDelay, .mix]
        grid.put(context.text(of: told.map(\.rawValue)), column: 0, row: grid.rowCount - 1, CellStyle([.bold]))
    }
}

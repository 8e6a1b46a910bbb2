// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What views are given, and what authors test them with. Test thread.

import PluginSDK
import PluginTesting
import Testing

/// A level, a tone with decades, and a switch.
private struct Lamp: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.effect, "lamp", "test"), name: "Lamp", manufacturerName: "Bulkhead", version: UnitVersion(1, 0, 0))
    static let parameters = ParameterTree(
        Parameter("level", name: "Level", address: 3, range: -10...10, default: 2, unit: .decibels),
        Parameter("tone", name: "Tone", address: 4, range: 10...1000, default: 10, unit: .hertz, flags: .logarithmic),
        Parameter("colour", name: "Colour", address: 5, choices: ["Red", "Green", "Blue"], default: 1),
        Parameter("peak", name: "Peak", address: 6, range: 0...1, default: 0, flags: [.meter]))
    static var view: (any View.Type)? { LampView.self }

    init(_ setup: RenderSetup) {}
    @_noLocks mutating func apply(_ change: ParameterChange) {}
    @_noLocks mutating func render(_ block: RenderBlock) { block.output.silence() }
    @_noLocks mutating func reset() {}
}

private struct LampView: View {
    init(_ context: ViewContext) {}

    mutating func handle(_ event: ViewEvent, _ context: ViewContext) {
        switch event {
        case .mouse(.drag, let column, _, _): for address in 3..<UInt64(8) { context.set(address, toPosition: Double(column) / 10) }
        case .key(.up, _): for address in 3..<UInt64(8) { context.move(address, by: 0.25) }
        case .key(.delete, _): for address in 3..<UInt64(8) { context.restore(address) }
        case .key(.enter, _): for address in 3..<UInt64(8) { context.setToNextChoice(address) }
        case .key(.escape, _): context.set(3, toPosition: .nan)
        default: break
        }
    }

    mutating func draw(into grid: inout CellGrid, _ context: ViewContext) {
        grid.put(context.text(of: [3, 4, 5, 99]), column: 0, row: 0)
        grid.put("\(context.position(of: 3)) \(context.position(of: 4)) \(context.position(of: 99))", column: 0, row: 1)
        grid.put("\(context.keys.isHeld(60)) \(context.keys.strokeCount(of: 200))", column: 0, row: context.size.rowCount - 1)
    }
}

/// The same without a view.
private struct Blind: Kernel, ~Copyable {
    static let description = Lamp.description
    static let parameters = Lamp.parameters

    init(_ setup: RenderSetup) {}
    @_noLocks mutating func apply(_ change: ParameterChange) {}
    @_noLocks mutating func render(_ block: RenderBlock) { block.output.silence() }
    @_noLocks mutating func reset() {}
}

@Suite struct DrawnViewTests {
    @Test func aViewTellsTheValuesOfItsParameters() throws {
        let view = try DrawnView(Lamp.self, rows: 3)
        #expect(view.lines == ["Level 2 dB   Tone 10 Hz   Colour Green", "0.6 0.0 0.0", "false 0"])
        try view.set("level", to: -10)
        try view.set("tone", to: 100)
        #expect(view.lines.prefix(2) == ["Level -10 dB   Tone 100 Hz   Colour Green", "0.0 0.5 0.0"])
        view.send(.size(ViewSize(columnCount: 8, rowCount: 1), colorCount: 0))
        #expect(view.lines == ["false 0…"])
        #expect(throws: UnitError.self) { try view.set("no such parameter", to: 0) }
    }

    @Test func aViewMovesParametersWithinTheirRanges() throws {
        let view = try DrawnView(Lamp.self)
        func values() throws -> [Double] { try ["level", "tone", "colour", "peak"].map { try view.value(of: $0) } }
        view.send(.mouse(.drag, column: 5, row: 0, []))
        #expect(try values() == [0, 100, 1, 0])
        view.send(.mouse(.drag, column: 99, row: 0, []))
        #expect(try values() == [10, 1000, 2, 0])
        view.send(.key(.enter, []))
        #expect(try values() == [10, 1000, 0, 0])
        view.send(.key(.escape, []))
        view.send(.key(.delete, []))
        view.send(.key(.up, []))
        let moved = try values()
        #expect(moved[0] == 7 && abs(moved[1] - 31.622_776) < 1e-3 && moved[3] == 0)
    }

    @Test func aKernelWithoutAViewIsRefused() {
        #expect(throws: UnitError.failed("it has no view")) { try DrawnView(Blind.self) }
    }
}

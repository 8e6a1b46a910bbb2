// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Random keys, mouse and sizes over models of every kind: nothing traps, and nothing that is drawn steers a terminal. Test thread.

import Cells
import Control
import JSON
import TestSupport
import Testing

@testable import Screen

@Suite struct RandomKeysTests {
    private static let hostile = [
        "", "\u{1B}[2J\u{1B}]0;x\u{7}", "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字", "e" + String(repeating: "\u{301}", count: 300), "a → b", "x:1",
        "\u{202E}live\u{2066}",
        String(repeating: "W", count: 400), "👩‍👩‍👧‍👦\u{FE0F}", "\n\n\t", "main", "ok.volume",
    ]

    private func name(_ random: inout Seed) -> String { Self.hostile.randomElement(using: &random) ?? "" }

    private func key(_ random: inout Seed) -> ScreenKey {
        let keys: [ScreenKey] = [
            .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .delete, .backspace, .enter, .enter, .escape, .tab,
            .backTab,
            .shiftLeft, .shiftRight, .shiftUp, .shiftDown, .control("r"), .control("u"), .paste(name(&random)),
        ]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return keys.randomElement(using: &random) ?? .up
        case 1: return .character(Unicode.Scalar(UInt8.random(in: 0x20..<0x7F, using: &random)))
        case 2: return .character("aspcxlub?n/q<>[]{}19- ".unicodeScalars.randomElement(using: &random) ?? "a")
        default:
            let kinds: [ScreenMouse.Kind] = [.press, .press, .drag, .release, .wheelUp, .wheelDown]
            return .mouse(
                ScreenMouse(
                    kinds.randomElement(using: &random) ?? .press, column: .random(in: 0..<220, using: &random),
                    row: .random(in: 0..<70, using: &random)))
        }
    }

    /// What a host may tell, and what it never would.
    private func told(_ bench: inout ScreenBench, _ random: inout Seed) {
        let units = (0..<Int.random(in: 0..<30, using: &random)).map { "\(name(&random))\($0)" }
        let ends = units + ["main", "input", "nobody"]
        let links = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
            "\(ends.randomElement(using: &random) ?? "") → \(ends.randomElement(using: &random) ?? "")"
        }
        bench.model.take(status: ScreenBench.status(units, connections: Bool.random(using: &random) ? links : nil))
        let numbers = [Double.nan, -.infinity, .infinity, 1e300, -1, 0, 0.5, 22_000]
        func number() -> JSONValue { .number(numbers.randomElement(using: &random) ?? 0) }
        for unit in units.prefix(4) {
            bench.model.take(load: .object([unit: ScreenBench.unit(unit, ["loadPercent": number(), "worstPercent": number()])]))
            let rows = (0..<Int.random(in: 0..<50, using: &random)).map { index in
                JSONValue.object([
                    "path": .text("\(unit).\(index)"), "name": .text(name(&random)), "text": .text(name(&random)),
                    "value": number(),
                    "minimum": number(), "maximum": number(), "default": number(), "isLogarithmic": .flag(.random(using: &random)),
                    "choices": .list((0..<Int.random(in: 0..<5, using: &random)).map { _ in .text(name(&random)) }),
                ])
            }
            bench.model.take(parameters: .list(rows), of: unit)
        }
        bench.model.meters.take([Double.nan, 1e30])
        bench.model.log.add(name(&random), .trouble, clock: "12:00:00", time: 0)
    }

    @Test func nothingTrapsAndNothingSteersTheTerminal() {
        var random = Seed()
        for _ in 0..<25 {
            var bench = ScreenBench()
            for step in 0..<120 {
                if step % 40 == 20 { told(&bench, &random) }
                if step % 15 == 0 {
                    bench.state.columnCount = .random(in: 1..<210, using: &random)
                    bench.state.rowCount = .random(in: 1..<64, using: &random)
                }
                _ = bench.press(key(&random))
                guard step % 5 == 0 else { continue }
                let grid = bench.grid
                let isClean = grid.cells.allSatisfy { $0 == $0.cleaned }
                #expect(isClean, "step \(step)")
                let kind = TerminalKind(colorCount: 256, isASCII: .random(using: &random), entering: "", leaving: "")
                let bytes = CellWriter.bytes(for: grid, after: nil, on: kind)
                #expect(Emulator.isHarmless(bytes, columns: grid.columnCount, rows: grid.rowCount), "step \(step)")
            }
        }
    }
}

/// Reads what is written to a terminal.
enum Emulator {
    /// Whether the bytes are nothing but characters, places within the screen, and colours.
    static func isHarmless(_ bytes: [UInt8], columns: Int, rows: Int) -> Bool {
        var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let first = rest.popFirst() {
            guard first == "\u{1B}" else {
                if first.value < 0x20 || (0x7F..<0xA0).contains(first.value) { return false }
                continue
            }
            guard rest.popFirst() == "[" else { return false }
            let numbers = rest.prefix { $0 == ";" || ("0"..."9").contains($0) }
            rest = rest.dropFirst(numbers.count)
            let parts = numbers.split(separator: ";").compactMap { Int(String(Substring($0))) }
            switch rest.popFirst() {
            case "m": continue
            case "J" where parts == [2]: continue
            case "H" where parts.count == 2 && (1...rows).contains(parts[0]) && (1...columns).contains(parts[1]): continue
            default: return false
            }
        }
        return true
    }
}

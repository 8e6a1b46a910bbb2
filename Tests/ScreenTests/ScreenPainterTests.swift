// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The screen as text, in the sizes that terminals have, compared with what is kept in Captures. Test thread.

import Cells
import Glibc
import Testing

@testable import Screen

@Suite struct ScreenPainterTests {
    /// Compares a screen with the file that is kept of it; with BULKHEAD_WRITE_CAPTURES in the environment the file is written.
    private func compare(_ bench: ScreenBench, _ name: String, isASCII: Bool = false) {
        compare(bench.grid, name, isASCII: isASCII)
    }

    private func compare(_ grid: CellGrid, _ name: String, isASCII: Bool = false) {
        let shown = grid.text(isASCII: isASCII) + "\n"
        let path = "\(#filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" })/Captures/\(name).txt"
        if getenv("BULKHEAD_WRITE_CAPTURES") != nil, let file = fopen(path, "w") {
            fputs(shown, file)
            fclose(file)
        }
        var kept = ""
        if let file = fopen(path, "r") {
            var line = [CChar](repeating: 0, count: 4096)
            while fgets(&line, Int32(line.count), file) != nil {
                kept += String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
            fclose(file)
        }
        #expect(kept == shown, "\(name) is now:\n\(shown)")
    }

    @Test(arguments: [(80, 24), (200, 60), (40, 10), (132, 43)])
    func aChainIsShownInEachSize(columns: Int, rows: Int) {
        var bench = ScreenBench(columns: columns, rows: rows)
        bench.model.log.add("Reverb restarted after it died.", .trouble, clock: "12:03:44", time: bench.model.now)
        compare(bench, "chain-\(columns)x\(rows)")
    }

    @Test(arguments: [(80, 24), (200, 60)]) func theViewOfThePlugInStandsInPlaceOfItsParameters(columns: Int, rows: Int) {
        var bench = ScreenBench(columns: columns, rows: rows)
        _ = bench.type("v")
        let part = ScreenLayout(bench.state).view
        var view = ScreenView(node: "Reverb", columnCount: part.columnCount, rowCount: part.rowCount)
        var grid = CellGrid(columnCount: part.columnCount, rowCount: part.rowCount)
        for column in 0..<part.columnCount { grid.put("╱", column: column, row: column * part.rowCount / part.columnCount) }
        grid.put("Decay 1.5 s", column: 0, row: part.rowCount - 1)
        (view.number, view.grid) = (1, grid)
        bench.model.view = view
        compare(bench, "view-\(columns)x\(rows)")
    }

    @Test func aTerminalWithoutOtherCharactersShowsASCII() {
        compare(ScreenBench(), "chain-ascii", isASCII: true)
    }

    @Test func eachDialogIsShown() {
        for (key, name) in [("a", "browser"), ("s", "scenes"), ("c", "patch"), ("?", "help"), ("l", "log")] {
            var bench = ScreenBench()
            _ = bench.type(key)
            compare(bench, name)
        }
        var bench = ScreenBench()
        bench.model.presets = (
            "Reverb", [ScreenPreset(name: "Mine", isFactory: false), ScreenPreset(name: "Large Hall", isFactory: true)]
        )
        _ = bench.type("p")
        compare(bench, "presets")
        bench = ScreenBench()
        _ = bench.press(.tab, .down, .down, .down, .enter)
        compare(bench, "choices")
        bench = ScreenBench()
        _ = bench.press(.tab, .character("7"))
        compare(bench, "value")
    }

    @Test func theListOfHostsStandsAlone() {
        var (model, state) = (ScreenModel(), ScreenState())
        model.hosts = [ScreenHost(name: "live"), ScreenHost(name: "play")]
        model.hosts[1].units = ["Gain", "Reverb"]
        state.dialog = ScreenDialog(.hosts, index: 1)
        var grid = CellGrid(columnCount: 80, rowCount: 24)
        ScreenPainter.drawDialog(model, state, into: &grid)
        compare(grid, "hosts")
    }

    @Test func troubleIsSeenWithoutColours() {
        var bench = ScreenBench()
        bench.model.nodes[1].isBypassed = true
        bench.model.nodes[2].state = "restarting"
        (bench.model.nodes[3].late, bench.model.nodes[3].restarts) = (3, 1)
        compare(bench, "trouble")
        #expect(bench.text.contains("○ 1 Gain") && bench.text.contains("bypassed") && bench.text.contains("! 2 Delay"))
        #expect(bench.text.contains("late 3 · restarts 1"))
    }

    @Test func branchesAreLanes() {
        var bench = ScreenBench()
        let links = ["input → Dry", "input → Wet", "input → Side", "Dry → Sum", "Wet → Sum", "Side → Wet:1", "Sum → main"]
        bench.model.take(status: ScreenBench.status(["Dry", "Wet", "Side", "Sum"], connections: links))
        bench.state.settle(bench.model)
        compare(bench, "graph")
    }

    @Test func aScreenThatIsTooSmallSaysSo() {
        #expect(ScreenBench(columns: 39, rows: 12).text.hasPrefix("At least 40 × 10"))
        #expect(ScreenBench(columns: 1, rows: 1).grid.cells.count == 1)
    }

    @Test func whatCannotBeSeenIsMarkedAndTheChosenRowIsInSight() {
        var bench = ScreenBench()
        bench.model.take(status: ScreenBench.status((1...60).map { "Unit \($0)" }))
        _ = bench.press(.end, .up)
        #expect(bench.text.contains("Unit 60") && bench.text.contains("▲") && !bench.text.contains("▼"))
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the screen understands of what a host tells. Test thread.

import Control
import Testing

@testable import Screen

@Suite struct ScreenModelTests {
    @Test func namesWithArrowsAndColonsAreToldApart() {
        var model = ScreenModel()
        model.take(
            status: ScreenBench.status(["a → b", "c"], connections: ["input → a → b", "a → b:1 → c:0", "c → main", "x → y"]))
        #expect(model.connections.map(\.source) == ["input", "a → b", "c"])
        #expect(model.connections.map(\.destination) == ["a → b", "c", "main"])
        #expect(model.connections[1].from == "a → b:1" && model.connections[1].to == "c:0")
    }

    @Test func aCircleAndForeignEndsAreDrawnWithoutHarm() {
        let lanes = GraphLanes(nodes: ["a", "b"], connections: [("a", "b"), ("b", "a"), ("b", "b"), ("b", "nowhere")])
        #expect(lanes.rows.compactMap(\.node).sorted() == ["a", "b"])
    }

    @Test func slidersOfLogarithmicParametersHaveTheirMiddleAtTheGeometricMean() {
        var cutoff = ScreenParameter(path: "f.cutoff", name: "Cutoff")
        (cutoff.minimum, cutoff.maximum, cutoff.isLogarithmic, cutoff.value) = (20, 20_000, true, 632.4555)
        #expect(abs(cutoff.share - 0.5) < 1e-6 && cutoff.value(atShare: 0.5) == 632.5)
        #expect(cutoff.value(atShare: 0) == 20 && cutoff.value(atShare: 1) == 20_000 && cutoff.value(atShare: 9) == 20_000)
        cutoff.minimum = 0
        #expect(cutoff.value(atShare: 0.5) == 10_000)
    }

    @Test func metersRiseAtOnceAndFallSlowly() {
        var meters = ScreenMeters()
        meters.advance(to: 10)
        meters.take([1, 0.001])
        #expect(meters.channels[0].level == 0 && meters.channels[1].level == -60)
        meters.advance(to: 10.5)
        #expect(abs(meters.channels[0].level + 12) < 0.01 && meters.channels[0].peak == 0)
        meters.advance(to: 30)
        #expect(!meters.isMoving)
    }

    @Test func theLogKeepsItsLastLines() {
        var log = ScreenLog()
        for index in 0..<600 { log.add("line \(index)", .told, clock: "12:00:00", time: 0) }
        #expect(log.lines.count == 500 && log.lines.first?.text == "line 100")
    }

    @Test func levelsOfMixersReadAsDecibels() {
        var model = ScreenModel()
        model.take(status: ScreenBench.status([]))
        model.parameters["main"] = ScreenModel.levels(of: ScreenNode(id: "main", kind: "main"))
        model.take(value: .object(["path": "main.volume", "value": 0.5]))
        #expect(model.parameters["main"]?.first?.text == "-6.0 dB")
    }
}

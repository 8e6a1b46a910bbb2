// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The map of an environment: what is where, and what keys and the mouse move. Test thread.

import Cells
import Control
import JSON
import Testing

@testable import Screen

@Suite struct ScreenMapTests {
    /// A room with a bee at the right, and a voice without a place.
    private func bench() -> ScreenBench {
        var bench = ScreenBench()
        let nodes: [(String, String)] = [("bee", "player"), ("voice", "player"), ("room", "environment")]
        bench.model.take(
            status: .object([
                "host": "graph", "sampleRate": 48000.0,
                "nodes": .list(nodes.map { .object(["id": .text($0.0), "kind": .text($0.1)]) }),
                "connections": .list(["bee → room", "voice → room", "room → main"]),
            ]))
        for node in bench.model.nodes { bench.model.parameters[node.id] = ScreenModel.levels(of: node) }
        bench.state.choose("room")
        bench.state.settle(bench.model)
        for (path, value) in [("bee.position.x", 1.5), ("bee.position.y", 0), ("bee.position.z", 0), ("room.yaw", 90.0)] {
            bench.tell(path, value)
        }
        return bench
    }

    @Test func theMapSaysHowHighASourceIs() {
        var bench = bench()
        _ = bench.type("v")
        bench.tell("bee.position.x", -1)
        bench.tell("bee.position.y", 1.5)
        #expect(bench.text.contains("● bee ↑1.5 m"))
        bench.tell("room.listener.y", 2)
        #expect(bench.text.contains("● bee ↓0.5 m"))
        bench.tell("bee.position.y", 2)
        #expect(bench.text.contains("● bee") && !bench.text.contains("● bee ↓"))
    }

    @Test func theMapShowsTheListenerAndWhatHasAPlace() throws {
        var bench = bench()
        #expect(!bench.text.contains("upper edge"))
        _ = bench.type("v")
        let map = try #require(bench.state.map(bench.model))
        #expect(map.items.map(\.node) == ["room", "bee"] && map.radius == 2)
        #expect(bench.text.contains("2 m to the upper edge") && bench.text.contains("● bee") && bench.text.contains("▶"))
        #expect(!bench.text.contains("● voice"))
        let (listener, bee) = (map.cell(x: 0, z: 0), map.cell(x: 1.5, z: 0))
        #expect(listener.row == bee.row && bee.column > listener.column)
    }

    @Test func aCellIsAtThePlaceThatItShows() throws {
        var bench = bench()
        _ = bench.type("v")
        let map = try #require(bench.state.map(bench.model))
        for (x, z) in [(0.0, 0.0), (1.5, -1), (-2, 2), (0.3, 0.7)] {
            let cell = map.cell(x: x, z: z)
            let place = map.place(column: cell.column, row: cell.row)
            #expect(abs(place.x - x) <= 0.08 && abs(place.z - z) <= 0.16, "\(x), \(z): \(place)")
        }
        // What lies beyond the edge is drawn on it.
        let far = map.cell(x: 1e9, z: -.infinity)
        #expect(map.part.contains(column: far.column, row: far.row))
    }

    @Test func theMouseDragsASource() throws {
        var bench = bench()
        _ = bench.type("v")
        let map = try #require(bench.state.map(bench.model))
        let cell = map.cell(x: 1.5, z: 0)
        #expect(bench.press(.mouse(ScreenMouse(.press, column: cell.column, row: cell.row))).isEmpty)
        let place = map.place(column: cell.column - 4, row: map.part.row)
        #expect(
            bench.press(.mouse(ScreenMouse(.drag, column: cell.column - 4, row: map.part.row))) == [
                .set(path: "bee.position.x", value: .number(place.x)), .set(path: "bee.position.z", value: .number(place.z)),
            ])
        // Beyond the edge it stays on the map, whose scale stays.
        _ = bench.press(.mouse(ScreenMouse(.drag, column: 500, row: -3)))
        bench.tell("bee.position.x", 40)
        #expect(bench.state.map(bench.model)?.radius == 2)
        _ = bench.press(.mouse(ScreenMouse(.release, column: 500, row: 3)))
        #expect(bench.state.map(bench.model)?.radius == 50)
    }

    @Test func keysMoveWhatEnterChooses() {
        var bench = bench()
        _ = bench.type("v")
        _ = bench.press(.tab)
        #expect(
            bench.press(.left) == [
                .set(path: "room.listener.x", value: .number(-0.1)), .set(path: "room.listener.z", value: .number(0)),
            ])
        _ = bench.press(.enter)
        #expect(
            bench.press(.down) == [
                .set(path: "bee.position.x", value: .number(1.5)), .set(path: "bee.position.z", value: .number(0.1)),
            ])
        #expect(bench.type("]") == [.set(path: "room.yaw", value: .number(95))])
        _ = bench.press(.escape)
        #expect(bench.state.focus == .chain)
    }

    @Test func aPlaceHasASliderOnceTheHostHasToldIt() {
        let bench = bench()
        #expect(bench.model.parameters["bee"]?.map(\.name).contains("To the right") == true)
        #expect(bench.model.parameters["voice"]?.contains { $0.path.contains("position") } == false)
    }
}

extension ScreenBench {
    /// Takes a value from the host.
    mutating func tell(_ path: String, _ value: Double) {
        model.take(value: .object(["path": .text(path), "value": .number(value)]))
    }
}

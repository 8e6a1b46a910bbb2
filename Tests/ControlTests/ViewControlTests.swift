// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Views over the control protocol: pictures, keys, the mouse, and what closes them. Test thread.

import Foundation
import HostingTestSupport
import LinuxSystem
import Testing

@testable import Control

/// A client with one view open, and the picture that it has put together.
private final class ViewClient {
    let client: ControlClient
    let number: JSONValue
    private(set) var lines: [String] = []
    private(set) var closed: String?
    private(set) var blankCount = 0

    init(_ bench: ControlBench, _ node: String, columns: Int = 60, rows: Int = 16) throws {
        client = try bench.client()
        number =
            try client.call(
                "openView", ["node": .text(node), "columns": .count(columns), "rows": .count(rows)])["view"] ?? .null
    }

    func call(_ method: String, _ fields: [String: JSONValue]) throws {
        _ = try client.call(method, fields.merging(["view": number]) { $1 })
    }

    func take() throws {
        guard let event = try client.event(), event["event"] == "view", let data = event["data"] else { return }
        #expect(data["view"] == number)
        if data["blank"]?.flag == true { blankCount += 1 }
        if let reason = data["closed"]?.text { closed = reason }
        guard let rows = data["rows"]?.number, let changed = data["lines"]?.list else { return }
        if lines.count != Int(rows) { lines = [String](repeating: "", count: Int(rows)) }
        for line in changed {
            guard let parts = line.list, let row = parts.first?.number, let runs = parts.last?.list else { continue }
            lines[Int(row)] = runs.compactMap { $0.list?.first?.text }.joined()
        }
    }

    func sees(_ text: String) throws -> Bool {
        let deadline = MonotonicClock.now() + 10_000_000_000
        while !lines.contains(where: { $0.contains(text) }), closed == nil {
            guard MonotonicClock.now() < deadline else { return false }
            try take()
        }
        return lines.contains { $0.contains(text) }
    }
}

@Suite(.serialized, .timeLimit(.minutes(2))) struct ViewControlTests {
    @Test func aViewIsSeenMovedAndTakenBack() throws {
        let bench = try ControlBench([("Filter", "Filter"), ("Gain", "Gain")])
        let view = try ViewClient(bench, "Filter")
        let other = try bench.client()
        #expect(try view.sees("Cutoff 1000 Hz"))
        _ = try other.call("set", ["path": "Filter.cutoff", "value": .number(300)])
        #expect(try view.sees("Cutoff 300 Hz"))
        try view.call("viewMouse", ["action": "press", "column": .count(15), "row": .count(4)])
        try view.call("viewMouse", ["action": "release", "column": .count(15), "row": .count(4)])
        #expect(try view.sees("Cutoff 119"))
        let filter = bench.session.graph.units[0].unit
        #expect(abs((filter.value(of: "cutoff") ?? 0) - 119.125) < 0.01)
        try view.call("viewKey", ["key": "right", "modifiers": .list(["shift"])])
        #expect(try view.sees("Cutoff 119.8"))
        try view.call("resizeView", ["columns": .count(40), "rows": .count(8)])
        while view.lines.count != 8 { try view.take() }
        while (try? other.call("undo")) != nil {}
        #expect(filter.value(of: "cutoff") == 1000 && filter.value(of: "resonance") == 0)
        #expect(try view.sees("Cutoff 1000 Hz"))
    }

    @Test func aDragIsTakenBackInOne() throws {
        let bench = try ControlBench([("Filter", "Filter"), ("Gain", "Gain")])
        let view = try ViewClient(bench, "Filter")
        #expect(try view.sees("Cutoff 1000 Hz"))
        let filter = bench.session.graph.units[0].unit
        for from in [10, 40] {
            try view.call("viewMouse", ["action": "press", "column": .count(from), "row": .count(4)])
            for step in 1...40 {
                try view.call("viewMouse", ["action": "drag", "column": .count(from + step % 10), "row": .count(step % 16)])
            }
            // A hand may rest in a drag.
            if from == 40 { Futex.pause(microseconds: 1_200_000) }
            try view.call("viewMouse", ["action": "drag", "column": .count(from + 5), "row": .count(12)])
            try view.call("viewMouse", ["action": "release", "column": .count(from + 5), "row": .count(12)])
            let hertz = 20 * pow(1000, (Double(from) + 5.5) / 60)
            while abs((filter.value(of: "cutoff") ?? 0) - hertz) > 0.01 { try view.take() }
        }
        let between = 20 * pow(1000, 15.5 / 60)
        _ = try bench.client().call("undo")
        #expect(abs((filter.value(of: "cutoff") ?? 0) - between) < 0.01)
        _ = try bench.client().call("undo")
        #expect(filter.value(of: "cutoff") == 1000 && filter.value(of: "resonance") == 0)
        #expect(throws: ControlError.self) { try bench.client().call("undo") }
    }

    @Test func aClientHasSixteenViewsAtMost() throws {
        let bench = try ControlBench((0...SessionViews.mostOfClient).map { ("Filter \($0)", "Filter") })
        let client = try bench.client()
        func open(_ number: Int) throws {
            _ = try client.call("openView", ["node": .text("Filter \(number)"), "columns": .count(20), "rows": .count(4)])
        }
        for number in 0..<SessionViews.mostOfClient { try open(number) }
        #expect(throws: ControlError.self) { try open(SessionViews.mostOfClient) }
        // Another view of a unit takes the place of the former one.
        let other = try ViewClient(bench, "Filter 0")
        #expect(try other.sees("Cutoff"))
        let deadline = MonotonicClock.now() + 5_000_000_000
        var isOpen = false
        while !isOpen, MonotonicClock.now() < deadline { isOpen = (try? open(SessionViews.mostOfClient)) != nil }
        #expect(isOpen)
    }

    @Test func aViewEndsWithItsUnitAndItsClient() throws {
        let bench = try ControlBench([("Filter", "Filter"), ("Gain", "Gain")])
        let view = try ViewClient(bench, "Filter")
        #expect(try view.sees("Cutoff"))
        _ = try bench.client().call("remove", ["node": "Filter"])
        bench.session.tick(peaks: (0, 0))
        while view.closed == nil { try view.take() }
        #expect(view.closed == "Filter is not in the graph any more.")
        #expect(throws: ControlError.self) { try view.call("viewKey", ["key": "up"]) }
        _ = try bench.client().call("undo")
        do {
            let again = try ViewClient(bench, "Filter")
            #expect(try again.sees("Cutoff"))
            #expect(bench.session.views.all.count == 1)
        }
        for _ in 0..<100 where !bench.session.views.all.isEmpty {
            bench.session.tick(peaks: (0, 0))
            Futex.pause(microseconds: 10_000)
        }
        #expect(bench.session.views.all.isEmpty)
    }

    @Test func whatCannotBeOpenedIsSaid() throws {
        let bench = try ControlBench([("Filter", "Filter"), ("Gain", "Gain")])
        let client = try bench.client()
        func code(_ method: String, _ fields: [String: JSONValue]) -> ControlError.Code? {
            do { _ = try client.call(method, fields) } catch { return (error as? ControlError)?.code }
            return nil
        }
        let size: [String: JSONValue] = ["columns": .count(20), "rows": .count(4)]
        #expect(code("openView", size.merging(["node": "Gain"]) { $1 }) == .notFound)
        #expect(code("openView", ["node": "Filter", "columns": .count(0), "rows": .count(4)]) == .badField)
        #expect(code("openView", ["node": "Filter", "columns": .number(1e300), "rows": .count(4)]) == .badField)
        #expect(code("viewKey", ["view": .count(1), "key": "a"]) == .notFound)
        for colors in [-1, 1e10, 0.5] {
            let fields: [String: JSONValue] = [
                "node": "Filter", "columns": .count(9), "rows": .count(9), "colors": .number(colors),
            ]
            #expect(code("openView", fields) == .badField)
        }
        #expect(code("openView", size.merging(["node": "Filter", "colors": .count(16_777_216)]) { $1 }) == nil)
        #expect(code("resizeView", size.merging(["view": .count(1), "colors": .number(-1)]) { $1 }) == .badField)
        // A view belongs to its client.
        #expect(throws: ControlError.self) { try bench.client().call("closeView", ["view": .count(1)]) }
        #expect(code("closeView", ["view": .count(1)]) == nil && code("closeView", ["view": .count(1)]) == .notFound)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Views over the control protocol: pictures, keys, the mouse, and what closes them. Test thread.

import Cells
import Foundation
import HostingTestSupport
import JSON
import LinuxSystem
import TestSupport
import Testing

@testable import Control

/// A client with one view open, and the picture that it has put together.
private final class ViewClient {
    let client: ControlClient
    let number: JSONValue
    private(set) var lines: [String] = []
    private(set) var closed: String?
    private(set) var blankCount = 0
    /// The picture in pixels, and how many of them have come.
    private(set) var picture: CellPixels?
    private(set) var pictureCount = 0

    init(_ bench: ControlBench, _ node: String, columns: Int = 60, rows: Int = 16, cell: PixelSize? = nil) throws {
        client = try bench.client()
        // Meters come all the time, so that none of the waits below lasts for ever.
        _ = try client.call("watch", ["topics": .list(["meters"])])
        var fields: [String: JSONValue] = ["node": .text(node), "columns": .count(columns), "rows": .count(rows)]
        if let cell { (fields["cellWidth"], fields["cellHeight"]) = (.count(cell.width), .count(cell.height)) }
        number = try client.call("openView", fields)["view"] ?? .null
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
        if let told = data["picture"] {
            picture = CellPixels(told, columnCount: Int(data["columns"]?.number ?? 0), rowCount: Int(rows))
            pictureCount += 1
        }
        for line in changed {
            guard let parts = line.list, let row = parts.first?.number, let runs = parts.last?.list else { continue }
            lines[Int(row)] = runs.compactMap { $0.list?.first?.text }.joined()
        }
    }

    func sees(_ text: String) throws -> Bool { try sees { $0.lines.contains { $0.contains(text) } } }

    func sees(_ condition: (ViewClient) -> Bool) throws -> Bool {
        let deadline = MonotonicClock.now() + UInt64(Patience.seconds() * 1e9)
        while !condition(self), closed == nil {
            guard MonotonicClock.now() < deadline else { return false }
            try take()
        }
        return condition(self)
    }
}

@Suite(.serialized, .timeLimit(.minutes(15))) struct ViewControlTests {
    @Test func aViewIsSeenMovedAndTakenBack() throws {
        let bench = try ControlBench([("Filter", "Filter"), ("Gain", "Gain")], ticks: true)
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
        #expect(try view.sees { $0.lines.count == 8 })
        while (try? other.call("undo")) != nil {}
        #expect(filter.value(of: "cutoff") == 1000 && filter.value(of: "resonance") == 0)
        #expect(try view.sees("Cutoff 1000 Hz"))
    }

    @Test func aDragIsTakenBackInOne() throws {
        let bench = try ControlBench([("Filter", "Filter"), ("Gain", "Gain")], ticks: true)
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
            #expect(try view.sees { _ in abs((filter.value(of: "cutoff") ?? 0) - hertz) <= 0.01 })
        }
        let between = 20 * pow(1000, 15.5 / 60)
        _ = try bench.client().call("undo")
        #expect(abs((filter.value(of: "cutoff") ?? 0) - between) < 0.01)
        _ = try bench.client().call("undo")
        #expect(filter.value(of: "cutoff") == 1000 && filter.value(of: "resonance") == 0)
        #expect(throws: ControlError.self) { try bench.client().call("undo") }
    }

    @Test func aClientThatShowsPixelsGetsThePictureWheneverItIsAnotherOne() throws {
        let bench = try ControlBench([("Painter", "Painter")], ticks: true)
        let view = try ViewClient(bench, "Painter", columns: 20, rows: 5, cell: PixelSize(width: 10, height: 20))
        let other = try bench.client()
        func set(_ path: String, _ value: JSONValue) throws {
            _ = try other.call("set", ["path": .text("Painter.\(path)"), "value": value])
        }
        #expect(try view.sees("1.0") && view.picture == nil && view.pictureCount == 0)
        try set("order", "pixels")
        #expect(try view.sees { $0.picture != nil })
        let part = CellRectangle(column: 0, row: 0, columnCount: 10, rowCount: 4)
        let size = PixelSize(width: 100, height: 80)
        #expect(view.picture == CellPixels(part: part, size: size, pixels: Array(repeating: 0xFF00_8040, count: 8000)))
        let count = view.pictureCount
        // Other characters alone bring no picture.
        try view.call("viewKey", ["key": "x"])
        #expect(try view.sees("1.0 x") && view.pictureCount == count)
        try set("level", .number(0.5))
        #expect(try view.sees { $0.picture?.size.width == 50 })
        try view.call("resizeView", ["columns": .count(30), "rows": .count(6), "cellWidth": .count(4), "cellHeight": .count(8)])
        #expect(try view.sees { $0.picture?.size == PixelSize(width: 30, height: 40) })
        // A screen without pixels has the characters alone.
        try view.call("resizeView", ["columns": .count(30), "rows": .count(6)])
        #expect(try view.sees { $0.picture == nil })
        try view.call("resizeView", ["columns": .count(30), "rows": .count(7), "cellWidth": .count(4), "cellHeight": .count(8)])
        #expect(try view.sees { $0.picture?.size.height == 48 })
        try set("order", "draw")
        #expect(try view.sees { $0.picture == nil } && view.closed == nil)
    }

    /// Noise cannot be made smaller.
    @Test func aPictureThatIsTooLongToBeSentIsNone() throws {
        let part = CellRectangle(column: 0, row: 0, columnCount: 10, rowCount: 5)
        let size = PixelSize(width: 100, height: 100)
        let noise = (0..<10_000).map { UInt32($0) &* 0x9E37_79B9 }
        let picture = try #require(CellPixels(part: part, size: size, pixels: noise))
        #expect(picture.json(upTo: 10_000) == nil && picture.json(upTo: 50_000) != nil)
        let plain = try #require(CellPixels(part: part, size: size, pixels: Array(repeating: 7, count: 10_000)))
        #expect(plain.json(upTo: 10_000) != nil)
    }

    @Test func aPictureIsReadAsItWasSentAndNonsenseIsNone() throws {
        let part = CellRectangle(column: 1, row: 2, columnCount: 3, rowCount: 2)
        let pixels = (0..<35).map { UInt32($0) &* 0x9E37_79B9 }
        let picture = try #require(CellPixels(part: part, size: PixelSize(width: 7, height: 5), pixels: pixels))
        guard case .object(let fields) = picture.json() else {
            Issue.record("A picture is an object.")
            return
        }
        func read(_ change: [String: JSONValue] = [:], columnCount: Int = 4, rowCount: Int = 4) -> CellPixels? {
            CellPixels(.object(fields.merging(change) { $1 }), columnCount: columnCount, rowCount: rowCount)
        }
        #expect(read() == picture && read(columnCount: 3) == nil && read(rowCount: 3) == nil)
        let nonsense: [JSONValue] = [.null, .number(-1), .number(0.5), .number(1e300), .count(1 << 21), "x"]
        for name in fields.keys {
            for value in nonsense { #expect(read([name: value]) == nil, "\(name) \(value)") }
        }
        let text = try #require(fields["pixels"]?.text)
        for text in [String(text.dropLast(4)), "!\(text)", ""] { #expect(read(["pixels": .text(text)]) == nil) }
        #expect(read(["width": .count(8)]) == nil && read(["width": .count(6)]) == nil)
        #expect(CellPixels(.null, columnCount: 4, rowCount: 4) == nil)
    }

    @Test func aClientHasSixteenViewsAtMost() throws {
        let bench = try ControlBench((0...SessionViews.mostOfClient).map { ("Filter \($0)", "Filter") }, ticks: true)
        let client = try bench.client()
        func open(_ number: Int) throws {
            _ = try client.call("openView", ["node": .text("Filter \(number)"), "columns": .count(20), "rows": .count(4)])
        }
        for number in 0..<SessionViews.mostOfClient { try open(number) }
        #expect(throws: ControlError.self) { try open(SessionViews.mostOfClient) }
        // Another view of a unit takes the place of the former one.
        let other = try ViewClient(bench, "Filter 0")
        #expect(try other.sees("Cutoff"))
        let deadline = MonotonicClock.now() + UInt64(Patience.seconds() * 1e9)
        var isOpen = false
        while !isOpen, MonotonicClock.now() < deadline { isOpen = (try? open(SessionViews.mostOfClient)) != nil }
        #expect(isOpen)
    }

    @Test func aViewEndsWithItsUnitAndItsClient() throws {
        let bench = try ControlBench([("Filter", "Filter"), ("Gain", "Gain")], ticks: true)
        let view = try ViewClient(bench, "Filter")
        #expect(try view.sees("Cutoff"))
        _ = try bench.client().call("remove", ["node": "Filter"])
        #expect(try view.sees { $0.closed != nil })
        #expect(view.closed == "Filter is not in the graph any more.")
        #expect(throws: ControlError.self) { try view.call("viewKey", ["key": "up"]) }
        _ = try bench.client().call("undo")
        do {
            let again = try ViewClient(bench, "Filter")
            #expect(try again.sees("Cutoff"))
            #expect(bench.session.views.all.count == 1)
        }
        #expect(Patience.until(every: 10_000) { bench.session.views.all.isEmpty })
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
        for side in [-1, 0.5, 1001, 1e300] {
            #expect(code("resizeView", size.merging(["view": .count(1), "cellWidth": .number(side)]) { $1 }) == .badField)
            #expect(code("openView", size.merging(["node": "Filter", "cellHeight": .number(side)]) { $1 }) == .badField)
        }
        // A view belongs to its client.
        #expect(throws: ControlError.self) { try bench.client().call("closeView", ["view": .count(1)]) }
        #expect(code("closeView", ["view": .count(1)]) == nil && code("closeView", ["view": .count(1)]) == .notFound)
    }
}

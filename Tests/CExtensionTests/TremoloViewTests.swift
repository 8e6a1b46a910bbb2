// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The view of the extension in C: seen, dragged, told of values, and back after a death. Test thread.

import AudioUnits
import Cells
import Glibc
import Synchronization
import TestSupport
import Testing
import ViewChannel

@testable import PluginHosting

extension CellGrid {
    fileprivate func character(_ column: Int, _ row: Int) -> Unicode.Scalar? { Unicode.Scalar(self[column, row].codePoint) }
}

/// The view of a Tremolo in C, and what it has shown.
private final class TremoloEye: Sendable {
    let unit: HostedUnit
    let view: HostedView
    private let seen: Seen

    private final class Seen: Sendable {
        let updates = Mutex<[HostedView.Update]>([])
    }

    init(_ name: String = "Tremolo", columns: Int = 50, rows: Int = 12) throws {
        unit = try CExtension.unit(name)
        let seen = Seen()
        self.seen = seen
        view = try HostedView(of: unit, size: ViewSize(columnCount: columns, rowCount: rows), colorCount: 256) { update in
            seen.updates.withLock { $0.append(update) }
        }
    }

    deinit { view.close() }

    var updates: [HostedView.Update] { seen.updates.withLock { $0 } }

    var picture: CellGrid? {
        for case .picture(let grid) in updates.reversed() { return grid }
        return nil
    }

    func sees(_ text: String) -> Bool { waitUntil(milliseconds: 5000) { picture?.text.contains(text) ?? false } }

    func hasValues(rate: Double, depth: Double) -> Bool {
        waitUntil(milliseconds: 5000) {
            abs((unit.values[7001] ?? 0) - rate) < 1e-9 && abs((unit.values[7002] ?? 0) - depth) < 1e-9
        }
    }
}

@Suite(.serialized) struct TremoloViewTests {
    private let eye: TremoloEye

    init() throws { eye = try TremoloEye() }

    @Test func itsPictureShowsTheValuesThatTheHostSets() throws {
        #expect(eye.unit.hasView)
        #expect(eye.sees("Rate 4.0 Hz   Depth 0 %"))
        #expect(eye.view.preferredSizes == [ViewSize(columnCount: 60, rowCount: 12), ViewSize(columnCount: 30, rowCount: 6)])
        // Without depth the volume is full everywhere; the point is above.
        let full = try #require(eye.picture)
        #expect((0..<50).allSatisfy { full.character($0, 11) == "█" } && full.character(9, 1) == "●")
        #expect(full[0, 11].foreground != full[9, 1].foreground)
        try eye.unit.set("depth", to: 100)
        #expect(eye.sees("Rate 4.0 Hz   Depth 100 %"))
        // Four swings a second: the volume is least in the middle of each.
        let deep = try #require(eye.picture)
        #expect((0..<50).filter { deep.character($0, 10) == " " } == [6, 18, 31, 43] && deep.character(0, 1) != " ")
    }

    @Test func aDragSetsBothParametersAndIsNotRepeatedToTheView() throws {
        #expect(eye.sees("Depth 0 %"))
        eye.view.send(.mouse(.press, column: 12, row: 6, []))
        #expect(eye.hasValues(rate: 5.1, depth: 50))
        #expect(eye.sees("Rate 5.1 Hz   Depth 50 %"))
        #expect(eye.picture?.character(12, 6) == "●")
        // One beyond the edge is the end of the range.
        eye.view.send(.mouse(.drag, column: 50, row: 12, []))
        #expect(eye.hasValues(rate: 20, depth: 100))
        eye.view.send(.mouse(.drag, column: -1, row: 0, []))
        eye.view.send(.mouse(.release, column: -1, row: 0, []))
        #expect(eye.hasValues(rate: 0.1, depth: 0))
        // The button is up.
        eye.view.send(.mouse(.drag, column: 12, row: 6, []))
        eye.view.send(.key(.down, []))
        eye.view.send(.key(.right, [.shift]))
        #expect(eye.hasValues(rate: 0.2, depth: 1))
        #expect(eye.sees("Rate 0.2 Hz   Depth 1 %"))
    }

    @Test func itFollowsEverySize() throws {
        for (columns, rows, colors) in [(30, 4, 0), (1, 1, 8), (200, 60, 16_777_216), (7, 2, 16)] {
            eye.view.resize(to: ViewSize(columnCount: columns, rowCount: rows), colorCount: colors)
            let isSeen = waitUntil(milliseconds: 5000) {
                eye.picture.map { $0.columnCount == columns && $0.rowCount == rows } ?? false
            }
            #expect(isSeen, "\(columns) by \(rows)")
            eye.view.send(.mouse(.press, column: columns, row: rows, []))
            eye.view.send(.mouse(.release, column: -1, row: -1, []))
        }
        #expect(!eye.updates.contains { if case .closed = $0 { true } else { false } })
    }

    @Test func itsValuesReachTheSoundThatItRenders() throws {
        #expect(eye.sees("Depth 0 %"))
        eye.view.send(.mouse(.press, column: 12, row: 6, []))
        #expect(eye.hasValues(rate: 5.1, depth: 50))
        #expect(try eye.unit.saveState().values["depth"] == 50)
    }

    @Test func aDeathBlanksItAndBothComeBack() throws {
        try eye.unit.set("depth", to: 30)
        #expect(eye.sees("Depth 30 %"))
        var bench = try CExtension.bench([eye.unit], input: CExtension.noise(6400))
        let row = bench.row
        _ = try bench.renderInput { frames in
            if frames.lowerBound == 3200 { kill(try #require(eye.unit.processIdentifier), SIGKILL) }
            if frames.lowerBound == 4800 { #expect(row.waitUntilReady(milliseconds: 5000)) }
        }
        #expect(waitUntil(milliseconds: 5000) { eye.updates.contains(.blank) })
        #expect(waitUntil(milliseconds: 10_000) { eye.updates.last != .blank })
        #expect(eye.sees("Depth 30 %") && eye.updates.last != .blank)
    }

    @Test func datagramsOfAnotherLengthArePassedOver() throws {
        let eye = try TremoloEye("TremoloSayingTooMuch")
        for depth in 1...5 {
            try eye.unit.set("depth", to: Double(depth))
            #expect(eye.sees("Depth \(depth) %"))
        }
        // Neither closed nor opened again.
        #expect(Patience.never(milliseconds: 500) { !eye.updates.allSatisfy { if case .picture = $0 { true } else { false } } })
        #expect(eye.hasValues(rate: 4, depth: 5))
    }

    @Test func anExtensionWithoutTheFunctionsHasNoView() throws {
        let unit = try CExtension.unit("Everything")
        #expect(!unit.hasView)
        #expect(throws: HostingError.self) {
            try HostedView(of: unit, size: ViewSize(columnCount: 9, rowCount: 9), colorCount: 0) { _ in }
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Views in real processes: what is seen, what is set, and what one that hangs, floods or draws nonsense costs. Test thread.

import Cells
import Glibc
import HostingTestSupport
import Synchronization
import TestSupport
import Testing
import ViewChannel

@testable import PluginHosting

/// A view of a unit, and what it has shown.
final class Eye: Sendable {
    let unit: HostedUnit
    let view: HostedView
    private let seen: Seen

    private final class Seen: Sendable {
        let updates = Mutex<[HostedView.Update]>([])
    }

    init(_ name: String, columns: Int = 20, rows: Int = 3) throws {
        unit = try Build.unit(name)
        let seen = Seen()
        self.seen = seen
        view = try HostedView(of: unit, size: ViewSize(columnCount: columns, rowCount: rows), colorCount: 256) { update in
            seen.updates.withLock { $0.append(update) }
        }
    }

    deinit { view.close() }

    var updates: [HostedView.Update] { seen.updates.withLock { $0 } }

    var lines: [String] {
        for case .picture(let grid) in updates.reversed() {
            return grid.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        return []
    }

    var reason: String? {
        for case .closed(let reason) in updates { return reason }
        return nil
    }

    func sees(_ text: String, within milliseconds: Int = 5000) -> Bool {
        waitUntil(milliseconds: milliseconds) { lines.contains { $0.contains(text) } }
    }

    func order(_ order: Double) throws { try unit.set("order", to: order) }
}

@Suite(.timed("renders while a view is watched and killed")) struct ViewTests {
    @Test func aViewShowsWhatItsUnitHasAndSetsWhatThePersonDrags() throws {
        let eye = try Eye("Painter")
        #expect(eye.sees("1.0"))
        // From the host to the view, and the view's own change to the host, but not back to the view.
        try eye.unit.set("level", to: 0.25)
        #expect(eye.sees("0.25"))
        let told = Mutex<[Double]>([])
        let token = eye.unit.values.addObserver { _, value in told.withLock { $0.append(value) } }
        eye.view.send(.mouse(.press, column: 19, row: 0, []))
        eye.view.send(.mouse(.drag, column: 0, row: 0, []))
        eye.view.send(.mouse(.release, column: 0, row: 0, []))
        eye.view.send(.key(.character("é"), []))
        #expect(eye.sees("0.0 é"))
        #expect(waitUntil(milliseconds: 2000) { eye.unit.values[0] == 0 })
        #expect(told.withLock { $0.last == 0 && $0.count <= 2 })
        eye.unit.values.removeObserver(token)
        eye.view.resize(to: ViewSize(columnCount: 31, rowCount: 4), colorCount: 0)
        #expect(eye.sees("silence 31"))
        #expect(eye.reason == nil)
    }

    @Test func aThousandDragsAgreeInViewAndHost() throws {
        let eye = try Eye("Filter", columns: 60, rows: 16)
        #expect(eye.sees("Cutoff"))
        let told = Mutex(0)
        let token = eye.view.token
        var random = Seed()
        eye.view.send(.mouse(.press, column: 30, row: 8, []))
        for _ in 0..<1000 {
            let (column, row) = (Int.random(in: -1...60, using: &random), Int.random(in: -1...16, using: &random))
            eye.view.send(.mouse(.drag, column: column, row: row, []))
            Glibc.usleep(500)
        }
        eye.view.send(.mouse(.drag, column: 59, row: 15, []))
        #expect(waitUntil(milliseconds: 5000) { eye.unit.values[0] ?? 0 > 18_000 && eye.unit.values[1] ?? 0 < -19 })
        let observer = eye.unit.values.addObserver { _, _ in told.withLock { $0 += 1 } }
        eye.view.send(.mouse(.drag, column: 15, row: 4, []))
        eye.view.send(.mouse(.release, column: 15, row: 4, []))
        let cutoff = try #require(eye.unit.parameters[keyPath: "cutoff"])
        let resonance = try #require(eye.unit.parameters[keyPath: "resonance"])
        // 20 Hz times a thousand to the power of 15.5/60; 30 dB less 4.5/15 of 72.
        #expect(waitUntil(milliseconds: 3000) { abs((eye.unit.values[0] ?? 0) - 119.125) < 0.01 })
        #expect(waitUntil(milliseconds: 3000) { abs((eye.unit.values[1] ?? 0) - 8.4) < 0.01 })
        #expect(eye.sees("Cutoff \(cutoff.string(from: eye.unit.values[0] ?? 0))   Resonance \(resonance.string(from: 8.4))"))
        // No echo: the host's values rest where the drag has put them.
        let count = told.withLock { $0 }
        #expect(Patience.never(milliseconds: 500) { told.withLock { $0 } != count } && count <= 2 && token != nil)
        eye.unit.values.removeObserver(observer)
        let settled = eye.updates.count
        try eye.unit.set("cutoff", to: 5000)
        #expect(eye.sees("Cutoff \(cutoff.string(from: 5000))") && eye.updates.count > settled)
    }

    @Test func aViewThatHangsOrFloodsCostsItselfAlone() async throws {
        try await withThrowingTaskGroup { group in
            for order in [1.0, 2, 5] { group.addTask { try self.expectEnd(order) } }
            try await group.waitForAll()
        }
    }

    private func expectEnd(_ order: Double) throws {
        let eye = try Eye("Painter")
        #expect(eye.sees("1.0"))
        let process = eye.unit.processIdentifier
        try eye.order(order)
        // The unit answers while its view hangs.
        for level in 1...5 { try eye.unit.set("level", to: Double(level) / 8) }
        #expect(try eye.unit.saveState().values["level"] == 0.625 || order == 2)
        #expect(
            waitUntil(milliseconds: 8000) { eye.reason == "The view of Painter has not answered for 3 seconds and was closed." },
            "\(eye.updates.suffix(2))")
        #expect(eye.unit.processIdentifier == process)
        #expect(try eye.unit.saveState().values["order"] == order)
    }

    @Test func aPictureThatFindsNoRoomIsNotShown() throws {
        let eye = try Eye("Painter")
        #expect(eye.sees("1.0"))
        try eye.order(6)
        try eye.unit.set("level", to: 0.5)
        #expect(Patience.never(milliseconds: 100) { eye.lines.contains { $0.contains("0.5") } })
        try eye.order(0)
        #expect(eye.sees("0.5") && eye.reason == nil)
        for case .picture(let grid) in eye.updates { #expect(grid.columnCount == 20 && grid.rowCount == 3) }
    }

    @Test func aSecondViewTakesThePlaceOfTheFirst() throws {
        let first = try Eye("Painter")
        #expect(first.sees("1.0"))
        let seen = Mutex<[HostedView.Update]>([])
        let second = try HostedView(of: first.unit, size: ViewSize(columnCount: 25, rowCount: 3), colorCount: 8) { update in
            seen.withLock { $0.append(update) }
        }
        #expect(waitUntil(milliseconds: 3000) { first.reason == "The view of Painter is shown elsewhere now." })
        #expect(
            waitUntil(milliseconds: 3000) {
                if case .picture(let grid)? = seen.withLock({ $0.last }) { grid.columnCount == 25 } else { false }
            })
        // It stays open: neither hangs the other up.
        second.send(.key(.character("k"), []))
        #expect(
            waitUntil(milliseconds: 3000) {
                if case .picture(let grid)? = seen.withLock({ $0.last }) { grid.text.contains("k") } else { false }
            })
        Glibc.usleep(600_000)
        #expect(!seen.withLock { $0 }.contains(.blank))
        second.close()
        let count = seen.withLock { $0.count }
        second.remind()
        try first.unit.set("level", to: 0.25)
        #expect(Patience.never(milliseconds: 100) { seen.withLock { $0.count } > count })
    }

    @Test func whatBeginsBeyondTheEdgeIsNotTheViews() throws {
        let eye = try Eye("Painter")
        #expect(eye.sees("1.0"))
        eye.view.send(.mouse(.press, column: 5, row: 3, []))
        eye.view.send(.mouse(.press, column: -1, row: 0, []))
        eye.view.send(.key(.character("k"), []))
        #expect(eye.sees("1.0 k") && eye.unit.values[0] == 1)
        // A drag goes on there, one cell beyond at most.
        eye.view.send(.mouse(.drag, column: -400, row: 70, []))
        #expect(eye.sees("0.0 k"))
    }

    @Test func nonsenseIsCleaned() throws {
        let eye = try Eye("Painter")
        #expect(eye.sees("1.0"))
        try eye.order(3)
        #expect(eye.sees("\u{FFFD}"))
        for case .picture(let grid) in eye.updates {
            for cell in grid.cells { #expect(cell == cell.cleaned && cell.mark == 0) }
            #expect(!grid.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" || $0 == "\u{9B}" })
        }
    }

    @Test func aKilledPlugInBlanksItsViewAndBothComeBack() throws {
        let eye = try Eye("Painter")
        try eye.unit.set("level", to: 0.5)
        #expect(eye.sees("0.5"))
        // It dies in mid-drag.
        eye.view.send(.mouse(.press, column: 3, row: 0, []))
        #expect(eye.sees("0.157"))
        let stage = try Stage([eye.unit], input: [Float](repeating: 0.5, count: 4800))
        try stage.start()
        for _ in 0..<3 {
            let process = try #require(eye.unit.processIdentifier)
            let count = eye.updates.count
            kill(process, SIGKILL)
            #expect(waitUntil(milliseconds: 5000) { eye.updates.dropFirst(count).contains(.blank) })
            #expect(waitUntil(milliseconds: 10_000) { eye.updates.last != .blank && eye.updates.count > count + 1 })
            #expect(eye.sees("0.157") && eye.sees("sound"))
        }
        stage.stop()
        #expect(eye.reason == nil)
    }

    @Test func aUnitWithoutAViewSaysSo() throws {
        let unit = try Build.unit("Gain")
        #expect(!unit.hasView)
        #expect(throws: HostingError.self) {
            try HostedView(of: unit, size: ViewSize(columnCount: 9, rowCount: 9), colorCount: 0) { _ in }
        }
    }
}

/// What the views of our own effects do with the mouse and keys.
@Suite(.timed("waits for pictures of views")) struct EffectViewTests {
    @Test func aBandIsTakenMovedWidenedAndLeftAlone() throws {
        let eye = try Eye("Equalizer", columns: 60, rows: 19)
        #expect(eye.sees("Band 1"))
        // On an empty place the first band that does nothing begins: 15.5/60 of three decades, and 27 dB less 4.5/18 of 54.
        eye.view.send(.mouse(.press, column: 15, row: 4, []))
        eye.view.send(.mouse(.release, column: 15, row: 4, []))
        #expect(eye.sees("Band 1   Parametric   119") && eye.sees("   13.5 dB   1 oct"))
        eye.view.send(.mouse(.press, column: 16, row: 4, []))
        eye.view.send(.mouse(.drag, column: 30, row: 13, []))
        eye.view.send(.mouse(.release, column: 30, row: 13, []))
        #expect(waitUntil(milliseconds: 3000) { abs((eye.unit.values[3] ?? 0) + 13.5) < 0.01 })
        let width = try #require(eye.unit.values[2])
        eye.view.send(.key(.character("w"), []))
        #expect(waitUntil(milliseconds: 3000) { abs((eye.unit.values[2] ?? 0) - width * 1.1) < 1e-6 })
        for _ in 0..<7 { eye.view.send(.key(.character("t"), [])) }
        #expect(eye.sees("Low Shelf"))
        eye.view.send(.key(.delete, []))
        #expect(waitUntil(milliseconds: 3000) { eye.unit.values[3] == 0 && eye.unit.values[0] == 0 })
    }

    @Test func theDecayOfLowSoundsIsDraggedByItself() throws {
        let eye = try Eye("Reverb", columns: 60, rows: 11)
        #expect(eye.sees("Decay 1.5 s"))
        // The lowest point; five octaves above a second less 4.5/10 of ten are half an octave: √2 s.
        eye.view.send(.mouse(.press, column: 14, row: 4, []))
        #expect(waitUntil(milliseconds: 3000) { abs((eye.unit.values[1] ?? 0) - 1.414_213 / 1.5) < 0.001 })
        #expect(eye.unit.values[0] == 1.5)
    }

    @Test func theFirstRepeatOfADelayIsDragged() throws {
        let eye = try Eye("Delay", columns: 61, rows: 13)
        #expect(eye.sees("Time 0.35 s"))
        // The axis is two seconds long; three of ten rows from above.
        eye.view.send(.mouse(.press, column: 15, row: 3, []))
        #expect(waitUntil(milliseconds: 3000) { abs((eye.unit.values[0] ?? 0) - 0.5) < 0.001 && eye.unit.values[1] == 70 })
        eye.view.send(.key(.character("p"), []))
        #expect(waitUntil(milliseconds: 3000) { eye.unit.values[4] == 1 })
    }

    @Test func theKnobOfTheDistortionIsTurned() throws {
        let eye = try Eye("Distortion", columns: 64, rows: 13)
        #expect(eye.sees("Drive 12 dB   Curve Soft"))
        let drive = try #require(eye.unit.parameters[keyPath: "drive"]).address
        // Six of twelve rows up are half of the range.
        eye.view.send(.mouse(.press, column: 5, row: 9, []))
        eye.view.send(.mouse(.drag, column: 5, row: 3, []))
        eye.view.send(.mouse(.release, column: 5, row: 3, []))
        #expect(waitUntil(milliseconds: 3000) { eye.unit.values[drive] == 36 })
        eye.view.send(.key(.character("c"), []))
        #expect(eye.sees("Drive 36 dB   Curve Hard"))
    }

    @Test(arguments: ["Filter", "Equalizer", "Reverb", "Delay", "Distortion", "Synth", "Sampler", "Drums"]) func aViewFitsEverySize(
        name: String
    ) throws {
        for (columns, rows) in [(90, 8), (36, 24), (10, 3), (1, 1), (200, 60)] {
            let eye = try Eye(name, columns: columns, rows: rows)
            let isSeen = waitUntil(milliseconds: 5000) {
                if case .picture(let grid)? = eye.updates.last {
                    grid.columnCount == columns && grid.rowCount == rows
                } else {
                    false
                }
            }
            #expect(isSeen && eye.reason == nil, "\(columns) × \(rows)")
            eye.view.send(.mouse(.press, column: columns, row: rows, []))
            eye.view.send(.mouse(.drag, column: -1, row: -1, []))
            eye.view.send(.key(.pageDown, [.shift]))
            let process = eye.unit.processIdentifier
            Glibc.usleep(100_000)
            #expect(eye.unit.processIdentifier == process && eye.reason == nil)
        }
    }
}

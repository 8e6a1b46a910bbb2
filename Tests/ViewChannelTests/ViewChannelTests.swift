// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Datagrams and pictures of views, honest and not. Test thread.

import AudioUnits
import CWireLayout
import Cells
import LinuxSystem
import Synchronization
import TestSupport
import Testing
import Wire

@testable import ViewChannel

@Suite struct ViewChannelTests {
    @Test func everyEventIsReadAsItWasWritten() {
        let keys: [ViewKey] = [
            .character("a"), .character("\u{1F39B}"), .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .delete,
            .backspace,
            .enter, .escape, .tab,
        ]
        var events: [ViewEvent] = keys.map { .key($0, [.shift, .control]) }
        events += [
            .size(ViewSize(columnCount: 80, rowCount: 24), colorCount: 256), .mouse(.drag, column: -1, row: 7, [.alt]),
            .focus(true),
            .focus(false), .value(address: .max, -0.5), .look(9),
        ]
        for event in events { #expect(ViewEvent(bytes: event.bytes) == event) }
        let notices: [ViewNotice] = [.drawn, .set(address: 3, 1e300), .touch(address: 1, isHeld: true), .here(.max)]
        for notice in notices { #expect(ViewNotice(bytes: notice.bytes) == notice) }
    }

    @Test func whatMeansNothingIsPassedOver() {
        #expect(ViewEvent(bytes: []) == nil && ViewNotice(bytes: [1, 2, 3]) == nil)
        #expect(ViewEvent(bytes: ViewNotice.drawn.bytes) == nil && ViewNotice(bytes: ViewEvent.look(1).bytes) == nil)
        #expect(ViewEvent(bytes: ViewEvent.look(1).bytes + [0]) == nil)
        var size = ViewEvent.size(ViewSize(columnCount: 300, rowCount: 300), colorCount: 0).bytes
        #expect(ViewEvent(bytes: size) != nil)
        // 300 by 65,536 is more than any view has.
        size[26] = 1
        #expect(ViewEvent(bytes: size) == nil)
        var key = ViewEvent.key(.tab, []).bytes
        key[4] = 0xFF
        #expect(ViewEvent(bytes: key) == nil)
    }

    @Test func aPictureArrivesWithItsCellsCleaned() throws {
        let host = try ViewMemory(capacity: 100)
        let view = try ViewMemory(mapped: host.memory)
        #expect(view.capacity == 100 && host.look(seen: 0) == .same)
        var grid = CellGrid(columnCount: 10, rowCount: 2)
        grid.put("Gain", column: 0, row: 0, CellStyle(foreground: .red, .bold))
        var escape = Cell()
        escape.codePoint = 0x1B
        grid[9, 1] = escape
        #expect(view.show(grid, damage: grid.bounds))
        guard case .picture(let seen, let generation) = host.look(seen: 0) else { throw WireViolation("no picture") }
        #expect(seen.text == "Gain\n         \u{FFFD}" && seen[0, 0].foreground == .red && generation == 2)
        #expect(host.look(seen: generation) == .same)
        #expect(!view.show(CellGrid(columnCount: 101, rowCount: 1), damage: grid.bounds))
        #expect(!view.show(CellGrid(columnCount: 100_000, rowCount: 1), damage: grid.bounds))
    }

    @Test func aSizeThatLiesIsNoPicture() throws {
        let host = try ViewMemory(capacity: 100)
        let header = host.memory.base.assumingMemoryBound(to: CWireLayout_ViewHeader.self)
        (header.pointee.columnCount, header.pointee.rowCount, header.pointee.generation) = (.max, .max, 2)
        #expect(host.look(seen: 0) == .nonsense(ViewSize(columnCount: 65_535, rowCount: 65_535)))
        header.pointee.generation = 3
        #expect(host.look(seen: 0) == .busy)
    }

    @Test func memoryThatIsNoViewIsRefused() throws {
        let host = try ViewMemory(capacity: 100)
        let header = host.memory.base.assumingMemoryBound(to: CWireLayout_ViewHeader.self)
        header.pointee.capacity = 300
        #expect(throws: WireViolation.self) { try ViewMemory(mapped: host.memory) }
        header.pointee.capacity = 0
        #expect(throws: WireViolation.self) { try ViewMemory(mapped: host.memory) }
        (header.pointee.capacity, header.pointee.version) = (100, 2)
        #expect(throws: WireViolation.self) { try ViewMemory(mapped: host.memory) }
        #expect(throws: WireViolation.self) { try ViewMemory(mapped: try SharedMemory(name: "short", byteCount: 32)) }
    }

    /// A view that draws without end shows whole pictures or none.
    @Test func noPictureIsTorn() throws {
        let host = try ViewMemory(capacity: 4000)
        let view = try ViewMemory(mapped: host.memory)
        let isDone = Flag()
        let painter = try LinuxSystem.Thread(name: "painter") {
            var count: UInt32 = 0
            while !isDone.word.load(ordering: .relaxed) {
                count += 1
                var grid = CellGrid(columnCount: 80, rowCount: 50)
                grid.fill(grid.bounds, Cell(Unicode.Scalar(0x2801 + count % 200) ?? " "))
                _ = view.show(grid, damage: grid.bounds)
                // Otherwise it is never seen.
                Futex.pause(microseconds: 50)
            }
        }
        var (seen, count): (UInt32, Int) = (0, 0)
        let deadline = MonotonicClock.now() + 2_000_000_000
        while count < 300, MonotonicClock.now() < deadline {
            guard case .picture(let grid, let generation) = host.look(seen: seen) else { continue }
            (seen, count) = (generation, count + 1)
            #expect(grid.cells.allSatisfy { $0 == grid.cells[0] })
        }
        isDone.word.store(true, ordering: .relaxed)
        painter.join()
        #expect(count > 10)
    }

    private final class Flag: Sendable {
        let word = Atomic<Bool>(false)
    }
}

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
            .size(ViewSize(columnCount: 1, rowCount: 9), colorCount: 0, cell: PixelSize(width: 9, height: 65_535)), .focus(true),
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

    /// Three by two pixels in the place of two cells of a view of ten by two.
    private static func pixelGrid() -> CellGrid {
        var grid = CellGrid(columnCount: 10, rowCount: 2)
        grid.pixels = CellPixels(
            part: CellRectangle(column: 4, row: 1, columnCount: 2, rowCount: 1), size: PixelSize(width: 3, height: 2),
            pixels: [0xFF00_0000, 0xFFFF_FFFF, 1, 2, 3, 0xFF12_3456])
        return grid
    }
    private static let cell = PixelSize(width: 2, height: 4)

    @Test func pixelsArriveWhereTheScreenShowsThem() throws {
        let host = try ViewMemory(capacity: 20, pixelCapacity: 6)
        let view = try ViewMemory(mapped: host.memory)
        #expect(view.pixelCapacity == 6)
        var grid = Self.pixelGrid()
        #expect(grid.pixels != nil && view.show(grid, damage: grid.bounds))
        #expect(host.look(seen: 0, cell: Self.cell) == .picture(grid, generation: 2))
        let cells = CellGrid(columnCount: 10, rowCount: 2)
        #expect(host.look(seen: 0) == .picture(cells, generation: 2))
        // A smaller cell has no room for them.
        #expect(host.look(seen: 0, cell: PixelSize(width: 1, height: 4)) == .picture(cells, generation: 2))
        #expect(host.look(seen: 0, cell: PixelSize(width: 2, height: 1)) == .picture(cells, generation: 2))
        grid.pixels = nil
        #expect(view.show(grid, damage: grid.bounds) && host.look(seen: 2, cell: Self.cell) == .picture(cells, generation: 4))
        // Memory without room for them shows the cells.
        let small = try ViewMemory(capacity: 20, pixelCapacity: 5)
        #expect(small.show(Self.pixelGrid(), damage: grid.bounds))
        #expect(small.look(seen: 0, cell: Self.cell) == .picture(cells, generation: 2))
    }

    @Test(arguments: [
        (9, 1, 2, 1, 3, 2), (4, 2, 2, 1, 3, 2), (65_535, 65_535, 65_535, 65_535, 3, 2), (4, 1, 0, 1, 3, 2), (4, 1, 2, 0, 3, 2),
        (4, 1, 2, 1, 65_535, 65_535), (4, 1, 2, 1, 7, 1), (4, 1, 2, 1, 0, 2), (4, 1, 2, 1, 3, 0), (0, 0, 10, 2, 20, 8),
    ])
    func pixelsThatLieAreLeftOut(_ numbers: (UInt16, UInt16, UInt16, UInt16, UInt16, UInt16)) throws {
        let host = try ViewMemory(capacity: 20, pixelCapacity: 6)
        let grid = Self.pixelGrid()
        #expect(host.show(grid, damage: grid.bounds))
        let header = host.memory.base.assumingMemoryBound(to: CWireLayout_ViewHeader.self)
        (header.pointee.pixelColumn, header.pointee.pixelRow) = (numbers.0, numbers.1)
        (header.pointee.pixelColumnCount, header.pointee.pixelRowCount) = (numbers.2, numbers.3)
        (header.pointee.pixelWidth, header.pointee.pixelHeight) = (numbers.4, numbers.5)
        // What the view writes of the capacity later is not asked for.
        header.pointee.pixelCapacity = .max
        let cells = CellGrid(columnCount: 10, rowCount: 2)
        #expect(host.look(seen: 0, cell: Self.cell) == .picture(cells, generation: 2))
        let huge = PixelSize(width: 65_535, height: 65_535)
        if case .picture(let seen, _) = host.look(seen: 0, cell: huge) { #expect((seen.pixels?.pixels.count ?? 6) <= 6) }
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
        header.pointee.version = 1
        for count in [2000, UInt32.max] {
            header.pointee.pixelCapacity = count
            #expect(throws: WireViolation.self) { try ViewMemory(mapped: host.memory) }
        }
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
        let deadline = MonotonicClock.now() + UInt64(Patience.seconds() * 1e9)
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

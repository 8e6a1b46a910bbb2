// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The picture of a view in shared memory: the view draws, the host copies and checks. Control threads of both sides.

import AudioUnits
import CWireLayout
import Cells
import LinuxSystem
import Synchronization
import Wire

/// A picture of cells that two processes share.
///
/// `[control]` One thread of each side uses it.
package final class ViewMemory: @unchecked Sendable {
    // SAFETY: the generation is atomic; the data that it orders is copied, and dropped if it changed meanwhile.
    /// The memory, which the host passes on.
    package let memory: SharedMemory
    /// The number of cells that fit.
    package let capacity: Int
    /// The number of pixels that fit.
    package let pixelCapacity: Int

    /// Makes memory for a view of up to `capacity` cells and `pixelCapacity` pixels; throws `SystemError`.
    package init(capacity: Int, pixelCapacity: Int = 0) throws(SystemError) {
        self.capacity = min(max(1, capacity), Int(CWireLayout_maximumViewCellCount))
        self.pixelCapacity = min(max(0, pixelCapacity), Int(CWireLayout_maximumViewPixelCount))
        memory = try SharedMemory(name: "view", byteCount: Self.byteCount(self.capacity, self.pixelCapacity))
        var header = CWireLayout_ViewHeader()
        (header.magic, header.version) = (UInt32(CWireLayout_magic), UInt32(CWireLayout_viewVersion))
        (header.capacity, header.pixelCapacity) = (UInt32(self.capacity), UInt32(self.pixelCapacity))
        memory.base.storeBytes(of: header, as: CWireLayout_ViewHeader.self)
    }

    /// Takes memory that the host has made.
    ///
    /// Throws `WireViolation` for an invalid header, or one that promises more than the memory holds.
    package init(mapped memory: SharedMemory) throws(WireViolation) {
        guard memory.byteCount >= Self.headerByteCount else { throw WireViolation("a view of \(memory.byteCount) bytes") }
        let header = memory.base.load(as: CWireLayout_ViewHeader.self)
        guard header.magic == UInt32(CWireLayout_magic), header.version == UInt32(CWireLayout_viewVersion) else {
            throw WireViolation("a view with the mark \(header.magic) and version \(header.version)")
        }
        let (capacity, pixelCapacity) = (Int(header.capacity), Int(header.pixelCapacity))
        guard capacity > 0, capacity <= Int(CWireLayout_maximumViewCellCount),
            pixelCapacity <= Int(CWireLayout_maximumViewPixelCount),
            memory.byteCount >= Self.byteCount(capacity, pixelCapacity)
        else { throw WireViolation("a view of \(capacity) cells and \(pixelCapacity) pixels in \(memory.byteCount) bytes") }
        (self.memory, self.capacity, self.pixelCapacity) = (memory, capacity, pixelCapacity)
    }

    private static var headerByteCount: Int { MemoryLayout<CWireLayout_ViewHeader>.size }
    private static func byteCount(_ capacity: Int, _ pixelCapacity: Int) -> Int {
        headerByteCount + capacity * MemoryLayout<Cell>.size + pixelCapacity * MemoryLayout<UInt32>.size
    }

    private var header: UnsafeMutablePointer<CWireLayout_ViewHeader> {
        memory.base.assumingMemoryBound(to: CWireLayout_ViewHeader.self)
    }
    private var generation: UnsafeMutablePointer<Atomic<UInt32>> {
        (memory.base + 16).assumingMemoryBound(to: Atomic<UInt32>.self)
    }
    private var cells: UnsafeMutableRawPointer { memory.base + Self.headerByteCount }
    private var pixels: UnsafeMutableRawPointer { memory.base + Self.byteCount(capacity, 0) }

    // MARK: The view

    /// Shows a picture; false if it has too many cells.
    ///
    /// Pixels without room are dropped.
    package func show(_ grid: CellGrid, damage: CellRectangle) -> Bool {
        guard let columns = UInt16(exactly: grid.columnCount), let rows = UInt16(exactly: grid.rowCount),
            grid.cells.count <= capacity
        else { return false }
        // Only this thread writes it.
        let last = generation.pointee.load(ordering: .relaxed)
        generation.pointee.store(last | 1, ordering: .relaxed)
        // Release: a host that sees a cell of the new picture sees the odd number, too.
        atomicMemoryFence(ordering: .releasing)
        (header.pointee.columnCount, header.pointee.rowCount) = (columns, rows)
        (header.pointee.damageColumn, header.pointee.damageRow) = (UInt16(clamping: damage.column), UInt16(clamping: damage.row))
        header.pointee.damageColumnCount = UInt16(clamping: damage.columnCount)
        header.pointee.damageRowCount = UInt16(clamping: damage.rowCount)
        grid.cells.withUnsafeBytes { if let base = $0.baseAddress { cells.copyMemory(from: base, byteCount: $0.count) } }
        showPixels(of: grid)
        // Release: the picture is complete.
        generation.pointee.store((last | 1) &+ 1, ordering: .releasing)
        return true
    }

    /// Writes the pixels of a picture, all of them or none.
    private func showPixels(of grid: CellGrid) {
        (header.pointee.pixelWidth, header.pointee.pixelHeight) = (0, 0)
        guard let picture = grid.pixels, picture.pixels.count <= pixelCapacity, let width = UInt16(exactly: picture.size.width),
            let height = UInt16(exactly: picture.size.height)
        else { return }
        (header.pointee.pixelColumn, header.pointee.pixelRow) = (
            UInt16(clamping: picture.part.column), UInt16(clamping: picture.part.row)
        )
        header.pointee.pixelColumnCount = UInt16(clamping: picture.part.columnCount)
        header.pointee.pixelRowCount = UInt16(clamping: picture.part.rowCount)
        (header.pointee.pixelWidth, header.pointee.pixelHeight) = (width, height)
        picture.pixels.withUnsafeBytes { if let base = $0.baseAddress { pixels.copyMemory(from: base, byteCount: $0.count) } }
    }

    // MARK: The host

    /// The result of a look at the memory.
    package enum Look: Hashable, Sendable {
        /// The picture has been seen already.
        case same
        /// The view is drawing; a later look may find the picture.
        case busy
        /// The picture is larger than the memory.
        case nonsense(ViewSize)
        /// A new, checked picture.
        case picture(CellGrid, generation: UInt32)
    }

    /// Looks for a picture newer than the last seen one, and copies and checks it.
    ///
    /// `cell` is the size of the cells in pixels; without it no pixels are copied.
    package func look(seen: UInt32, cell: PixelSize = .none) -> Look {
        // Acquire: the picture of this number is complete.
        let first = generation.pointee.load(ordering: .acquiring)
        if first == seen { return .same }
        guard first & 1 == 0 else { return .busy }
        let (columns, rows) = (Int(header.pointee.columnCount), Int(header.pointee.rowCount))
        let count = columns * rows
        guard count <= capacity else { return .nonsense(ViewSize(columnCount: columns, rowCount: rows)) }
        let copy = [Cell](unsafeUninitializedCapacity: count) { buffer, filledCount in
            if count > 0 { UnsafeMutableRawPointer(buffer.baseAddress!).copyMemory(from: cells, byteCount: count * 16) }
            filledCount = count
        }
        let picture = copyPixels(columns, rows, cell)
        // Acquire: a cell of a later picture would come with a later number.
        atomicMemoryFence(ordering: .acquiring)
        guard generation.pointee.load(ordering: .relaxed) == first else { return .busy }
        var grid = CellGrid(columnCount: columns, rowCount: rows, cleaning: copy)
        grid.pixels = picture
        return .picture(grid, generation: first)
    }

    /// Copies the pixels, unless they lie beyond the view, have no room, or exceed the screen's pixels there.
    private func copyPixels(_ columns: Int, _ rows: Int, _ cell: PixelSize) -> CellPixels? {
        let copy = header.pointee
        let part = CellRectangle(
            column: Int(copy.pixelColumn), row: Int(copy.pixelRow), columnCount: Int(copy.pixelColumnCount),
            rowCount: Int(copy.pixelRowCount))
        let size = PixelSize(width: Int(copy.pixelWidth), height: Int(copy.pixelHeight))
        let count = size.width * size.height
        guard count > 0, count <= pixelCapacity, part.endColumn <= columns, part.endRow <= rows,
            size.width <= part.columnCount * cell.width, size.height <= part.rowCount * cell.height
        else { return nil }
        let words = [UInt32](unsafeUninitializedCapacity: count) { buffer, filledCount in
            UnsafeMutableRawPointer(buffer.baseAddress!).copyMemory(from: pixels, byteCount: count * 4)
            filledCount = count
        }
        return CellPixels(part: part, size: size, pixels: words)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a view writes: its picture in shared memory, and its datagrams. The fuzzer's thread.

import AudioUnits
import Cells
import ViewChannel

extension FuzzTarget {
    static let view = FuzzTarget("view", seeds: viewSeeds) { bytes in
        if let event = ViewEvent(bytes: bytes) { precondition(ViewEvent(bytes: event.bytes) == event || holdsNaN(event)) }
        if let notice = ViewNotice(bytes: bytes) { precondition(ViewNotice(bytes: notice.bytes) == notice || holdsNaN(notice)) }
        guard let memory = try? ViewMemory(capacity: 64, pixelCapacity: 64) else { return }
        // From the generation on the view may write anything.
        bytes.prefix(memory.memory.byteCount - 16).withUnsafeBytes {
            if let base = $0.baseAddress { (memory.memory.base + 16).copyMemory(from: base, byteCount: $0.count) }
        }
        guard case .picture(let grid, _) = memory.look(seen: 0, cell: PixelSize(width: 8, height: 16)) else { return }
        precondition(grid.cells.count <= 64 && grid.cells.allSatisfy { $0 == $0.cleaned })
        if let pixels = grid.pixels {
            precondition((1...64).contains(pixels.pixels.count) && pixels.pixels.count == pixels.size.width * pixels.size.height)
            precondition(grid.bounds.contains(pixels.part) && pixels.fits(cell: PixelSize(width: 8, height: 16)))
        }
        for character in grid.text.unicodeScalars {
            precondition(character.value >= 0x20 && character != "\u{7F}" || character == "\n")
        }
    }

    private static func holdsNaN(_ event: ViewEvent) -> Bool {
        if case .value(_, let value) = event { value.isNaN } else { false }
    }

    private static func holdsNaN(_ notice: ViewNotice) -> Bool {
        if case .set(_, let value) = notice { value.isNaN } else { false }
    }

    private static var viewSeeds: [[UInt8]] {
        var picture: [UInt8] = [2, 0, 0, 0, 8, 0, 8, 0]
        picture += [UInt8](repeating: 0, count: 8)
        // Sixteen pixels in the place of four cells.
        picture += [1, 0, 1, 0, 2, 0, 2, 0, 4, 0, 4, 0] + [UInt8](repeating: 0, count: 20)
        for index in 0..<64 { picture += [UInt8(32 + index), 0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 2, 15, 0, 1, 3] }
        for index in 0..<64 { picture += [UInt8(index), 0, 0, UInt8(4 * index)] }
        return [
            picture, ViewEvent.key(.up, []).bytes, ViewEvent.value(address: 1, 2).bytes, ViewNotice.set(address: 1, 2).bytes,
            ViewNotice.drawn.bytes,
        ]
    }
}

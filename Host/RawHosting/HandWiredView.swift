// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A host of one view that does each step of the protocol by itself, with memory of its own. One control thread.

import AudioUnits
import Cells
import ControlMessages
import Glibc
import LinuxSystem
import ViewChannel

/// `[control]` A view of which every datagram is sent by hand, without an engine.
package final class HandWiredView {
    /// The cells that there is room for.
    package static let capacity = 16_384
    /// The pixels that there is room for, where cells have any.
    private static let pixelCapacity = 1 << 20
    /// How many datagrams are read between two looks, and how many notices are kept at least: a view may flood its channel.
    private static let (longestReading, keptNoticeCount) = (256, 4096)

    /// The memory that the view draws in.
    package let memory: ViewMemory
    private let socket: ControlSocket
    private let cell: PixelSize
    private var generation: UInt32 = 0
    /// The sizes that the view likes, the best first.
    package let preferredSizes: [ViewSize]
    /// The newest picture that has been seen.
    package private(set) var picture: CellGrid?
    /// A size that the memory has no room for, once the view has claimed to have drawn it.
    package private(set) var impossibleSize: ViewSize?
    /// What the view has said lately.
    package private(set) var notices: [ViewNotice] = []
    /// How often the view has said so far that a new picture is there.
    package private(set) var drawnCount = 0
    /// Whether the view has closed its end.
    package private(set) var isHungUp = false
    private var isClosed = false

    /// Opens a view and tells it the size; `cell` is that of the cells in pixels.
    ///
    /// Throws `HandWiredUnit.Failure` if the unit opens none.
    package init(of unit: HandWiredUnit, size: ViewSize, colorCount: Int = 256, cell: PixelSize = .none) throws {
        memory = try ViewMemory(capacity: Self.capacity, pixelCapacity: cell.isEmpty ? 0 : Self.pixelCapacity)
        self.cell = cell
        let (near, far) = try ControlSocket.pair()
        socket = near
        let opening = HostMessage.openView(ViewOpening(size: size, colorCount: colorCount))
        switch try unit.ask(opening, [dup(memory.memory.descriptor), dup(far.descriptor)]) {
        case .viewOpened(let sizes): preferredSizes = sizes
        case .refused(let reason): throw HandWiredUnit.Failure.refused(reason)
        case let answer: throw HandWiredUnit.Failure.unexpected("\(answer)")
        }
        tell(.size(size, colorCount: colorCount, cell: cell))
    }

    /// Tells the view something; a view that has hung up does not hear it.
    package func tell(_ event: ViewEvent) { send(event.bytes) }

    /// Sends a datagram, which may mean nothing.
    package func send(_ bytes: [UInt8]) { try? socket.send(head: bytes, body: [], descriptors: [], timeoutMilliseconds: 1000) }

    /// Closes the host's end, as a host does that closes a view.
    package func hangUp() {
        isClosed = true
        socket.hangUp()
    }

    /// Looks at the picture and reads what the view says until `isReached`; false if that takes longer.
    package func waits(milliseconds: Int, until isReached: (HandWiredView) -> Bool) -> Bool {
        let deadline = MonotonicClock.now() + UInt64(milliseconds) * 1_000_000
        while true {
            readNotices()
            lookAtPicture()
            if isReached(self) { return true }
            if isHungUp || MonotonicClock.now() > deadline { return false }
            Futex.pause(microseconds: 1000)
        }
    }

    /// Whether the newest picture has this size.
    package func shows(_ size: ViewSize) -> Bool {
        picture.map { $0.columnCount == size.columnCount && $0.rowCount == size.rowCount } ?? false
    }

    private func lookAtPicture() {
        switch memory.look(seen: generation, cell: cell) {
        case .picture(let grid, let number): (picture, generation) = (grid, number)
        case .nonsense(let size): impossibleSize = size
        case .same, .busy: return
        }
    }

    private func readNotices() {
        for _ in 0..<Self.longestReading where !isHungUp && !isClosed {
            do throws(SystemError) {
                let received = try socket.receive(limit: 64, timeoutMilliseconds: 0)
                for descriptor in received.descriptors { close(descriptor) }
                isHungUp = received.bytes.isEmpty
                if let notice = ViewNotice(bytes: received.bytes) { keep(notice) }
            } catch {
                // What is too long means nothing.
                if error.code == EMSGSIZE { continue }
                isHungUp = error.code != ETIMEDOUT
                return
            }
        }
    }

    private func keep(_ notice: ViewNotice) {
        if notice == .drawn { drawnCount += 1 }
        if notices.count == 2 * Self.keptNoticeCount { notices.removeFirst(Self.keptNoticeCount) }
        notices.append(notice)
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A host of one view that makes each step of the protocol itself, with its own memory. One control thread.

import AudioUnits
import Cells
import ControlMessages
import Glibc
import LinuxSystem
import ViewChannel

/// `[control]` A view whose datagrams are sent by hand, without an engine.
package final class HandWiredView {
    /// The number of cells that fit.
    package static let capacity = 16_384
    /// The number of pixels that fit, if cells have any.
    private static let pixelCapacity = 1 << 20
    /// The most datagrams between two looks, and the least number of kept notices: a view may flood its channel.
    private static let (longestReading, keptNoticeCount) = (256, 4096)

    /// The memory that the view draws in.
    package let memory: ViewMemory
    private let socket: ControlSocket
    private let cell: PixelSize
    private var generation: UInt32 = 0
    /// The sizes that the view prefers, the best first.
    package let preferredSizes: [ViewSize]
    /// The newest picture that has been seen.
    package private(set) var picture: CellGrid?
    /// A size that exceeds the memory, once the view has claimed to have drawn it.
    package private(set) var impossibleSize: ViewSize?
    /// The view's latest notices.
    package private(set) var notices: [ViewNotice] = []
    /// The number of new pictures that the view has announced.
    package private(set) var drawnCount = 0
    /// True if the view has closed its end.
    package private(set) var isHungUp = false
    private var isClosed = false

    /// Opens a view and sends it the size; `cell` is the size of a cell in pixels.
    ///
    /// Throws `HandWiredUnit.Failure` if the unit opens no view.
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

    /// Sends the view an event; a view that has hung up does not get it.
    package func tell(_ event: ViewEvent) { send(event.bytes) }

    /// Sends a datagram, which may be meaningless.
    package func send(_ bytes: [UInt8]) { try? socket.send(head: bytes, body: [], descriptors: [], timeoutMilliseconds: 1000) }

    /// Closes the host's end, as a host does when it closes a view.
    package func hangUp() {
        isClosed = true
        socket.hangUp()
    }

    /// Looks at the picture and reads notices until `isReached`; false after that time.
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

    /// True if the newest picture has this size.
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
                // A datagram that is too long is ignored.
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

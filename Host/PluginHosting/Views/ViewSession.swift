// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A view in one process of its unit: exchanges events, values, notices and pictures. The view's own thread in the host.

import Cells
import ControlMessages
import Glibc
import LinuxSystem
import ViewChannel

/// A view from its opening until its process dies, it hangs, or its owner closes it.
struct ViewSession {
    /// The most cells: more than the largest terminal has.
    static let capacity = 131_072
    /// The nanoseconds after which a view that does not answer is closed.
    private static let patience: UInt64 = 3_000_000_000
    private static let secondNanoseconds: UInt64 = 1_000_000_000
    /// The most notices that one look reads.
    private static let mostNotices = 256

    enum End: Hashable {
        case goesOn
        /// The owner has closed the view.
        case closed
        /// The process is gone.
        case lost
        /// The view has hung up, and its process is there.
        case hungUp
        /// The view is not opened again.
        case failed(String)
    }

    private weak var view: HostedView?
    private let unit: HostedUnit
    private let bell: EventDescriptor
    private let connection: any UnitConnection
    private let memory: ViewMemory
    private let socket: ControlSocket
    private var seen: UInt32 = 0
    /// The size of a cell that the view has received last.
    private var cell = PixelSize.none
    /// Events that found no room in the channel, the first to be sent first.
    private var unsent: [ViewEvent]
    private var lastPicture: UInt64 = 0
    private var lastLook: UInt64 = 0
    private var lookNumber: UInt32 = 0
    /// The looks without an answer, at most as many as fit into the patience.
    private var unanswered: [(number: UInt32, time: UInt64)] = []
    private(set) var end = End.goesOn

    init(view: HostedView, connection: any UnitConnection, memory: ViewMemory, socket: ControlSocket, _ first: ViewEvent) {
        (self.view, unit, bell) = (view, view.unit, view.bell)
        (self.connection, self.memory, self.socket) = (connection, memory, socket)
        unsent = [first]
        if case .size(_, _, let cell) = first { self.cell = cell }
        for (_, parameter) in unit.parameters.parameters {
            if let value = unit.values[parameter.address] { unsent.append(.value(address: parameter.address, value)) }
        }
    }

    /// Sleeps until the view or its owner has something to send, for at most this many milliseconds.
    func wait(_ milliseconds: Int32) {
        // While nothing moves, one look a second is enough: the channel wakes for more.
        let isBusy = MonotonicClock.now() - lastPicture < Self.secondNanoseconds || !unsent.isEmpty
        let nanoseconds = UInt64(max(0, milliseconds)) * 1_000_000
        let awaited = [AwaitedDescriptor(bell.descriptor), AwaitedDescriptor(socket.descriptor)]
        let events = Descriptor.wait(for: awaited, nanoseconds: isBusy ? nanoseconds : Self.secondNanoseconds)
        guard events[1].contains(.input), events[0].isEmpty else { return }
        // A view that floods is read no more often than any other.
        Descriptor.awaitAny([bell.descriptor], nanoseconds: nanoseconds / 2)
    }

    /// Sends and reads everything that is due.
    mutating func look() -> End {
        bell.quieten()
        guard let view else { return finish(.closed) }
        guard let waiting = take(from: view) else { return end }
        if waiting.isReminded { view.tellAgain() }
        let isPresent = unit.state.withLock { $0.connection === connection }
        guard isPresent, connection.process?.poll() == nil else { return finish(.lost) }
        guard readNotices(view), send() else { return finish(hasProcess ? .hungUp : .lost) }
        takePicture(view)
        return end
    }

    /// True if the process runs; a process that dies hangs up a little before it has ended.
    private var hasProcess: Bool {
        for _ in 0..<50 {
            guard unit.state.withLock({ $0.connection === connection }), connection.process?.poll() == nil else { return false }
            Futex.pause(microseconds: 1000)
        }
        return true
    }

    /// The message to the owner of a view when another one has replaced it.
    static func displacement(_ unit: HostedUnit) -> String { "The view of \(unit.name) is shown elsewhere now." }

    private mutating func finish(_ end: End) -> End {
        socket.hangUp()
        self.end = end
        return end
    }

    /// Takes the owner's input for the view; nil if the view ends.
    private mutating func take(from view: HostedView) -> HostedView.Outbox? {
        // The person's input waits until the view has taken earlier input.
        let hasRoom = unsent.count < Self.mostNotices
        let waiting = view.outbox.withLock { outbox in
            let taken = outbox
            if hasRoom { outbox.events = [] }
            (outbox.values, outbox.hasNewSize, outbox.isReminded) = ([:], false, false)
            return taken
        }
        if waiting.isClosed || waiting.isDisplaced {
            _ = finish(waiting.isClosed ? .closed : .failed(Self.displacement(unit)))
            return nil
        }
        if waiting.hasNewSize {
            unsent.removeAll { if case .size = $0 { true } else { false } }
            unsent.append(.size(waiting.size.size, colorCount: waiting.size.colorCount, cell: waiting.size.cell))
            cell = waiting.size.cell
        }
        if !waiting.values.isEmpty {
            unsent.removeAll { if case .value(let address, _) = $0 { waiting.values[address] != nil } else { false } }
            for (address, value) in waiting.values { unsent.append(.value(address: address, value)) }
        }
        if hasRoom { unsent += waiting.events }
        return waiting
    }

    /// Sends as much as the channel has room for; false if the view has hung up.
    private mutating func send() -> Bool {
        let now = MonotonicClock.now()
        if now - lastLook >= Self.secondNanoseconds {
            (lastLook, lookNumber) = (now, lookNumber &+ 1)
            unsent.append(.look(lookNumber))
            unanswered.append((lookNumber, now))
        }
        var sentCount = 0
        defer { unsent.removeFirst(sentCount) }
        for event in unsent {
            do throws(SystemError) {
                try socket.send(head: event.bytes, body: [], descriptors: [], timeoutMilliseconds: 0)
                sentCount += 1
            } catch {
                return error.code == ETIMEDOUT
            }
        }
        return true
    }

    /// Reads the view's notices; false if it has hung up.
    ///
    /// Of several values of one parameter the newest is set: a view that floods costs the host no more than a hand that turns a
    /// knob.
    private mutating func readNotices(_ view: HostedView) -> Bool {
        var values: [UInt64: Double] = [:]
        defer { for (address, value) in values { view.take(address, value) } }
        for _ in 0..<Self.mostNotices {
            do throws(SystemError) {
                let received = try socket.receive(limit: 64, timeoutMilliseconds: 0)
                for descriptor in received.descriptors { close(descriptor) }
                if received.bytes.isEmpty, socket.hasHungUp { return false }
                switch ViewNotice(bytes: received.bytes) {
                case .set(let address, let value): values[address] = value
                case .here(let number):
                    // A view that answers one look has seen the earlier ones.
                    if let place = unanswered.firstIndex(where: { $0.number == number }) { unanswered.removeFirst(place + 1) }
                case .drawn, .touch, nil: break
                }
            } catch {
                // A message that is too long is ignored.
                guard error.code == EMSGSIZE else { return error.code == ETIMEDOUT }
            }
        }
        return true
    }

    /// Shows a new picture, no more often than a person can see.
    private mutating func takePicture(_ view: HostedView) {
        let now = MonotonicClock.now()
        if let first = unanswered.first, now - first.time > Self.patience {
            _ = finish(.failed("The view of \(unit.name) has not answered for 3 seconds and was closed."))
            return
        }
        guard now - lastPicture >= UInt64(ViewLoop.period - 1) * 1_000_000 else { return }
        switch memory.look(seen: seen, cell: cell) {
        case .same, .busy: return
        case .nonsense(let size):
            _ = finish(.failed("The view of \(unit.name) draws \(size.columnCount) by \(size.rowCount) cells, and was closed."))
        case .picture(let grid, let generation):
            (seen, lastPicture) = (generation, now)
            view.tell(.picture(grid))
        }
    }
}

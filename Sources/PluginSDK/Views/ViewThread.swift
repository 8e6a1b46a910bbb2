// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Runs a view: takes the host's events, draws, and sends the changes. The view's thread.

import AudioUnits
import Cells
import ControlMessages
import Glibc
import LinuxSystem
import Synchronization
import ViewChannel

/// The thread of an open view.
///
/// `[control]` The unit's control thread makes and ends it.
final class ViewThread: Sendable {
    private let socket: ControlSocket
    private let hasEnded = Flag()

    private final class Flag: Sendable {
        let word = Atomic<Bool>(false)
    }

    /// The parts of which a view is made.
    struct Setup {
        let view: ViewMaker
        let parameters: ParameterTree
        let scopes: Scopes
        let opening: ViewOpening
        let memory: ViewMemory
        let socket: ControlSocket
    }

    /// Opens a view; throws `SystemError` if there is no thread for it.
    init(_ setup: Setup) throws(SystemError) {
        socket = setup.socket
        setup.scopes.watch()
        // SAFETY: the setup goes to the new thread, and nothing else uses it.
        nonisolated(unsafe) let taken = setup
        do throws(SystemError) {
            try Thread(name: "view") { [hasEnded] in
                var runner = ViewRunner(taken)
                runner.run()
                taken.scopes.unwatch()
                hasEnded.word.store(true, ordering: .releasing)
            }.detach()
        } catch {
            setup.scopes.unwatch()
            throw error
        }
    }

    /// Closes the view; false if its thread has not ended after a second.
    func end() -> Bool {
        socket.hangUp()
        for _ in 0..<1000 {
            if hasEnded.word.load(ordering: .acquiring) { return true }
            Futex.pause(microseconds: 1000)
        }
        return false
    }
}

/// A view at work.
private struct ViewRunner {
    private var view: any View
    private let context: ViewContext
    private let memory: ViewMemory
    private let socket: ControlSocket
    private let period: UInt64?
    private var shown = CellGrid(columnCount: 0, rowCount: 0)
    /// The thread draws only after the host has sent size and values.
    private var isDue = false
    private var lastDrawing: UInt64 = 0

    /// The least nanoseconds between two pictures.
    private static let shortestPeriod: UInt64 = 33_000_000
    /// The milliseconds that a notice waits for room: then the host has more to read than a person can have done.
    private static let patience: Int32 = 500

    init(_ setup: ViewThread.Setup) {
        (memory, socket) = (setup.memory, setup.socket)
        let socket = socket
        context = ViewContext(parameters: setup.parameters, scopes: setup.scopes, opening: setup.opening) { notice in
            try? socket.send(head: notice.bytes, body: [], descriptors: [], timeoutMilliseconds: Self.patience)
        }
        context.pixelCapacity = memory.pixelCapacity
        view = setup.view.make(context)
        let rate = setup.view.frameRate
        period = rate > 0 ? max(Self.shortestPeriod, UInt64(1e9 / min(rate, 1000))) : nil
    }

    /// Goes on until the host hangs up.
    mutating func run() {
        while take() { drawIfDue() }
    }

    /// Waits for events until the next picture is due, and takes them; false once the host has hung up.
    private mutating func take() -> Bool {
        var wait = timeUntilPicture()
        for _ in 0..<256 {
            do throws(SystemError) {
                let received = try socket.receive(limit: 64, timeoutMilliseconds: wait)
                for descriptor in received.descriptors { close(descriptor) }
                if received.bytes.isEmpty, socket.hasHungUp { return false }
                if let event = ViewEvent(bytes: received.bytes) { handle(event) }
                wait = 0
            } catch {
                // A message that is too long is ignored.
                guard error.code == EMSGSIZE else { return error.code == ETIMEDOUT }
                wait = 0
            }
        }
        return true
    }

    /// Milliseconds until the next picture; -1 if only an event makes one necessary.
    private func timeUntilPicture() -> Int32 {
        guard isDue || period != nil && context.pictureCount > 0 else { return -1 }
        let next = lastDrawing + (isDue ? Self.shortestPeriod : period ?? Self.shortestPeriod)
        let now = MonotonicClock.now()
        return next <= now ? 0 : Int32(clamping: (next - now + 999_999) / 1_000_000)
    }

    private mutating func handle(_ event: ViewEvent) {
        if case .look(let number) = event {
            try? socket.send(head: ViewNotice.here(number).bytes, body: [], descriptors: [], timeoutMilliseconds: 0)
            return
        }
        // A size for which there is no room is ignored.
        if case .size(let size, _, _) = event, size.columnCount * size.rowCount > memory.capacity { return }
        context.take(event)
        view.handle(event, context)
        isDue = true
    }

    private mutating func drawIfDue() {
        guard timeUntilPicture() == 0 else { return }
        isDue = false
        lastDrawing = MonotonicClock.now()
        context.pictureCount += 1
        var grid = CellGrid(columnCount: context.size.columnCount, rowCount: context.size.rowCount)
        view.draw(into: &grid, context)
        let damage = grid.difference(from: shown)
        guard !damage.isEmpty, memory.show(grid, damage: damage) else { return }
        shown = grid
        // Without room the host has not read the last notice, and will also see this picture.
        try? socket.send(head: ViewNotice.drawn.bytes, body: [], descriptors: [], timeoutMilliseconds: 0)
    }
}

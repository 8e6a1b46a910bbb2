// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Speaks to the view of a unit: opens it in each process of the unit, and closes one that hangs. The view's own thread in the host.

import ControlMessages
import Glibc
import LinuxSystem
import ViewChannel

/// The thread of an open view.
///
/// It holds the view weakly between two looks: a view that its owner has dropped is closed.
final class ViewLoop: Sendable {
    /// The milliseconds between two looks at a picture.
    static let period: Int32 = 34
    /// The nanoseconds between two attempts to open a view whose process is not there.
    private static let pauseNanoseconds: UInt64 = 250_000_000
    /// The number of times in a row that a view may hang up within a second of its opening.
    private static let mostHangUps = 5

    private let unit: HostedUnit
    private let bell: EventDescriptor
    // SAFETY: set before the thread starts, and weak references are atomic.
    nonisolated(unsafe) private weak var view: HostedView?

    init(_ view: HostedView) { (self.view, unit, bell) = (view, view.unit, view.bell) }

    /// Runs until the view is closed.
    func run() {
        var hangUpCount = 0
        while let opening = openAgain() {
            switch opening {
            case .opened(var session):
                let began = MonotonicClock.now()
                while session.look() == .goesOn { session.wait(Self.period) }
                if session.end == .closed { return }
                if case .failed(let reason) = session.end { return tell(.closed(reason)) }
                let isQuick = MonotonicClock.now() - began < 1_000_000_000
                hangUpCount = session.end == .hungUp && isQuick ? hangUpCount + 1 : 0
                guard hangUpCount < Self.mostHangUps else {
                    return tell(.closed("The view of \(unit.name) has hung up \(hangUpCount) times and was closed."))
                }
                tell(.blank)
                sleep()
            case .notYet: sleep()
            case .never(let reason): return tell(.closed(reason))
            }
        }
    }

    /// Opens the view in the unit's present process; nil once the owner has closed or dropped it.
    private func openAgain() -> Opening? {
        guard let view else { return nil }
        let (isClosed, isDisplaced) = view.outbox.withLock { ($0.isClosed, $0.isDisplaced) }
        if isClosed { return nil }
        return isDisplaced ? .never(ViewSession.displacement(unit)) : open(view)
    }

    private func tell(_ update: HostedView.Update) { view?.tell(update) }

    /// Sleeps before the next attempt, or until the view is closed.
    private func sleep() {
        guard !Descriptor.awaitAny([bell.descriptor], nanoseconds: Self.pauseNanoseconds).isEmpty else { return }
        bell.quieten()
        guard let view else { return }
        let isReminded = view.outbox.withLock { outbox in
            defer { outbox.isReminded = false }
            return outbox.isReminded
        }
        if isReminded { view.tellAgain() }
    }

    private enum Opening {
        case opened(ViewSession)
        /// The process is not there, or does not answer now.
        case notYet
        /// The unit refuses, or breaks the protocol.
        case never(String)
    }

    private func open(_ view: HostedView) -> Opening {
        let (size, colorCount, cell) = view.outbox.withLock { outbox in
            outbox.hasNewSize = false
            return outbox.size
        }
        let connection = unit.state.withLock { $0.connection }
        do {
            let memory = try ViewMemory(capacity: ViewSession.capacity, pixelCapacity: view.pixelCapacity)
            let (own, peer) = try ControlSocket.pair()
            let opening = ViewOpening(size: size, colorCount: colorCount)
            let answer = try unit.ask(
                .openView(opening), act: "open the view of", descriptors: [memory.memory.descriptor, peer.descriptor],
                over: connection)
            guard case .viewOpened(let sizes) = answer else {
                return .never("\(unit.name) answered the wish for its view with something else.")
            }
            view.likedSizes.withLock { $0 = sizes }
            let first = ViewEvent.size(size, colorCount: colorCount, cell: cell)
            return .opened(ViewSession(view: view, connection: connection, memory: memory, socket: own, first))
        } catch let error as HostingError {
            switch error {
            case .refused, .fault(_, _, .protocolViolation): return .never("\(error)")
            default: return .notYet
            }
        } catch {
            return .never("\(unit.name) has no view: \(error).")
        }
    }
}

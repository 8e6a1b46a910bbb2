// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The host's side of a unit's view: opens it, shows it, sends it keys and values, opens it again after a death. Control threads.

import AudioUnits
import Cells
import LinuxSystem
import Synchronization
import ViewChannel

/// An open view of a unit that has one of its own.
///
/// Only a thread of its own speaks to the view, so that no other thread waits for it. `[control]` Any thread may use it.
package final class HostedView: Sendable {
    /// The present content of the view.
    package enum Update: Hashable, Sendable {
        /// A picture.
        case picture(CellGrid)
        /// Nothing for a while: the plug-in is starting, or has died and starts again.
        case blank
        /// Nothing any more, for the reason in the sentence; the view is closed.
        case closed(String)
    }

    /// Sets a parameter in the host's way when the person sets it in the view.
    package typealias Setter = @Sendable (_ keyPath: String, _ value: Double, _ originator: ParameterObserverToken) -> Void

    /// The input that waits for the view's thread.
    struct Outbox {
        var events: [ViewEvent] = []
        /// The newest size, a mark for a new one, and the newest value of each parameter.
        var size: (size: ViewSize, colorCount: Int, cell: PixelSize)
        var hasNewSize = false
        var values: [UInt64: Double] = [:]
        /// True if `tell` must be called with the last update again.
        var isReminded = false
        /// True if another view of the unit has replaced it.
        var isDisplaced = false
        var isClosed = false
    }

    let unit: HostedUnit
    let outbox: Mutex<Outbox>
    let bell: EventDescriptor
    /// The most pixels of a picture.
    let pixelCapacity: Int
    private let listener: @Sendable (Update) -> Void
    private let last = Mutex<Update?>(nil)
    let setter: Setter?
    private let observer = Mutex<ParameterObserverToken?>(nil)
    /// The view's preferred sizes, once it is open.
    let likedSizes = Mutex<[ViewSize]>([])

    /// The most events that wait for a view that does not take them; further input of the person is lost.
    private static let mostEvents = 256

    /// Opens the view of a unit; `tell` is called on the view's thread.
    ///
    /// A unit has one view at a time: an open one is closed, and reports it. With `setter` the host sets the parameters that the
    /// person sets in the view; otherwise the unit is set. With `pixelCapacity` pictures may have that many pixels, if `resize`
    /// gives the size of a cell. Throws `refused` for a unit without a view, and if no thread can be created.
    package init(
        of unit: HostedUnit, size: ViewSize, colorCount: Int, cell: PixelSize = .none, pixelCapacity: Int = 0,
        setter: Setter? = nil, tell: @escaping @Sendable (Update) -> Void
    ) throws(HostingError) {
        guard unit.hasView else {
            throw .refused(unit: unit.name, act: "open the view of", cause: .failed("it has none of its own here"))
        }
        (self.unit, listener, self.setter, self.pixelCapacity) = (unit, tell, setter, pixelCapacity)
        outbox = Mutex(Outbox(size: (size, colorCount, cell)))
        do throws(SystemError) { bell = try EventDescriptor() } catch { throw Self.refusal(unit, error) }
        // Before the thread reads all values, so that no change between is missed.
        let token = unit.values.addObserver { [weak self] address, value in self?.tellValue(address, value) }
        observer.withLock { $0 = token }
        do throws(SystemError) {
            let loop = ViewLoop(self)
            try LinuxSystem.Thread(name: "view of \(unit.name)") { loop.run() }.detach()
        } catch {
            unit.values.removeObserver(token)
            throw Self.refusal(unit, error)
        }
        unit.presentView.take(self)?.displace()
    }

    private static func refusal(_ unit: HostedUnit, _ error: SystemError) -> HostingError {
        .refused(unit: unit.name, act: "open the view of", cause: .failed(error.description))
    }

    /// The view's preferred sizes, the best first; empty before it is open, and for a view of any size.
    package var preferredSizes: [ViewSize] { likedSizes.withLock { $0 } }

    /// The view's identity as an originator of values.
    package var token: ParameterObserverToken? { observer.withLock { $0 } }

    /// Sends the view a key, the mouse or the focus.
    ///
    /// A drag beyond the edge is moved to one cell beyond it. A press and the wheel beyond the edge are dropped.
    package func send(_ event: ViewEvent) {
        outbox.withLock { outbox in
            guard outbox.events.count < Self.mostEvents, let event = event.within(outbox.size.size) else { return }
            outbox.events.append(event)
        }
        bell.ring()
    }

    /// Gives the view another size, on a screen whose cells have that size in pixels.
    package func resize(to size: ViewSize, colorCount: Int, cell: PixelSize = .none) {
        outbox.withLock { ($0.size, $0.hasNewSize) = ((size, colorCount, cell), true) }
        bell.ring()
    }

    /// Makes the view's thread call `tell` with the last update again.
    package func remind() {
        outbox.withLock { $0.isReminded = true }
        bell.ring()
    }

    /// Closes the view, because another view of the unit has opened.
    fileprivate func displace() {
        outbox.withLock { $0.isDisplaced = true }
        bell.ring()
    }

    /// Passes an update to the owner; does nothing once the view is closed.
    func tell(_ update: Update) {
        guard !outbox.withLock({ $0.isClosed }) else { return }
        last.withLock { $0 = update }
        listener(update)
    }

    /// Passes the last update to the owner again.
    func tellAgain() { if let update = last.withLock({ $0 }) { tell(update) } }

    /// Closes the view; `tell` is not called after its present call, if there is one.
    package func close() {
        if let token = observer.withLock({ $0.take() }) { unit.values.removeObserver(token) }
        outbox.withLock { $0.isClosed = true }
        bell.ring()
    }

    private func tellValue(_ address: UInt64, _ value: Double) {
        outbox.withLock { $0.values[address] = value }
        bell.ring()
    }

    /// Sets the value that the person has set in the view, unless the parameter does not take it.
    func take(_ address: UInt64, _ value: Double) {
        guard let token, let keyPath = unit.parameters.keyPath(ofAddress: address),
            let parameter = unit.parameters[address: address],
            parameter.flags.isDisjoint(with: [.readOnly, .meter]), parameter.accepted(sampleRate: unit.sampleRate).contains(value)
        else { return }
        // The view keeps its former value if the unit refuses the new one.
        if let setter { setter(keyPath, value, token) } else { try? unit.set(keyPath, to: value, originator: token) }
    }
}

/// Holds the open view of a unit, which has one at a time.
final class PresentView: Sendable {
    private struct Reference: Sendable {
        weak var view: HostedView?
    }
    private let present = Mutex(Reference())

    /// Makes a view the present one, and returns the one before.
    func take(_ view: HostedView) -> HostedView? {
        present.withLock { present in
            defer { present.view = view }
            return present.view
        }
    }
}

extension ViewEvent {
    /// The event with the mouse at most one cell beyond the edge of a view; nil for an event that cannot begin there.
    fileprivate func within(_ size: ViewSize) -> ViewEvent? {
        guard case .mouse(let action, let column, let row, let modifiers) = self else { return self }
        let isInside = (0..<size.columnCount).contains(column) && (0..<size.rowCount).contains(row)
        guard isInside || action == .drag || action == .release else { return nil }
        return .mouse(
            action, column: max(-1, min(size.columnCount, column)), row: max(-1, min(size.rowCount, row)), modifiers)
    }
}

extension HostedUnit {
    /// True if the unit has a view of its own that can be opened.
    package var hasView: Bool { description.flags.contains(.hasView) && unitProcess != nil }
}

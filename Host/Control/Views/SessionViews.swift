// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The views of units that clients have open: pictures go to the client, keys and mouse to the view. Any thread.

import AudioGraph
import AudioUnits
import Cells
import JSON
import LinuxSystem
import PluginHosting
import Synchronization
import ViewChannel

/// All views that a session's clients have open.
final class SessionViews: Sendable {
    /// The most views of a client, which limits the memory that a client can use.
    static let mostOfClient = 16

    private struct State {
        var views: [Int: OpenView] = [:]
        var count = 0
    }
    private let state = Mutex(State())

    var all: [OpenView] { state.withLock { Array($0.views.values) } }

    /// Adds a view of a client and returns its number; nil if the client has too many.
    func add(_ client: ControlConnection, _ make: (Int) throws(HostingError) -> OpenView) throws(HostingError) -> OpenView? {
        let number = state.withLock { state -> Int? in
            guard state.views.values.count(where: { $0.client === client }) < Self.mostOfClient else { return nil }
            state.count += 1
            return state.count
        }
        guard let number else { return nil }
        let view = try make(number)
        state.withLock { $0.views[number] = view }
        return view
    }

    /// The view of that number; nil if it belongs to another client.
    func view(_ number: Double?, of client: ControlConnection) -> OpenView? {
        guard let number, let key = Int(exactly: number) else { return nil }
        return state.withLock { $0.views[key] }.flatMap { $0.client === client ? $0 : nil }
    }

    /// Closes the views for which `isGone` returns true.
    func close(_ isGone: (OpenView) -> Bool) {
        let gone = state.withLock { state in
            let gone = state.views.values.filter(isGone)
            for view in gone { state.views[view.number] = nil }
            return gone
        }
        for view in gone { view.close() }
    }
}

/// A view that a client has open.
final class OpenView: Sendable {
    let number: Int
    /// The unit's name when the view was opened.
    let node: String
    let unit: PluginUnit
    private let connection: Weak
    private let state = Mutex(State())

    private final class Weak: @unchecked Sendable {
        // SAFETY: set once; weak references are atomic.
        weak var connection: ControlConnection?
        init(_ connection: ControlConnection) { self.connection = connection }
    }

    private struct State {
        var hosted: HostedView?
        /// The picture that the client has, and the update that waits for room; nil if there is none.
        var sent: CellGrid?
        var pending: HostedView.Update?
        var isClosed = false
        /// The time before which no picture is sent.
        var restsUntil: UInt64 = 0
        /// The number of drags; changes belong to the last drag until the next other event.
        var dragCount = 0
        var isDragged = false
        /// True while the button is down.
        var isHeld = false
    }

    init(_ number: Int, _ node: String, _ unit: PluginUnit, _ client: ControlConnection) {
        (self.number, self.node, self.unit) = (number, node, unit)
        connection = Weak(client)
    }

    var client: ControlConnection? { connection.connection }

    /// True if its client has gone, or if it has ended by itself.
    var isOver: Bool { client.map { !$0.isThere } ?? true || state.withLock { $0.isClosed } }

    /// The view; nil once it is closed.
    var hosted: HostedView? { state.withLock { $0.hosted } }

    /// Notes an event of the user, which may begin or end a drag.
    func note(_ event: ViewEvent) {
        state.withLock { state in
            switch event {
            case .mouse(.press, _, _, _): (state.dragCount, state.isDragged, state.isHeld) = (state.dragCount + 1, true, true)
            // Only now may the view set the parameter that the last drag moved.
            case .mouse(.release, _, _, _): state.isHeld = false
            case .key, .mouse(.wheelUp, _, _, _), .mouse(.wheelDown, _, _, _): (state.isDragged, state.isHeld) = (false, false)
            default: break
            }
        }
    }

    /// The setting that the changes of one drag share, and whether the button is down; nil without a drag.
    var drag: (setting: String, isHeld: Bool)? {
        state.withLock { $0.isDragged ? ("view \(number), drag \($0.dragCount)", $0.isHeld) : nil }
    }

    func take(_ hosted: HostedView) { state.withLock { $0.hosted = hosted } }

    func close() {
        let hosted = state.withLock { state in
            defer { (state.hosted, state.isClosed) = (nil, true) }
            return state.hosted
        }
        hosted?.close()
    }

    /// Closes the view, and then sends its client the reason: a client that knows it can do nothing with the view.
    func end(_ reason: String) {
        close()
        _ = client?.offer(ControlLine.view(.object(["view": .count(number), "closed": .text(reason)])), isForced: true)
    }

    /// Sends the client the newest picture.
    ///
    /// Only the view's own thread makes lines of pictures.
    func show(_ update: HostedView.Update) {
        let sent = state.withLock { state in
            state.pending = update
            return state.sent
        }
        guard let client else { return }
        if case .closed(let reason) = update { return end(reason) }
        // The view gets a reminder of the waiting picture.
        let begin = MonotonicClock.now()
        guard !client.isBehind, begin >= state.withLock({ $0.restsUntil }) else { return }
        // Pictures that take long to send come less often, so that they take a third of a processor at most.
        defer { state.withLock { $0.restsUntil = MonotonicClock.now() + 2 * (MonotonicClock.now() - begin) } }
        var data: [String: JSONValue] = ["view": .count(number)]
        var picture: CellGrid?
        switch update {
        case .picture(let grid):
            (data["columns"], data["rows"]) = (.count(grid.columnCount), .count(grid.rowCount))
            data["lines"] = .list(grid.lines(since: sent))
            if grid.pixels != sent.flatMap({ grid.isComparable(to: $0) ? $0.pixels : nil }) {
                data["picture"] = grid.pixels?.json() ?? .null
            }
            picture = grid
        case .blank, .closed: data["blank"] = true
        }
        let line = ControlLine.view(.object(data))
        guard line.count <= Self.mostBytes else {
            return end("The picture of the view of \(node) is too large to be sent, and the view was closed.")
        }
        guard !state.withLock({ $0.isClosed }), client.offer(line, isForced: false) else { return }
        state.withLock { ($0.pending, $0.sent) = (nil, picture) }
    }

    /// Sends the client missing pictures, once it has read enough.
    func remind() {
        let (isPending, hosted) = state.withLock { ($0.pending != nil && MonotonicClock.now() >= $0.restsUntil, $0.hosted) }
        guard isPending, let hosted, let client, !client.isBehind else { return }
        hosted.remind()
    }

    /// The longest line of a picture: with all that may wait before it, the client stays below the limit for slow readers.
    private static let mostBytes = ControlConnection.mostWaitingBytes - 2 * ControlConnection.skippingBytes
}

extension CellGrid {
    /// True if the other picture has the same size.
    func isComparable(to other: CellGrid) -> Bool { other.columnCount == columnCount && other.rowCount == rowCount }

    /// The lines that differ from another picture, each with its number and its runs of one style; all lines after a change of size.
    func lines(since former: CellGrid?) -> [JSONValue] {
        let isComparable = former.map(isComparable) ?? false
        return (0..<rowCount).compactMap { row in
            let cells = cells[row * columnCount..<(row + 1) * columnCount]
            if isComparable, let former, former.cells[row * columnCount..<(row + 1) * columnCount] == cells { return nil }
            return .list([.count(row), .list(Self.runs(cells))])
        }
    }

    /// Text, foreground, background and attributes of each run.
    private static func runs(_ cells: ArraySlice<Cell>) -> [JSONValue] {
        var runs: [JSONValue] = []
        var (text, style) = (String.UnicodeScalarView(), cells.first?.style ?? .plain)
        func add() {
            guard !text.isEmpty else { return }
            runs.append(
                .list([
                    .text(String(text)), .number(Double(style.foreground.rawValue)), .number(Double(style.background.rawValue)),
                    .count(Int(style.attributes.rawValue)),
                ]))
        }
        for cell in cells where cell.codePoint != 0 {
            if cell.style != style {
                add()
                (text, style) = (String.UnicodeScalarView(), cell.style)
            }
            text.append(Unicode.Scalar(cell.codePoint) ?? CellCharacter.replacement)
            if cell.mark != 0, let mark = Unicode.Scalar(cell.mark) { text.append(mark) }
        }
        add()
        return runs
    }
}

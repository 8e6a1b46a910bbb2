// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in's view alone on this terminal, with keys and mouse. Main thread.

import AudioUnits
import Cells
import Console
import LinuxSystem
import PluginHosting
import Screen
import Synchronization
import ViewChannel
import Views

/// A view that fills the terminal.
final class ViewScreen {
    /// The messages of the view's thread.
    private final class Inbox: Sendable {
        private let state = Mutex<(grid: CellGrid?, reason: String?)>((nil, nil))
        private let hasChange = Mutex(true)
        private let bell: EventBell

        init(_ bell: EventBell) { self.bell = bell }

        var grid: CellGrid? { state.withLock { $0.grid } }
        var reason: String? { state.withLock { $0.reason } }

        func noteChange() { hasChange.withLock { $0 = true } }

        /// Returns true if a value has changed since the last call.
        func takeChange() -> Bool {
            hasChange.withLock { hasChange in
                defer { hasChange = false }
                return hasChange
            }
        }

        func take(_ update: HostedView.Update) {
            state.withLock { state in
                switch update {
                case .picture(let grid): state.grid = grid
                case .blank: state.grid = nil
                case .closed(let reason): state = (nil, reason)
                }
            }
            bell.ring()
        }
    }

    private let unit: PluginUnit
    private let loop: PictureLoop
    private let wakeUp: EventDescriptor
    private let inbox: Inbox
    private let view: HostedView?
    private var parameters: ParameterView
    private let silence: SilentBlocks?

    /// The most pixels, for a terminal that turns out to show them.
    private static let pixelCapacity = 1 << 21

    /// Shows the view of a unit until Ctrl-C; shows its parameters if it draws no view, or if `isOwn` is true.
    static func show(_ unit: PluginUnit, isOwn: Bool) throws {
        let terminal: TerminalScreen
        do throws(ScreenObstacle) { terminal = try TerminalScreen() } catch {
            throw CommandError.failed("\(error.description) Try --plain, or --picture.")
        }
        let screen = try ViewScreen(unit, terminal, isOwn: isOwn)
        defer {
            screen.view?.close()
            Interruption.tell(.none)
        }
        switch screen.run() {
        case .left, .hostEnded: break
        case .interrupted: try Interruption.check("The view was closed by a signal.")
        case .terminalGone: throw CommandError.failed("The terminal is gone.")
        }
    }

    private init(_ unit: PluginUnit, _ terminal: TerminalScreen, isOwn: Bool) throws {
        self.unit = unit
        wakeUp = try EventDescriptor()
        Interruption.tell(wakeUp.bell)
        loop = PictureLoop(terminal, wakeUp: wakeUp) { Interruption.isRequested }
        parameters = ParameterView(unit.parameterTree)
        let inbox = Inbox(wakeUp.bell)
        self.inbox = inbox
        let size = ViewSize(columnCount: loop.columnCount, rowCount: max(1, loop.rowCount - 1))
        view =
            isOwn || !unit.hosted.hasView
            ? nil
            : try HostedView(
                of: unit.hosted, size: size, colorCount: loop.colorCount,
                pixelCapacity: loop.colorCount > 0 ? Self.pixelCapacity : 0
            ) { inbox.take($0) }
        view?.send(.focus(true))
        silence = view == nil ? nil : SilentBlocks(unit)
    }

    private var size: ViewSize { ViewSize(columnCount: loop.columnCount, rowCount: max(1, loop.rowCount - 1)) }

    private func run() -> ScreenEnd {
        let (bell, inbox) = (wakeUp.bell, inbox)
        let observer = unit.parameterValues.addObserver { _, _ in
            inbox.noteChange()
            bell.ring()
        }
        defer { unit.parameterValues.removeObserver(observer) }
        return loop.run(resized: resize, handle: handle, draw: draw)
    }

    private func resize() { view?.resize(to: size, colorCount: loop.colorCount, cell: loop.cell) }

    /// Takes a key; the view stays until Ctrl-C.
    private func handle(_ key: ScreenKey) -> Bool {
        guard let event = ViewEvent(key) else { return true }
        if let view, inbox.reason == nil {
            view.send(event)
            return true
        }
        for (address, value) in parameters.handle(event, size: size, value: { self.unit.parameterValues[$0] ?? .nan }) {
            // The value is in range; if the unit refuses it, the old one stays.
            if let keyPath = unit.parameterTree.keyPath(ofAddress: address) { try? unit.setValue(value, of: keyPath) }
        }
        return true
    }

    private func draw(_ grid: inout CellGrid) {
        if inbox.takeChange() { silence?.render() }
        var words = "Ctrl-C leaves"
        if let picture = inbox.grid {
            grid.put(picture, column: 0, row: 0)
        } else if view != nil, inbox.reason == nil {
            words = "\(unit.name) has drawn nothing yet. Ctrl-C leaves"
        } else {
            var part = CellGrid(columnCount: size.columnCount, rowCount: size.rowCount)
            parameters.draw(into: &part) { unit.parameterValues[$0] ?? .nan }
            grid.put(part, column: 0, row: 0)
            if let reason = inbox.reason { words = "\(reason) Ctrl-C leaves" }
        }
        grid.put(words, column: 0, row: grid.rowCount - 1, CellStyle([.dim]))
    }
}

extension ViewEvent {
    /// The event of a key or of the mouse; nil for a key that views do not get.
    fileprivate init?(_ key: ScreenKey) {
        switch key {
        case .character(let character): self = .key(.character(character), [])
        case .up: self = .key(.up, [])
        case .down: self = .key(.down, [])
        case .left: self = .key(.left, [])
        case .right: self = .key(.right, [])
        case .home: self = .key(.home, [])
        case .end: self = .key(.end, [])
        case .pageUp: self = .key(.pageUp, [])
        case .pageDown: self = .key(.pageDown, [])
        case .delete: self = .key(.delete, [])
        case .backspace: self = .key(.backspace, [])
        case .enter: self = .key(.enter, [])
        case .escape: self = .key(.escape, [])
        case .tab: self = .key(.tab, [])
        case .backTab: self = .key(.tab, [.shift])
        case .shiftUp: self = .key(.up, [.shift])
        case .shiftDown: self = .key(.down, [.shift])
        case .shiftLeft: self = .key(.left, [.shift])
        case .shiftRight: self = .key(.right, [.shift])
        case .mouse(let mouse):
            let actions: [ScreenMouse.Kind: ViewMouseAction] = [
                .press: .press, .drag: .drag, .release: .release, .wheelUp: .wheelUp, .wheelDown: .wheelDown,
            ]
            self = .mouse(actions[mouse.kind] ?? .press, column: mouse.column, row: mouse.row, [])
        case .control, .paste: return nil
        }
    }
}

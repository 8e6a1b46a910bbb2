// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Shows a host until the user leaves or the host ends: keys, events and frames, one after the other. Main thread.

import Cells
import Control
import Glibc
import LinuxSystem

/// The reason for the end of a screen.
package enum ScreenEnd: Sendable {
    /// The user has left it; the host plays on.
    case left
    /// The host has ended, by the user's request or by itself.
    case hostEnded
    /// A signal requests the end of the program.
    case interrupted
    /// The terminal is gone.
    case terminalGone
}

/// A screen on a terminal.
package final class ScreenLoop {
    private let terminal: TerminalScreen
    private let client: ScreenClient
    private var state: ScreenState
    private var parser = KeyParser()
    private let wakeUp: EventDescriptor
    private let isInterrupted: () -> Bool
    /// The time of bytes that may be only the Escape key.
    private var escapeTime: Double?
    private var nextFrame = 0.0
    private var end: ScreenEnd?

    private static let frameSeconds = 1.0 / 30
    /// The time that a terminal has for the rest of a sequence.
    private static let escapeSeconds = 0.05

    /// Makes a screen for a host; `wakeUp` rings when `isInterrupted` may have changed.
    package init(
        _ terminal: TerminalScreen, _ client: ScreenClient, ownsHost: Bool, wakeUp: EventDescriptor,
        isInterrupted: @escaping () -> Bool
    ) {
        (self.terminal, self.client, self.wakeUp, self.isInterrupted) = (terminal, client, wakeUp, isInterrupted)
        state = ScreenState(ownsHost: ownsHost)
    }

    /// Shows the screen until its end, and then restores the terminal.
    package func run() -> ScreenEnd {
        ScreenSignals.watch(ringing: wakeUp.bell)
        terminal.enter()
        terminal.askForPixels()
        defer {
            terminal.leave()
            ScreenSignals.ignore()
        }
        takeSize()
        while true {
            wakeUp.quieten()
            if isInterrupted() { return .interrupted }
            takeSignals()
            client.receive()
            if client.isClosed { return .hostEnded }
            takeKeys()
            if let end { return end }
            client.follow(&state)
            draw()
            wait()
        }
    }

    private func takeSize() {
        (state.columnCount, state.rowCount) = terminal.size
        client.cell = terminal.cell
        client.isChanged = true
    }

    private func takeSignals() {
        let signals = ScreenSignals.take()
        if signals.contains(SIGTSTP) { suspend() }
        // Another program may have written to the terminal, or changed its settings.
        if signals.contains(SIGCONT) { resume() }
        // A terminal that does not belong to this process sends no signal.
        if signals.contains(SIGWINCH) || terminal.size != (state.columnCount, state.rowCount) || terminal.cell != client.cell {
            if signals.contains(SIGWINCH) {
                // Another terminal may be there now, which replies to no earlier request.
                terminal.forget()
                terminal.askForCell()
            }
            takeSize()
        }
    }

    private func suspend() {
        terminal.leave()
        ScreenSignals.stop()
        resume()
    }

    private func resume() {
        terminal.leave(awaitsAnswers: false)
        terminal.enter()
        terminal.askForPixels()
        takeSize()
    }

    private func takeKeys() {
        guard let bytes = terminal.read() else {
            end = .terminalGone
            return
        }
        if !bytes.isEmpty {
            let keys = parser.take(bytes)
            terminal.take(reports: parser.takeReportCount())
            keys.forEach(handle)
            escapeTime = parser.isWaiting ? ScreenClient.now : nil
        } else if let escapeTime, ScreenClient.now - escapeTime > Self.escapeSeconds {
            parser.settle().forEach(handle)
            self.escapeTime = nil
        }
        guard terminal.take(parser.answers) else { return }
        client.cell = terminal.cell
        client.isChanged = true
    }

    private func handle(_ key: ScreenKey) {
        client.isChanged = true
        for action in state.handle(key, client.model) {
            switch action {
            case .leave: end = .left
            case .suspend: suspend()
            case .redraw: terminal.forget()
            default: client.perform(action)
            }
        }
        client.follow(&state)
    }

    private func draw() {
        terminal.write()
        let now = ScreenClient.now
        guard now >= nextFrame, !terminal.isBehind else { return }
        client.advance()
        guard client.isChanged else { return }
        nextFrame = now + Self.frameSeconds
        var grid = CellGrid(columnCount: state.columnCount, rowCount: state.rowCount)
        ScreenPainter.draw(client.model, state, into: &grid)
        client.isChanged = !terminal.show(grid)
    }

    /// Sleeps until something happens, or the next frame is due.
    private func wait() {
        let isMoving = client.isChanged || client.model.meters.isMoving
        let frame = terminal.isBehind ? terminal.secondsBehind : nextFrame - ScreenClient.now
        var seconds = isMoving ? max(0.001, min(0.5, frame)) : 0.5
        if escapeTime != nil { seconds = min(seconds, Self.escapeSeconds) }
        let awaited = [terminal.awaited, client.stream.awaited, AwaitedDescriptor(wakeUp.descriptor)]
        // Cannot trap: at most half a second.
        let events = Descriptor.wait(for: awaited, nanoseconds: UInt64(seconds * 1e9))
        if events[1].contains(.output) { client.stream.write() }
        if !events[0].isDisjoint(with: [.hangUp, .failure]) { end = .terminalGone }
    }
}

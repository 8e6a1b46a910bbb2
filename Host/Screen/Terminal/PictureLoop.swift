// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Shows pictures of another source on a terminal until the user leaves: keys out, pictures in. Main thread.

import Cells
import Glibc
import LinuxSystem

/// A terminal that shows one picture, such as the view of a plug-in.
package final class PictureLoop {
    private let terminal: TerminalScreen
    private let wakeUp: EventDescriptor
    private let isInterrupted: () -> Bool
    private var parser = KeyParser()
    private var answers = TerminalAnswers()
    private var escapeTime: Double?
    private var isChanged = true
    private var size: (columns: Int, rows: Int)

    private static let frameSeconds = 1.0 / 30
    /// The time that a terminal has for the rest of a sequence.
    private static let escapeSeconds = 0.05

    /// Makes a loop; `wakeUp` rings for a new picture, or if `isInterrupted` may have changed.
    package init(_ terminal: TerminalScreen, wakeUp: EventDescriptor, isInterrupted: @escaping () -> Bool) {
        (self.terminal, self.wakeUp, self.isInterrupted) = (terminal, wakeUp, isInterrupted)
        size = terminal.size
    }

    /// The size of the terminal in cells.
    package var columnCount: Int { size.columns }
    package var rowCount: Int { size.rows }
    /// The number of colours for the picture.
    package var colorCount: Int { terminal.kind.viewColorCount }
    /// The size of a cell on a terminal with pixels; none elsewhere, and before the terminal has reported it.
    package var cell: PixelSize { terminal.cell }

    /// Shows the pictures of `draw` until the user presses Ctrl-C, and then restores the terminal.
    ///
    /// `resized` is called for each size, and when the terminal reports that it shows pixels. `handle` is called for each key;
    /// false ends the loop. `look` is called at least twice a second, and returns whether a new picture is needed.
    package func run(
        resized: () -> Void, handle: (ScreenKey) -> Bool, draw: (inout CellGrid) -> Void, look: () -> Bool = { false }
    ) -> ScreenEnd {
        ScreenSignals.watch(ringing: wakeUp.bell)
        terminal.enter()
        terminal.askForPixels()
        defer {
            terminal.leave()
            ScreenSignals.ignore()
        }
        resized()
        while true {
            let isRung = wait()
            if isInterrupted() { return .interrupted }
            let signals = ScreenSignals.take()
            if signals.contains(SIGTSTP) || signals.contains(SIGCONT) { resume(isStopping: signals.contains(SIGTSTP)) }
            if !signals.isEmpty || size != terminal.size {
                if signals.contains(SIGWINCH) {
                    // Another terminal may be there now, which replies to no earlier request.
                    terminal.forget()
                    terminal.askForCell()
                }
                size = terminal.size
                resized()
            }
            guard let keys = takeKeys() else { return .terminalGone }
            terminal.take(reports: parser.takeReportCount())
            if takeAnswers() { resized() }
            for key in keys {
                switch key {
                case .control("c"): return .left
                case .control("z"): resume(isStopping: true)
                case .control("l"): terminal.forget()
                default: if !handle(key) { return .left }
                }
            }
            isChanged = look() || isChanged || isRung || !keys.isEmpty || !signals.isEmpty
            terminal.write()
            guard isChanged, !terminal.isBehind else { continue }
            isChanged = false
            var grid = CellGrid(columnCount: size.columns, rowCount: size.rows)
            draw(&grid)
            isChanged = !terminal.show(grid)
        }
    }

    /// Takes the terminal's reports; returns whether the picture must change.
    private func takeAnswers() -> Bool {
        isChanged = isChanged || parser.answers != answers
        answers = parser.answers
        return terminal.take(answers)
    }

    private func resume(isStopping: Bool) {
        terminal.leave(awaitsAnswers: isStopping)
        if isStopping { ScreenSignals.stop() }
        terminal.enter()
        terminal.askForPixels()
        isChanged = true
    }

    /// Sleeps until a key, a picture or a frame is due; returns whether the bell has rung.
    private func wait() -> Bool {
        let seconds = isChanged ? Self.frameSeconds : escapeTime == nil ? 0.5 : Self.escapeSeconds
        let awaited = [terminal.awaited, AwaitedDescriptor(wakeUp.descriptor)]
        // Cannot trap: at most half a second.
        let events = Descriptor.wait(for: awaited, nanoseconds: UInt64(seconds * 1e9))
        wakeUp.quieten()
        return !events[1].isEmpty
    }

    private func takeKeys() -> [ScreenKey]? {
        guard let bytes = terminal.read() else { return nil }
        if !bytes.isEmpty {
            let keys = parser.take(bytes)
            escapeTime = parser.isWaiting ? ScreenClient.now : nil
            return keys
        }
        guard let escapeTime, ScreenClient.now - escapeTime > Self.escapeSeconds else { return [] }
        self.escapeTime = nil
        return parser.settle()
    }
}

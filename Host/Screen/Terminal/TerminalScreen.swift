// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A terminal that shows a screen: entered, written, and finally restored. Main thread.

import CTerminalShims
import Cells
import Glibc
import LinuxSystem

/// A terminal that shows a screen until `leave`, or until the end of this process in any way.
package final class TerminalScreen {
    package let kind: TerminalKind
    /// The terminal, opened again, so that non-blocking mode affects only this descriptor.
    package let descriptor: Int32
    private var former = termios()
    private var guardian: (descriptor: Int32, process: Int32)?
    private var isEntered = false
    /// The shown screen; nil if it is unknown.
    private var shown: CellGrid?
    private var waiting: [UInt8] = []
    /// The number of these bytes that the terminal has taken.
    private var writtenCount = 0
    private var pace = TerminalPace()
    private var answers = TerminalAnswers()
    /// The time of the request for the terminal's capabilities.
    private var questionTime: UInt64 = 0

    /// The nanoseconds that a terminal has for its reply before the screen is left: a later reply would be typed into the
    /// shell.
    private static let answerPatience: UInt64 = 200_000_000
    /// The same for a terminal that has replied before, and may be on a slow line.
    private static let duePatience: UInt64 = 1_000_000_000

    /// Takes the terminal of standard input and output; throws `ScreenObstacle` if there can be no screen.
    package init() throws(ScreenObstacle) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw ScreenObstacle("The screen needs a terminal as standard input and output.")
        }
        kind = try TerminalKind.current(of: STDOUT_FILENO).get()
        let opened = open("/proc/self/fd/1", O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard opened >= 0 else { throw ScreenObstacle("The terminal cannot be opened: \(SystemError("open it").reason)") }
        descriptor = opened
        guard tcgetattr(descriptor, &former) == 0 else {
            close(opened)
            throw ScreenObstacle("The terminal does not tell its settings.")
        }
    }

    deinit {
        leave()
        close(descriptor)
    }

    /// Starts to show screens.
    package func enter() {
        guard !isEntered else { return }
        isEntered = true
        // A crash ends this process at once: its report would be written over the screen before the guard can act.
        for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE] { signal(number, SIG_DFL) }
        let leaving = Array(kind.leaving.utf8).map { CChar(bitPattern: $0) }
        var process: Int32 = 0
        let pipe = CTerminalShims_guard(descriptor, &former, leaving, leaving.count, &process)
        if pipe >= 0 { guardian = (pipe, process) }
        var raw = former
        cfmakeraw(&raw)
        tcsetattr(descriptor, TCSANOW, &raw)
        (waiting, writtenCount) = (Array(kind.entering.utf8), 0)
        shown = nil
        pace = TerminalPace()
        pace.ask(behind: &waiting, now: ScreenClient.now)
        write()
    }

    // MARK: Pixels

    /// Asks the terminal whether it shows pixels, unless it has replied; it may reply late or never.
    func askForPixels() {
        guard isEntered, !answers.isComplete, kind.viewColorCount >= Self.leastColorsOfPixels else { return }
        ask(TerminalAnswers.question)
    }

    /// Asks for the size of a cell again, after the window got another size: its font may have changed.
    func askForCell() { if answers.hasSixels, !tellsPixels { ask(TerminalAnswers.cellQuestion) } }

    private func ask(_ question: [UInt8]) {
        questionTime = MonotonicClock.now()
        waiting += question
        write()
    }

    /// Takes the terminal's replies; returns whether the size of a cell in pixels has changed.
    func take(_ answers: TerminalAnswers) -> Bool {
        guard answers != self.answers else { return false }
        let former = cell
        let isNew = answers.hasSixels && !self.answers.hasSixels
        // The shown picture has colours that the terminal lacks.
        if answers.colorCount != self.answers.colorCount { shown = nil }
        self.answers = answers
        if isNew {
            ask(TerminalAnswers.colorQuestion + (cell.isEmpty ? TerminalAnswers.cellQuestion : []))
        }
        return cell != former
    }

    /// The size of a cell in pixels, if the terminal shows pixels and has reported it.
    package var cell: PixelSize {
        guard answers.hasSixels, kind.viewColorCount >= Self.leastColorsOfPixels else { return .none }
        let size = windowSize
        guard tellsPixels else { return answers.cell }
        return PixelSize(width: Int(size.ws_xpixel / size.ws_col), height: Int(size.ws_ypixel / size.ws_row))
    }

    private var windowSize: winsize {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : winsize()
    }

    /// True if the terminal reports the size of its window in pixels.
    private var tellsPixels: Bool {
        let size = windowSize
        return size.ws_col > 0 && size.ws_row > 0 && size.ws_xpixel >= size.ws_col && size.ws_ypixel >= size.ws_row
    }

    /// The fewest colours for pixels: a user who wants no colours also wants no pixels in colours.
    private static let leastColorsOfPixels = 8

    /// Waits shortly for replies in transit, and drops keys that are typed meanwhile.
    private func awaitAnswers() {
        let start = MonotonicClock.now()
        var parser = KeyParser(knowing: answers)
        while true {
            let isTold = parser.answers.isComplete(tellsPixels: tellsPixels) || questionTime == 0
            // Unwritten requests get no reply.
            let patience = pace.isAnswerDue && !hasWaiting ? Self.duePatience : Self.answerPatience
            let due = pace.isAsked ? start + patience : 0
            let (now, end) = (MonotonicClock.now(), max(due, isTold ? 0 : questionTime + Self.answerPatience))
            guard now < end else { return }
            guard !Descriptor.awaitAny([descriptor], nanoseconds: end - now).isEmpty, let bytes = read() else { return }
            _ = parser.take(bytes)
            pace.take(answers: parser.takeReportCount(), now: ScreenClient.now)
        }
    }

    /// Restores the terminal.
    ///
    /// `awaitsAnswers` is false if another program has had the terminal meanwhile, and got the replies.
    package func leave(awaitsAnswers: Bool = true) {
        guard isEntered else { return }
        if awaitsAnswers { awaitAnswers() }
        isEntered = false
        // This first byte ends a sequence that was cut off.
        write(patiently: Array("\u{18}".utf8) + Array(kind.leaving.utf8))
        tcsetattr(descriptor, TCSANOW, &former)
        // Pending mouse reports must not reach the shell as input.
        tcflush(descriptor, TCIFLUSH)
        if let guardian { CTerminalShims_dismiss(guardian.descriptor, guardian.process) }
        guardian = nil
    }

    /// Forgets the shown screen and missing replies, so that everything is written again at once.
    package func forget() { (shown, pace) = (nil, TerminalPace()) }

    /// The size in cells; 80 × 24 if the terminal does not report it.
    package var size: (columns: Int, rows: Int) {
        let size = windowSize
        return size.ws_col > 0 && size.ws_row > 0 ? (min(1000, Int(size.ws_col)), min(500, Int(size.ws_row))) : (80, 24)
    }

    /// True if bytes wait until the terminal takes them.
    var hasWaiting: Bool { !waiting.isEmpty }

    /// The events to wait for: keys, and room for bytes that wait.
    var awaited: AwaitedDescriptor { AwaitedDescriptor(descriptor, hasWaiting ? [.input, .output] : .input) }

    /// True if the terminal has not shown the last screens yet.
    package var isBehind: Bool { hasWaiting || pace.secondsToNextFrame(now: ScreenClient.now) > 0 }

    /// The seconds until the next check, if the terminal is behind and sends nothing.
    var secondsBehind: Double { hasWaiting ? .infinity : pace.secondsToNextFrame(now: ScreenClient.now) }

    /// Records status reports.
    func take(reports count: Int) { pace.take(answers: count, now: ScreenClient.now) }

    /// Shows a screen; false if the terminal is behind.
    package func show(_ grid: CellGrid) -> Bool {
        guard isEntered, !isBehind else { return false }
        (waiting, shown) = PixelWriter.bytes(for: grid, after: shown, on: kind, cell: cell, colorCount: answers.colorCount)
        if hasWaiting { pace.ask(behind: &waiting, now: ScreenClient.now) }
        write()
        return true
    }

    /// Writes the bytes that the terminal accepts now.
    package func write() {
        while writtenCount < waiting.count {
            let count = waiting.withUnsafeBytes { SystemCall.write(.init(rebasing: $0[writtenCount...]), to: descriptor) }
            guard count > 0 else {
                // A terminal that is gone accepts nothing.
                if errno == EAGAIN { return }
                break
            }
            writtenCount += count
        }
        (waiting, writtenCount) = ([], 0)
    }

    /// Writes bytes, and waits up to a second for a terminal that accepts none.
    private func write(patiently bytes: [UInt8]) {
        (waiting, writtenCount) = (bytes, 0)
        write()
        var rounds = 0
        while !waiting.isEmpty, rounds < 20 {
            Descriptor.wait(for: [AwaitedDescriptor(descriptor, .output)], nanoseconds: 50_000_000)
            write()
            rounds += 1
        }
        (waiting, writtenCount) = ([], 0)
    }

    /// The user's typed bytes; nil once the terminal is gone.
    package func read() -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: 4096)
        let count = piece.withUnsafeMutableBytes { SystemCall.read(descriptor, into: $0) }
        if count > 0 { return Array(piece[..<count]) }
        return count < 0 && errno == EAGAIN ? [] : nil
    }
}

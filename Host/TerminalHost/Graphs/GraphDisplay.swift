// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Shows a graph that plays: on a screen, or by sentences and a bar of progress. Main thread.

import Console
import Control

/// Shows a graph that plays.
final class GraphDisplay {
    private let session: Session
    /// The screen that shows the graph instead of sentences.
    private var screen: ScreenProcess?
    private let progress = ProgressLine("Playing")

    /// Prints the title, unless a screen opens, which has its own.
    init(_ session: Session, title: String, isPlain: Bool) {
        self.session = session
        screen = isPlain ? nil : ScreenProcess(for: session)
        if screen == nil { Terminal.print(lines: [StyledText(title)]) }
    }

    /// True once the user has left the screen, which ends the host.
    var isLeft: Bool { screen.map { $0.hasEnded && !$0.hasFailed } ?? false }

    /// Sends a line to the clients of the session, and prints it if no screen shows it.
    func say(_ line: String) {
        session.say(line)
        guard screen == nil else { return }
        progress.finish()
        PluginMessages.settle()
        Terminal.print(lines: [StyledText(line)])
    }

    /// Shows the progress of the graph, from 0 to 1.
    func show(_ share: Double) { if screen == nil { progress.show(share) } }

    /// Passes printed lines to the screen, and drops a screen that has failed.
    func update() {
        screen?.takeLines().forEach { session.say($0) }
        guard let screen, screen.hasFailed else { return }
        screen.abandon()
        self.screen = nil
    }

    /// Ends the screen, and prints the lines that none has shown.
    func finish() {
        progress.finish()
        guard let screen else { return }
        screen.end()
        self.screen = nil
        for line in screen.takeLines() { Terminal.print(lines: [StyledText(line)]) }
    }
}

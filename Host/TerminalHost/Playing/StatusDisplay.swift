// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Meters and the state of each process: on a screen, in place on a terminal, or as plain lines elsewhere. Main thread.

import AudioFormats
import Console
import PluginHosting

/// Shows a session.
final class StatusDisplay {
    private let isInteractive: Bool
    private let title: String
    /// The screen that shows the session instead of this display.
    private(set) var screen: ScreenProcess?
    private var lines = InPlaceLines()
    private var messages = FaultMessages()
    private var hasNamedAbsent = false
    private var held: (left: Float, right: Float) = (0, 0)
    /// True if the output is quiet: below −80 dB.
    private(set) var isQuiet = false

    /// Makes a display, which a screen replaces as long as it runs.
    init(title: String, screen: ScreenProcess? = nil) {
        (self.title, self.screen) = (title, screen)
        isInteractive = screen != nil || Terminal.isInteractive
        if !isInteractive { Terminal.print(lines: ["\(title)"]) }
    }

    /// Updates the display, about twenty times a second.
    func update(_ session: RealtimeSession, position: String) {
        if !hasNamedAbsent { session.leftOut.forEach { say($0.sentence, session) } }
        hasNamedAbsent = true
        screen?.takeLines().forEach { session.session.say($0) }
        if let screen, screen.hasFailed {
            screen.abandon()
            self.screen = nil
        }
        PluginMessages.keep(ringing: session.wakeUp)
        let news = messages.take(from: session.chain)
        // The last output of a plug-in comes before the message about its death.
        if !news.isEmpty { PluginMessages.settle() }
        let all =
            PluginMessages.take() + news + session.takeDeviceMessages() + (session.sound.recorder?.takeMessages() ?? [])
            + (session.capture?.takeMessages() ?? [])
        all.forEach { say($0, session) }
        takePeaks(session)
        guard isInteractive, screen == nil else { return }
        let columns = Terminal.width
        let meters = [PeakMeter.line("L", held.left, columns: columns), PeakMeter.line("R", held.right, columns: columns)]
        let rows = session.chain.units.map { UnitLine.text(of: $0.unit, session.driver.status) }
        let absent = session.leftOut.map { "  \($0.name.padded(to: 14)) \(StyledText.red("quarantined"))" as StyledText }
        lines.draw(["\(position)  \(title)"] + meters + rows + absent + hints(session) + [summary(session)])
    }

    /// Ends the screen, and leaves the last state on the terminal.
    func finish() {
        let last = PluginMessages.release()
        let unheard = screen.map { screen in
            screen.end()
            return screen.takeLines()
        }
        screen = nil
        (last + (unheard ?? [])).forEach(say)
        lines.finish()
    }

    /// Sends a line to the clients of the session, and prints it if no screen shows it.
    private func say(_ line: String, _ session: RealtimeSession) {
        session.session.say(line)
        if screen == nil { say(line) }
    }

    private func say(_ line: String) {
        // Written at once, because a reader of a pipe needs each line in time.
        if isInteractive { lines.say(StyledText(line)) } else { Terminal.print(lines: [StyledText(line)]) }
    }

    private func hints(_ session: RealtimeSession) -> [StyledText] {
        session.chain.members.contains(where: \.isQuarantined) ? ["  Press u to bring back quarantined effects."] : []
    }

    private func summary(_ session: RealtimeSession) -> StyledText {
        let status = session.driver.status
        let period = Double(status.quantum) / max(1, status.sampleRate) * 1000
        let missed = session.missedDeadlineCount
        return "  \(Int(nearestFrame: status.sampleRate)) Hz, quantum \(status.quantum) (\(Decimal.text(period, 1)) ms), "
            + "missed \(missed == 0 ? "0" : StyledText.red("\(missed)")), xruns \(status.xruns)"
    }

    private func takePeaks(_ session: RealtimeSession) {
        let peaks = session.player.takePeaks()
        session.session.tick(peaks: peaks)
        isQuiet = max(peaks.left, peaks.right) < 1e-4
        // Peaks fall by about 20 dB a second.
        held = (max(peaks.left, held.left * 0.89), max(peaks.right, held.right * 0.89))
    }
}

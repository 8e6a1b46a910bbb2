// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Meters and the state of each process: in place on a terminal, plain lines elsewhere. Main thread.

import Console
import PluginHosting

/// Shows a session.
final class StatusDisplay {
    private let isInteractive = Terminal.isInteractive
    private let title: String
    private var lines = InPlaceLines()
    private var messages = FaultMessages()
    private var hasNamedAbsent = false
    private var held: (left: Float, right: Float) = (0, 0)
    /// Whether the output is quiet: below −80 dB.
    private(set) var isQuiet = false

    init(title: String) {
        self.title = title
        if !isInteractive { Terminal.print(lines: ["\(title)"]) }
    }

    /// Updates the display, about twenty times a second.
    func update(_ session: RealtimeSession, position: String) {
        if !hasNamedAbsent { session.leftOut.forEach { say($0.sentence) } }
        hasNamedAbsent = true
        PluginMessages.keep(ringing: session.wakeUp)
        let news = messages.take(from: session.chain)
        // What a plug-in printed before it died comes first.
        if !news.isEmpty { PluginMessages.settle() }
        (PluginMessages.take() + news + session.takeDeviceMessages() + (session.sound.recorder?.takeMessages() ?? [])
            + (session.capture?.takeMessages() ?? [])).forEach(say)
        takePeaks(session)
        guard isInteractive else { return }
        let columns = Terminal.width
        let meters = [PeakMeter.line("L", held.left, columns: columns), PeakMeter.line("R", held.right, columns: columns)]
        let rows = session.chain.units.map { UnitRow.text(of: $0.unit, session.driver.status) }
        let absent = session.leftOut.map { "  \($0.name.padded(to: 14)) \(StyledText.red("quarantined"))" as StyledText }
        lines.draw(["\(position)  \(title)"] + meters + rows + absent + hints(session) + [summary(session)])
    }

    /// Leaves the last state on the screen.
    func finish() {
        PluginMessages.release().forEach(say)
        lines.finish()
    }

    private func say(_ line: String) {
        // Written at once, so that a reader of a pipe sees each line in time.
        if isInteractive { lines.say(StyledText(line)) } else { Terminal.print(lines: [StyledText(line)]) }
    }

    private func hints(_ session: RealtimeSession) -> [StyledText] {
        session.chain.members.contains(where: \.isQuarantined) ? ["  Press u to bring back quarantined effects."] : []
    }

    private func summary(_ session: RealtimeSession) -> StyledText {
        let status = session.driver.status
        let period = Double(status.quantum) / max(1, status.sampleRate) * 1000
        let missed = session.missedDeadlineCount
        return "  \(Int(status.sampleRate)) Hz, quantum \(status.quantum) (\(Decimal.text(period, 1)) ms), "
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

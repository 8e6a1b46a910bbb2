// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Meters and the state of every process while music plays: in place on a terminal, plain lines elsewhere. Main thread.

import Glibc
import PluginHosting
import Realtime

/// Shows a session.
final class StatusDisplay {
    private let isInteractive = Terminal.isInteractive
    private let title: String
    private var shownLineCount = 0
    private var held: (left: Float, right: Float) = (0, 0)
    private var reportedFaultCounts: [Int]
    private var reportedReturns: [Int]

    init(title: String, unitCount: Int) {
        self.title = title
        reportedFaultCounts = Array(repeating: 0, count: unitCount)
        reportedReturns = Array(repeating: 0, count: unitCount)
        if !isInteractive { print(title) }
    }

    /// Brings the display up to date; about twenty times a second.
    func update(_ session: RealtimeSession, position: String) {
        reportNews(session.chain)
        takePeaks(session)
        guard isInteractive else { return }
        let lines = [header(session, position), PeakMeter.line("L", held.left), PeakMeter.line("R", held.right)] + session.chain.members.map { row($0, session) }
        draw(lines)
    }

    /// Whether nothing has been heard lately: below −80 dB.
    private(set) var isQuiet = false

    /// Leaves the last state standing.
    func finish() {
        if isInteractive, shownLineCount > 0 { Terminal.write("\n") }
        shownLineCount = 0
    }

    private func draw(_ lines: [String]) {
        let width = Terminal.width
        let up = shownLineCount > 1 ? "\u{1B}[\(shownLineCount - 1)A" : ""
        let text = lines.map { "\u{1B}[K" + ANSIText.cut($0, to: width) }.joined(separator: "\r\n")
        Terminal.write("\r" + up + text + "\u{1B}[J")
        shownLineCount = lines.count
    }

    private func header(_ session: RealtimeSession, _ position: String) -> String {
        let status = session.driver.status
        let missed = session.missedDeadlineCount
        let rate = "\(Int(status.sampleRate)) Hz, quantum \(status.quantum)"
        return "\(title)  \(position)  \(rate), missed \(missed == 0 ? "0" : ANSIText.red("\(missed)")), xruns \(status.xruns)"
    }

    private func takePeaks(_ session: RealtimeSession) {
        let peaks = session.player.takePeaks()
        isQuiet = max(peaks.left, peaks.right) < 1e-4
        // Peaks fall by about 20 dB a second, so that the eye can follow.
        held = (max(peaks.left, held.left * 0.89), max(peaks.right, held.right * 0.89))
    }

    private func row(_ member: ChainMember, _ session: RealtimeSession) -> String {
        let status = session.driver.status
        let period = Double(status.quantum) / max(1, status.sampleRate) * 1e9
        let load = Double(member.renderNanoseconds) / max(1, period) * 100
        let place = member.unit.processIdentifier.map { "process \($0)" } ?? "in the host"
        let restarts = member.faults.restarts
        return "  \(member.unit.name.padded(to: 14)) \(state(member)) \(place.padded(to: 16)) load \(Decimal.text(load, 1)) %"
            + (restarts > 0 ? "  restarts \(restarts)" : "")
    }

    private func state(_ member: ChainMember) -> String {
        if member.isAbandoned { return ANSIText.red("given up ") }
        return member.isPresent ? ANSIText.green("running  ") : ANSIText.red("restarting")
    }

    /// Says each fault and each return once, as a line that stays.
    private func reportNews(_ chain: UnitChain) {
        for (index, member) in chain.members.enumerated() {
            let records = member.faults.records
            for record in records.dropFirst(reportedFaultCounts[index]) {
                say("\(member.unit.name) \(record.fault) in cycle \(record.cycle).")
            }
            reportedFaultCounts[index] = records.count
            let returned = records.filter { $0.recoveredAfterCycles != nil }
            for record in returned.dropFirst(reportedReturns[index]) {
                say("\(member.unit.name) is back after \(record.recoveredAfterCycles ?? 0) cycles.")
            }
            reportedReturns[index] = returned.count
        }
    }

    private func say(_ line: String) {
        guard isInteractive else { return print(line) }
        if shownLineCount > 1 { Terminal.write("\r\u{1B}[\(shownLineCount - 1)A") }
        Terminal.write("\r\u{1B}[J\(line)\r\n")
        shownLineCount = 0
    }
}

/// A level as a bar.
enum PeakMeter {
    /// The bar covers −60 dB to 0 dB.
    static func line(_ name: String, _ peak: Float, width: Int = 48) -> String {
        let level = Maths.decibels(fromGain: peak)
        let filled = Int(max(0, min(1, (level + 60) / 60)) * Float(width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
        let number = level < -99 ? "-inf" : Decimal.text(Double(level), 1)
        return "  \(name) \(level > -0.1 ? ANSIText.red(bar) : ANSIText.green(bar)) \(number) dB"
    }
}

/// Numbers with a fixed count of decimals.
enum Decimal {
    static func text(_ value: Double, _ places: Int) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
        let scale = pow(10, Double(places))
        let scaled = Int((abs(value) * scale).rounded())
        let sign = value < 0 && scaled != 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(scaled)" }
        let fraction = String(scaled % Int(scale))
        return "\(sign)\(scaled / Int(scale)).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
    }
}

/// Colours, and text that must not wrap.
enum ANSIText {
    static func red(_ text: String) -> String { "\u{1B}[31m\(text)\u{1B}[0m" }
    static func green(_ text: String) -> String { "\u{1B}[32m\(text)\u{1B}[0m" }

    /// Cuts after `width` visible characters; escape sequences are not counted.
    static func cut(_ text: String, to width: Int) -> String {
        var visible = 0
        var isEscape = false
        var result = ""
        for character in text {
            if character == "\u{1B}" { isEscape = true }
            if !isEscape {
                visible += 1
                if visible > width { continue }
            }
            result.append(character)
            if isEscape, character == "m" { isEscape = false }
        }
        return result
    }
}

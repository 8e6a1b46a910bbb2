// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What came of each window, as a line of text. Test thread.

import Foundation
import TestSupport

/// What came of one plug-in's window.
struct RealWindowRow {
    let plugin: WindowedPlugIn
    var isOpen = false
    /// The parameters that can be set, and the places that were tried.
    var parameterCount = 0
    var placeCount = 0
    var turns: [KnobTurn] = []
    /// The turn that was heard.
    var heard: KnobTurn?
    var wasKilled = false
    /// What went wrong, or what the kill changed.
    var flaws: [String] = []

    var isAsExpected: Bool { isOpen && wasKilled && flaws.isEmpty && (heard != nil || plugin.silence != nil) }

    /// Name, opened, parameter, values, difference, and the kill.
    var line: String {
        [plugin.id, isOpen ? "opened" : "NOT OPENED", turned, sound, fate].joined(separator: " | ")
    }

    private var turned: String {
        guard let turn = heard ?? turns.last else { return "turned none of \(parameterCount) at \(placeCount) places" }
        return "\(turn.path): \(Self.number(turn.from)) → \(Self.number(turn.to))"
    }

    private var sound: String {
        if let heard { return "HEARD \(Self.text(heard.difference)), \(turns.count). knob" }
        let best = turns.max { abs($0.difference.decibels) < abs($1.difference.decibels) }
        let tried = turns.map { $0.path.split(separator: ".").last.map(String.init) ?? $0.path }.joined(separator: ", ")
        let most = best.map { "; at most \(Self.text($0.difference)); tried \(tried)" } ?? ""
        let reason = plugin.silence.map { ": \($0)" } ?? ""
        return "not heard\(reason)\(most)"
    }

    private var fate: String { wasKilled && flaws.isEmpty ? "killed: ok" : flaws.joined(separator: "; ") }

    private static func number(_ value: Double) -> String { String(format: "%.4g", value) }

    private static func text(_ difference: Difference) -> String {
        let (most, usual) = (difference.decibels, difference.spread)
        return String(format: "%+.1f dB in ", most) + difference.name + String(format: " (by itself %.2f dB)", usual)
    }
}

/// The table in the build's folder, written line by line.
final class RealWindowTable {
    private(set) var rows: [RealWindowRow] = []
    private let path = "\(Build.folder)/windows.txt"

    init() throws { try Data().write(to: URL(fileURLWithPath: path)) }

    func add(_ row: RealWindowRow) {
        rows.append(row)
        write(row.line)
    }

    /// Counts.
    func finish() {
        let opened = rows.filter(\.isOpen)
        write(
            "\(rows.count) plug-ins: \(opened.count) opened, \(opened.count { !$0.turns.isEmpty }) turned, "
                + "\(opened.count { $0.heard != nil }) heard, \(opened.count { $0.wasKilled && $0.flaws.isEmpty }) killed unheard")
    }

    private func write(_ line: String) {
        print(line)
        guard let file = FileHandle(forWritingAtPath: path) else { return }
        file.seekToEndOfFile()
        file.write(Data("\(line)\n".utf8))
    }
}

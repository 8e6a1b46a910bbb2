// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Windows of plug-ins that people use: a mouse turns a knob, the turn is heard, and the window's end is not. Test thread.

import Foundation
import Testing

/// By hand, with `make windows`: BULKHEAD_WINDOWS is a part of the plug-ins' IDs, or `lv2:` for all of them.
private let wanted = ProcessInfo.processInfo.environment["BULKHEAD_WINDOWS"]

@Suite(.serialized, .timeLimit(.minutes(240)), .enabled(if: wanted != nil, "make windows does this")) struct RealWindowTests {
    @Test func aTurnByTheMouseIsHeardAndTheEndOfTheWindowIsNot() throws {
        let screen = try VirtualScreen(size: "1600x1200x24")
        let bench = try Workbench(adding: ["DISPLAY": screen.display, "LV2_PATH": "/usr/lib/lv2:/usr/lib/x86_64-linux-gnu/lv2"])
        try TestSignal.write(to: bench)
        try TestSignal.writeNotes(to: bench)
        let table = try RealWindowTable()
        for plugin in WindowedPlugIn.all where plugin.id.contains(wanted ?? "") {
            let row = look(at: plugin, bench, screen)
            table.add(row)
            if !row.isAsExpected { Issue.record("\(row.line)") }
        }
        table.finish()
        #expect(!table.rows.isEmpty)
    }

    private func look(at plugin: WindowedPlugIn, _ bench: Workbench, _ screen: VirtualScreen) -> RealWindowRow {
        var row = RealWindowRow(plugin: plugin)
        do {
            let real = try RealWindow(plugin, in: bench, on: screen)
            row.isOpen = true
            let watch = try ParameterWatch(real.node, in: bench)
            var hand = try KnobHand(real, watch)
            row.heard = watch.count > 0 ? try hand.search() : nil
            if hand.turns.isEmpty, watch.count > 0 {
                // The first window of a family may show a greeting in front of all knobs, once.
                try real.reopen()
                hand = try KnobHand(real, watch)
                row.heard = try hand.search()
            }
            (row.turns, row.placeCount, row.parameterCount) = (hand.turns, hand.placeCount, watch.count)
            row.flaws = try killTheWindow(of: real)
            row.wasKilled = true
        } catch let refusal as NoWindow {
            row.flaws = [refusal.reason.trimmingCharacters(in: .whitespacesAndNewlines)]
        } catch {
            row.flaws = ["\(error)"]
        }
        return row
    }

    /// Kills the window's process; what of the sound or the host's health was not as before.
    ///
    /// A unit that was late was so because of the kill, or because of the machine. So it is tried again with another window.
    private func killTheWindow(of real: RealWindow) throws -> [String] {
        var flaws: [String] = []
        for attempt in 0..<4 {
            if attempt > 0 { try real.reopen() }
            let process = try #require(ProcessTable.identifier(ofProgram: "/bulkhead-window", home: real.bench.folder))
            // What was turned may make the sound vary more by itself.
            let before = try real.measure() + real.measure()
            let (alive, killed) = (try real.bench.unit(), real.take.frameCount)
            kill(process, SIGKILL)
            let outcome = real.window.wait(seconds: 10)
            // From before the kill until two seconds after it.
            let after = try real.measure(from: killed - TestSignal.period, periods: 6)
            let now = try real.bench.unit()

            flaws = []
            let isTold = outcome.status == 1 && outcome.errors.contains("was ended by SIGKILL")
            if !isTold { flaws.append("the command said \(outcome.errors)") }
            if now.health != alive.health { flaws.append("\(alive.health) became \(now.health)") }
            let difference = Difference(from: before, to: after, control: before)
            if difference.isHeard { flaws.append("\(difference.decibels) dB in \(difference.name)") }
            guard now.late != alive.late, now.survival == alive.survival else { break }
        }
        return flaws
    }
}

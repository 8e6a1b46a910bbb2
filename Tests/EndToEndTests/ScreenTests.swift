// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The screen in a terminal: what it shows, what it does, and that the terminal is as before, however it ends. Test thread.

import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite(.enabled(if: Machine.hasTerminals, "no terminal can be made here")) struct ScreenTests {
        private func play(_ bench: Workbench, _ words: String...) throws -> RunningCommand {
            try bench.writeTone()
            let host = try bench.start(
                ["play", "in.wav", "--driver", "null", "--loop", "-e", "Gain", "-e", "Reverb", "--report", "report.json"] + words)
            try #require(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
            return host
        }

        /// The process of a screen, or of a host.
        private func process(_ word: String, of bench: Workbench) throws -> pid_t {
            var found: pid_t?
            _ = eventually(within: 10) {
                found = ProcessTable.identifier(ofCommand: word, home: bench.folder)
                return found != nil
            }
            return try #require(found, "no process of \(word)")
        }

        @Test func aSessionIsBuiltAndPlayedByKeys() throws {
            let bench = try Workbench()
            let host = try play(bench)
            let terminal = try TmuxTerminal(bench, "bulkhead attach")
            #expect(terminal.awaits("● 2 Reverb") && terminal.awaits("48 kHz"))
            try terminal.type("a")
            #expect(terminal.awaits("Plug-ins: "))
            try terminal.type("delay")
            #expect(terminal.awaits("Plug-ins: 1 of"))
            try terminal.press("Enter")
            #expect(terminal.awaits("● 2 Delay") && terminal.awaits("Added Delay."))
            try terminal.press("Tab", "Down", "End")
            #expect(
                try eventually(within: 5) { try bench.run("ctl", "get", "Delay.feedback").output == "Delay.feedback = 100 %\n" })
            try terminal.type("33")
            try terminal.press("Enter")
            #expect(terminal.awaits("33 %"))
            try terminal.press("Tab")
            try terminal.type("b")
            #expect(terminal.awaits("○ 2 Delay"))
            try terminal.type(">")
            #expect(terminal.awaits("○ 3 Delay"))
            try terminal.type("sn")
            try terminal.type("Verse")
            try terminal.press("Enter")
            #expect(terminal.awaits("Kept the scene Verse."))
            // A key that comes in one piece with Escape would be one with Alt.
            try terminal.press("Escape")
            #expect(terminal.awaits("Enter goes there", isThere: false))
            #expect(try bench.run("ctl", "scenes").output == "1  Verse  (plays)\n")
            try terminal.type("x")
            #expect(terminal.awaits("Removed Delay."))
            try terminal.type("u")
            #expect(terminal.awaits("Undid: remove Delay") && terminal.awaits("3 Delay"))
            try terminal.type("q")
            #expect(terminal.awaitEnd() == "0")
            try terminal.expectRestored(showing: [])
            // The music plays on.
            #expect(try bench.run("ctl", "status").status == 0)
            terminal.close()
            host.send(SIGINT)
            host.wait(seconds: 10).expectSuccess()
        }

        @Test(arguments: [(80, 24), (200, 60), (40, 10)]) func eachSizeAndEachLocaleIsServed(columns: Int, rows: Int) throws {
            let bench = try Workbench()
            let host = try play(bench)
            defer { host.send(SIGINT) }
            let terminal = try TmuxTerminal(bench, "bulkhead attach", columns: columns, rows: rows)
            #expect(terminal.awaits("───") && terminal.awaits("●") && terminal.awaits("0 dB"))
            #expect(try terminal.text(hasColors: true).contains("\u{1B}[32m"))
            let plain = try TmuxTerminal(
                bench, "bulkhead attach", columns: columns, rows: rows, adding: ["LC_ALL": "C", "NO_COLOR": "1"])
            #expect(plain.awaits("---") && plain.awaits("0 dB"))
            let shown = try plain.text(hasColors: true)
            #expect(shown.utf8.allSatisfy { $0 < 0x80 } && !shown.contains("[32m") && shown.contains("[7m"))
            try plain.resize(columns: 120, rows: 40)
            #expect(plain.awaits("Log") && plain.awaits("Scenes"))
        }

        @Test func aScreenThatIsKilledOrWhoseHostIsKilledLeavesTheTerminalAsItWas() throws {
            for (number, isHost) in [
                (SIGKILL, false), (SIGSEGV, false), (SIGTERM, false), (SIGHUP, false), (SIGKILL, true), (SIGINT, true),
            ] {
                let bench = try Workbench()
                let host = try play(bench)
                let terminal = try TmuxTerminal(bench, "bulkhead attach 2>/dev/null")
                #expect(terminal.awaits("● 2 Reverb"))
                if isHost { host.send(number) } else { kill(try process("attach", of: bench), number) }
                let status = terminal.awaitEnd()
                #expect(status == (isHost ? "0" : "\(128 + number)"), "signal \(number)")
                // A shell says how its command was killed.
                let lines = try terminal.text().split(separator: "\n").map(String.init)
                #expect(lines.count <= 2 && !lines.joined().contains("Reverb"))
                try terminal.expectRestored(showing: lines)
                if !isHost { host.send(SIGINT) }
            }
        }

        @Test func aViewIsSeenTurnedAndComesBackAfterItsPlugInDied() throws {
            let bench = try Workbench()
            let host = try play(bench, "-e", "Filter")
            defer { host.send(SIGINT) }
            let terminal = try TmuxTerminal(bench, "bulkhead attach", columns: 100, rows: 30)
            #expect(terminal.awaits("● 3 Filter"))
            try terminal.press("Down", "Down", "v", "Tab")
            #expect(terminal.awaits("Cutoff 1000 Hz   Resonance 0 dB"))
            try terminal.press("Right", "Up")
            #expect(terminal.awaits("Cutoff 1059") && terminal.awaits("Resonance 1 dB"))
            #expect(try bench.run("ctl", "set", "Filter.cutoff=300").status == 0)
            #expect(terminal.awaits("Cutoff 300 Hz"))
            // Killed in mid-view: the music plays on, and both come back.
            kill(try host.process(ofEffect: "Filter"), SIGKILL)
            #expect(terminal.awaits("restarts 1") && terminal.awaits("Cutoff 300 Hz"))
            try terminal.press("Right")
            #expect(terminal.awaits("Cutoff 317"))
            try terminal.press("Tab", "v")
            #expect(terminal.awaits("▸Cutoff"))
        }

        @Test func aViewAloneTakesKeysAndLeavesTheTerminalAsItWas() throws {
            let bench = try Workbench()
            let terminal = try TmuxTerminal(bench, "bulkhead view Filter", columns: 70, rows: 20)
            #expect(terminal.awaits("Cutoff 1000 Hz") && terminal.awaits("Ctrl-C leaves"))
            try terminal.press("Right", "Up")
            #expect(terminal.awaits("Cutoff 1059") && terminal.awaits("Resonance 1 dB"))
            try terminal.resize(columns: 50, rows: 12)
            #expect(terminal.awaits("Ctrl-C leaves"))
            try terminal.press("C-c")
            #expect(terminal.awaitEnd() == "0")
            try terminal.expectRestored(showing: [])
            // One that draws none is shown by its parameters.
            let other = try TmuxTerminal(try Workbench(), "bulkhead view Gain")
            #expect(other.awaits("0 dB"))
            try other.press("Right")
            #expect(other.awaits("2.4 dB"))
        }

        @Test func playOpensTheScreenAndEndsWithIt() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let line = "bulkhead play in.wav --driver null --loop -e Gain"
            var terminal = try TmuxTerminal(bench, line)
            #expect(terminal.awaits("● 1 Gain"))
            try terminal.type("q")
            #expect(terminal.awaits("End the host?"))
            try terminal.press("Enter")
            #expect(terminal.awaitEnd() == "0")
            try terminal.expectRestored(showing: [])

            let other = try Workbench()
            try other.writeTone()
            terminal = try TmuxTerminal(other, "\(line) --plain")
            #expect(terminal.awaits("Gain           running"))
            try terminal.press("C-c")
            #expect(terminal.awaitEnd() == "0")
        }

        @Test func aHostWhoseScreenIsKilledPlaysOnAndAKilledHostLeavesNoScreen() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let terminal = try TmuxTerminal(bench, "bulkhead play in.wav --driver null --loop -e Gain")
            #expect(terminal.awaits("● 1 Gain"))
            kill(try process("attach", of: bench), SIGKILL)
            #expect(terminal.awaits("The screen has ended by an error") && terminal.awaits("Gain           running"))
            try terminal.press("C-c")
            #expect(terminal.awaitEnd() == "0" && bench.bytes("before") == bench.bytes("after"))
            #expect(try terminal.modes() == TmuxTerminal.usualModes)

            let other = try Workbench()
            try other.writeTone()
            let killed = try TmuxTerminal(other, "bulkhead play in.wav --driver null --loop -e Gain 2>/dev/null")
            #expect(killed.awaits("● 1 Gain"))
            kill(try process("play", of: other), SIGKILL)
            #expect(killed.awaitEnd() == "137")
            #expect(try eventually(within: 5) { try killed.modes() == TmuxTerminal.usualModes })
        }

        @Test func theCommandAloneShowsTheHostThatPlays() throws {
            let bench = try Workbench()
            let host = try play(bench)
            let terminal = try TmuxTerminal(bench, "bulkhead")
            #expect(terminal.awaits("● 2 Reverb"))
            // Leaving it leaves the music on.
            try terminal.press("C-c")
            #expect(terminal.awaitEnd() == "0")
            terminal.close()
            host.send(SIGINT)
            host.wait(seconds: 10).expectSuccess()
            let nobody = try TmuxTerminal(try Workbench(), "bulkhead attach")
            #expect(nobody.awaits("No host plays."))
        }

        @Test func terminalsThatCannotShowItAreToldSo() throws {
            let bench = try Workbench()
            let host = try play(bench)
            defer { host.send(SIGINT) }
            let refused = try bench.run("attach")
            #expect(refused.status == 1 && refused.errors.contains("needs a terminal"), "\(refused.errors)")
            let terminal = try TmuxTerminal(bench, "TERM=dumb bulkhead attach")
            #expect(terminal.awaits("\"dumb\" cannot place its cursor") && terminal.awaitEnd() == "1")
        }

        // Measures for ten seconds. Optimised it takes less than three percent of a processor; a build for debugging takes several times that.
        @Test func theScreenTakesLittleOfAProcessor() throws {
            let bench = try Workbench()
            let host = try play(bench, "-e", "Delay", "-e", "Filter", "-e", "Equalizer")
            defer { host.send(SIGINT) }
            let terminal = try TmuxTerminal(bench, "bulkhead attach", columns: 200, rows: 60)
            #expect(terminal.awaits("● 5 Equalizer"))
            let screen = try process("attach", of: bench)
            let start = try ProcessTable.processorSeconds(of: screen)
            sleep(10)
            let seconds = try ProcessTable.processorSeconds(of: screen) - start
            #expect(seconds < 1, "\(seconds) s of 10")
        }

        /// Eight seconds of keys, or as many as BULKHEAD_SCREEN_SECONDS says; `make deep` has an hour of them.
        private var secondsOfKeys: Double {
            let environment = ProcessInfo.processInfo.environment
            let hour = environment["BULKHEAD_DEEP"] == nil ? 8.0 : 3600
            return environment["BULKHEAD_SCREEN_SECONDS"].flatMap(Double.init) ?? hour
        }

        @Test(.timeLimit(.minutes(70))) func randomKeysMouseAndSizesWithPluginsKilledBreakNothing() throws {
            var random = RandomKeys()
            let bench = try Workbench()
            let host = try play(bench, "-e", "Delay")
            let terminal = try TmuxTerminal(bench, "bulkhead attach")
            #expect(terminal.awaits("● 3 Delay"))
            let deadline = ContinuousClock.now + .seconds(secondsOfKeys)
            var (rounds, kills) = (0, 0)
            while ContinuousClock.now < deadline {
                rounds += 1
                try terminal.send(random.keys())
                if rounds % 9 == 0 { try terminal.resize(columns: 20 + random.number(180), rows: 5 + random.number(55)) }
                if rounds % 25 == 0, let victim = ProcessTable.plugins(home: bench.folder).randomElement(using: &random.random) {
                    kill(victim, SIGKILL)
                    kills += 1
                }
                if bench.exists("after") { break }
            }
            print("\(rounds) rounds of keys, \(kills) plug-ins killed")
            #expect(!bench.exists("after"), "the screen ended after \(rounds) rounds")
            try terminal.resize(columns: 80, rows: 24)
            // Whatever is open or half typed: Escape twice, and the screen can be left.
            try terminal.send(Array("\u{1B}[201~".utf8))
            try terminal.press("Escape")
            usleep(200_000)
            try terminal.press("Escape")
            usleep(200_000)
            try terminal.press("C-c")
            #expect(terminal.awaitEnd() == "0")
            try terminal.expectRestored(showing: [])
            #expect(try bench.run("ctl", "status").status == 0, "the host has ended")
            terminal.close()
            host.send(SIGINT)
            host.wait(seconds: 10).expectSuccess()
            let report = try bench.report()
            #expect(
                report.ownMisses == 0 && report.cycles > 300, "\(report.ownMisses) of \(report.cycles) cycles missed")
        }
    }
}

/// Keys of a user who presses anything, but does not leave.
private struct RandomKeys {
    var random = Seed()

    mutating func number(_ bound: Int) -> Int { .random(in: 0..<bound, using: &random) }

    mutating func keys() -> [UInt8] {
        (0..<1 + number(6)).flatMap { _ -> [UInt8] in
            switch number(6) {
            case 0: [UInt8(0x20 + number(0x5F))].filter { $0 != UInt8(ascii: "q") }
            case 1: Array("apscbul<>?/\t\r \u{7F}0-9".utf8)[number(16)...].prefix(1).map { $0 }
            case 2: Array("\u{1B}[\(["A", "B", "C", "D", "H", "F", "3~", "5~", "6~", "1;2C", "1;2D", "Z"][number(12)])".utf8)
            case 3:
                Array(
                    "\u{1B}[<\([0, 32, 64, 65][number(4)]);\(1 + number(200));\(1 + number(60))\(number(2) == 0 ? "M" : "m")".utf8)
            case 4: [0x1B]
            default: [UInt8(128 + number(128)), 0x12, UInt8(0x20 + number(0x5F))].filter { $0 != UInt8(ascii: "q") }
            }
        }
    }
}

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
                #expect(terminal.awaits("Reverb", isThere: false, seconds: 3), "signal \(number)")
                // A shell says how its command was killed.
                let lines = try terminal.text().split(separator: "\n").map(String.init)
                #expect(lines.count <= 2)
                try terminal.expectRestored(showing: lines, isKilled: !isHost && [SIGKILL, SIGSEGV].contains(number))
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

        @Test func controlZGivesTheTerminalBackAndFgTakesItAgain() throws {
            let bench = try Workbench()
            let host = try play(bench)
            defer { host.send(SIGINT) }
            let terminal = try TmuxTerminal(bench, "bash --norc --noprofile -i")
            try terminal.type("PS1='prompt> '; \(RunningCommand.executable) attach\n")
            #expect(terminal.awaits("● 2 Reverb"))
            try terminal.press("C-z")
            #expect(terminal.awaits("Stopped") && terminal.awaits("● 2 Reverb", isThere: false))
            #expect(try eventually(within: 3) { try terminal.modes() == TmuxTerminal.usualModes })
            try terminal.type("stty -a | grep -c ' echo '\n")
            #expect(terminal.awaits("\n1\n"))
            try terminal.type("fg\n")
            #expect(terminal.awaits("● 2 Reverb"))
            try terminal.type("q")
            #expect(terminal.awaits("● 2 Reverb", isThere: false))
            try terminal.type("exit\n")
            #expect(terminal.awaitEnd() == "0" && bench.bytes("before") == bench.bytes("after"))
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

        @Test func ofSeveralHostsOneIsChosenFromAListThatFollowsThem() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let hosts = try ["Gain", "Reverb"].map { effect in
                let host = try bench.start("play", "in.wav", "--driver", "null", "--loop", "-e", effect)
                try #require(eventually(within: 20) { (try? bench.run("ctl", "hosts").output.contains("play\n")) == true })
                return host
            }
            defer { for host in hosts { host.send(SIGINT) } }
            try #require(eventually(within: 20) { (try? bench.run("ctl", "hosts").output) == "play\nplay-2\n" })
            var terminal = try TmuxTerminal(bench, "bulkhead attach")
            #expect(terminal.awaits("Show which host?") && terminal.awaits("2  play-2") && terminal.awaits("Reverb"))
            let other = try bench.start("play", "in.wav", "--driver", "null", "--loop", "-e", "Delay")
            #expect(terminal.awaits("3  play-3") && terminal.awaits("Delay"))
            other.send(SIGINT)
            #expect(terminal.awaits("play-3", isThere: false))
            try terminal.press("Down", "Enter")
            #expect(terminal.awaits("● 1 Reverb"))
            try terminal.type("q")
            #expect(terminal.awaitEnd() == "0")
            try terminal.expectRestored(showing: [])

            terminal = try TmuxTerminal(bench, "bulkhead")
            #expect(terminal.awaits("Show which host?"))
            try terminal.type("1")
            #expect(terminal.awaits("● 1 Gain"))
            try terminal.type("q")
            #expect(terminal.awaitEnd() == "0")
            for key in ["Escape", "q", "C-c"] {
                terminal = try TmuxTerminal(bench, "bulkhead attach")
                #expect(terminal.awaits("2  play-2"))
                try terminal.press(key)
                #expect(terminal.awaitEnd() == "0", "\(key)")
                try terminal.expectRestored(showing: [])
            }
            // Scripts get a sentence.
            let sentence = "\"play\" and \"play-2\" play; say which one with bulkhead attach NAME."
            let refused = try bench.run("attach")
            #expect(refused.status == 1 && refused.errors.contains(sentence), "\(refused.errors)")
            terminal = try TmuxTerminal(bench, "bulkhead attach --plain", columns: 120)
            #expect(terminal.awaits(sentence) && terminal.awaitEnd() == "1")
        }

        @Test func aClickOnALeaveHintLeaves() throws {
            let bench = try Workbench()
            let host = try play(bench)
            defer { host.send(SIGINT) }
            let terminal = try TmuxTerminal(bench, "bulkhead attach")
            #expect(terminal.awaits("● 2 Reverb") && terminal.awaits("q leave"))
            try terminal.send(Array("\u{1B}[<0;77;24M".utf8))
            #expect(terminal.awaitEnd() == "0")
            try terminal.expectRestored(showing: [])
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

        // Measures for four seconds. Optimised it takes less than three percent of a processor; a build for debugging takes several times that.
        @Test func theScreenTakesLittleOfAProcessor() throws {
            let bench = try Workbench()
            let host = try play(bench, "-e", "Delay", "-e", "Filter", "-e", "Equalizer")
            defer { host.send(SIGINT) }
            let terminal = try TmuxTerminal(bench, "bulkhead attach", columns: 200, rows: 60)
            #expect(terminal.awaits("● 5 Equalizer"))
            let screen = try process("attach", of: bench)
            let start = try ProcessTable.processorSeconds(of: screen)
            sleep(4)
            let seconds = try ProcessTable.processorSeconds(of: screen) - start
            #expect(seconds < 0.4, "\(seconds) s of 4")
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The screen of a host on another machine: over ssh, on lines of any speed, and when the line is cut. Test thread.

import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite(.enabled(if: SSHServer.obstacle == nil, "\(SSHServer.obstacle ?? "")")) struct SSHTests {
        private func play(_ bench: Workbench, swelling: Bool = false) throws -> RunningCommand {
            let samples = (0..<144_000).map { index -> Float in
                let seconds = Double(index) / 48_000
                return Float(sin(2 * .pi * 440 * seconds) * (swelling ? sin(.pi * seconds) / 2 : 0.25))
            }
            try bench.writeSamples("in.wav", samples)
            let host = try bench.start("play", "in.wav", "--driver", "null", "--loop", "-e", "Gain", "-e", "Reverb")
            try #require(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
            return host
        }

        /// A line of a shell that logs in and shows the host.
        ///
        /// The files "there-before" and "there-after" then have the settings of the terminal there.
        private func line(port: UInt16? = nil, environment: String = "") -> String {
            let login = "ssh -F ssh/client \(port.map { "-p \($0)" } ?? "") -tt bench"
            let remote = "cd; stty -g > there-before; bulkhead attach; ended=$?; stty -g > there-after; exit $ended"
            return "\(environment) \(login) '\(remote)'"
        }

        /// What the screen shows, without what changes from moment to moment: numbers and bars, and what was logged since it opened.
        private func shape(_ text: String) -> [String] {
            let moving = Set("█▉▊▋▌▍▎▏·│|#=-.0123456789")
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let log = lines.firstIndex { $0.contains(" Log ") } ?? lines.count
            return lines.enumerated().map { row, line in
                // The last line but one has the last message. Behind the last line there is an empty one.
                if row == lines.count - 3 { return "" }
                let told = row > log ? line.prefix { $0 != "│" } : line
                return told.filter { !moving.contains($0) }.split(separator: " ").joined(separator: " ")
            }
        }

        private func expectTheSame(_ terminal: TmuxTerminal, as local: TmuxTerminal, _ comment: Comment? = nil) throws {
            let isSame = try eventually(within: 10) { try shape(terminal.text()) == shape(local.text()) }
            let (there, here) = (try terminal.text(), try local.text())
            #expect(isSame, "\(comment?.rawValue ?? "")\n\(there)\nand here:\n\(here)")
        }

        private func expectLeft(_ terminal: TmuxTerminal, _ bench: Workbench, seconds: Double = 10) throws {
            #expect(terminal.awaitEnd(seconds: seconds) == "0")
            try terminal.expectRestored(showing: [])
            #expect(!bench.bytes("there-before").isEmpty && bench.bytes("there-before") == bench.bytes("there-after"))
            for name in ["there-before", "there-after"] { try FileManager.default.removeItem(atPath: bench.path(name)) }
        }

        /// The processes of the command itself: hosts, screens, and what sets their terminals right.
        private func commands(_ bench: Workbench) -> [String] {
            ProcessTable.names(withHome: bench.folder).filter { $0.hasPrefix("\(RunningCommand.executable) (") }
        }

        @Test(arguments: [(80, 24), (200, 60)])
        func theScreenIsThatOfALocalTerminalAndFollowsKeysMouseAndSize(columns: Int, rows: Int) throws {
            let bench = try Workbench()
            let host = try play(bench)
            let server = try SSHServer(bench)
            defer { withExtendedLifetime(server) {} }
            let here = try Workbench(adding: ["XDG_RUNTIME_DIR": bench.folder])
            let local = try TmuxTerminal(here, "bulkhead attach", columns: columns, rows: rows)
            let terminal = try TmuxTerminal(bench, line(), columns: columns, rows: rows)
            #expect(terminal.awaits("● 2 Reverb") && terminal.awaits("▸Gain") && local.awaits("▸Gain"))
            try expectTheSame(terminal, as: local)
            #expect(try terminal.text(hasColors: true).contains("\u{1B}[32m"))

            try terminal.press("Tab", "Right")
            #expect(try eventually(within: 5) { try bench.run("ctl", "get", "Gain.gain").output == "Gain.gain = 2.4 dB\n" })
            #expect(terminal.awaits("2.4 dB") && local.awaits("2.4 dB"))
            // The last cell of the slider is its highest value.
            let lines = try terminal.text().split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
            let row = try #require(lines.firstIndex { String($0).contains("▸Gain") })
            let column = try #require(lines[row].lastIndex { "█·".contains($0) })
            for letter in "Mm" { try terminal.send(Array("\u{1B}[<0;\(column + 1);\(row + 1)\(letter)".utf8)) }
            #expect(try eventually(within: 5) { try bench.run("ctl", "get", "Gain.gain").output == "Gain.gain = 24 dB\n" })
            #expect(terminal.awaits("24 dB"))

            try local.press("Tab")
            for each in [terminal, local] { try each.resize(columns: 120, rows: 40) }
            #expect(terminal.awaits("Scenes") && local.awaits("Scenes"))
            try expectTheSame(terminal, as: local, "after another size")
            try terminal.type("q")
            try expectLeft(terminal, bench)
            // The music plays on.
            #expect(try bench.run("ctl", "status").status == 0)
            for each in [terminal, local] { each.close() }
            host.send(SIGINT)
            host.wait(seconds: 10).expectSuccess()
        }

        @Test func whatIsCutEndsTheScreenAndNotTheMusic() throws {
            let bench = try Workbench()
            let host = try play(bench)
            let server = try SSHServer(bench)
            for cutsClient in [true, false] {
                let terminal = try TmuxTerminal(bench, line())
                #expect(terminal.awaits("● 2 Reverb"))
                // The host, the screen, and what sets the terminal right.
                #expect(eventually(within: 5) { commands(bench).count == 3 }, "\(commands(bench))")
                let client = [ProcessTable.identifier(ofProgram: "/ssh", home: bench.folder)].compactMap(\.self)
                let cut = cutsClient ? client : server.session
                #expect(!cut.isEmpty)
                for process in cut { kill(process, SIGKILL) }
                #expect(eventually(within: 5) { commands(bench).count == 1 }, "\(commands(bench))")
                #expect(try bench.run("ctl", "status").status == 0)
                terminal.close()
            }
            host.send(SIGINT)
            host.wait(seconds: 10).expectSuccess()
        }

        @Test func wordsOfTheEnvironmentThatAreSentAreHeeded() throws {
            let bench = try Workbench()
            let host = try play(bench)
            defer { host.send(SIGINT) }
            let server = try SSHServer(bench)
            defer { withExtendedLifetime(server) {} }
            let terminal = try TmuxTerminal(bench, line(), adding: ["LC_ALL": "C", "NO_COLOR": "1"])
            #expect(terminal.awaits("* 2 Reverb") && terminal.awaits("0 dB"))
            let shown = try terminal.text(hasColors: true)
            #expect(shown.utf8.allSatisfy { $0 < 0x80 } && !shown.contains("[32m") && shown.contains("[7m"))
            try terminal.type("q")
            try expectLeft(terminal, bench)
        }

        @Test func eachKindOfTerminalIsServedWithoutAStrayByteOrRefused() throws {
            let bench = try Workbench()
            let host = try play(bench)
            defer { host.send(SIGINT) }
            let server = try SSHServer(bench)
            defer { withExtendedLifetime(server) {} }
            let here = try Workbench(adding: ["XDG_RUNTIME_DIR": bench.folder])
            let local = try TmuxTerminal(here, "bulkhead attach")
            #expect(local.awaits("▸Gain"))
            for kind in ["xterm-256color", "screen", "vt100", "linux"] {
                let terminal = try TmuxTerminal(bench, line(environment: "TERM=\(kind)"))
                #expect(terminal.awaits("● 2 Reverb") && terminal.awaits("▸Gain"), "\(kind)")
                try expectTheSame(terminal, as: local, "\(kind)")
                try terminal.type("q")
                try expectLeft(terminal, bench)
            }
            let dumb = try TmuxTerminal(bench, line(environment: "TERM=dumb"))
            #expect(dumb.awaits("\"dumb\" cannot place its cursor") && dumb.awaitEnd() == "1")
        }

        // Looks at a line of 9600 bits a second, for half a minute.
        @Test func aSlowLineShowsWhatAKeyHasDoneAtOnce() throws {
            let bench = try Workbench()
            let host = try play(bench, swelling: true)
            defer { host.send(SIGINT) }
            let server = try SSHServer(bench)
            let slow = try SlowLine(to: server.port, bytesPerSecond: 1200)
            let terminal = try TmuxTerminal(bench, line(port: slow.port))
            #expect(terminal.awaits("▸Gain", seconds: 30) && terminal.awaits("q leave", seconds: 10))
            // The meters of a tone that comes and goes fill the line.
            let (carriedCount, start) = (slow.carriedCount, ContinuousClock.now)
            sleep(5)
            let share = Double(slow.carriedCount - carriedCount) / 1200 / ((ContinuousClock.now - start) / .seconds(1))
            #expect(share > 0.2 && share < 1.1, "the line is filled to \(share)")
            try terminal.press("Tab")
            var waits: [Duration] = []
            for step in 1...5 {
                let press = ContinuousClock.now
                try terminal.press("Right")
                let text = ["2.4", "4.8", "7.2", "9.6", "12"][step - 1] + " dB"
                #expect(terminal.awaits(text, seconds: 2), "\(text)")
                waits.append(.now - press)
                sleep(2)
            }
            // Frames that wait in the line would make it many seconds.
            #expect(waits.sorted()[2] < .seconds(4), "\(waits)")
            try terminal.type("q")
            try expectLeft(terminal, bench, seconds: 5)
        }
    }
}

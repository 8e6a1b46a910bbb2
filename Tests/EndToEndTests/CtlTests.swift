// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead ctl against a host that plays: what it says, what is heard, and what is refused. Test thread.

import Foundation
import TestSupport
import Testing

extension Commands {
    @Suite struct CtlTests {
        /// A host that plays a tone through a Gain and a Reverb, and a folder for its socket.
        private func play(_ words: String...) throws -> (bench: Workbench, host: RunningCommand) {
            let bench = try Workbench()
            try bench.writeTone()
            let host = try bench.start(
                ["play", "in.wav", "--driver", "null", "--loop", "-e", "Gain", "-e", "Reverb", "--set", "mix=0"] + words)
            try #require(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
            return (bench, host)
        }

        @Test func aHostIsAskedAndChangedWhileItPlays() throws {
            let (bench, host) = try play()
            let status = try bench.run("ctl", "status")
            #expect(status.output.contains("Gain") && status.output.contains("Reverb → main"))
            let set = try bench.run("ctl", "set", "Gain.gain=-6.1", "Reverb.mix=20")
            #expect(set.output == "Gain.gain = -6.1 dB\nReverb.mix = 20 %\n")
            #expect(try bench.run("ctl", "add", "Delay", "--before", "Reverb", "--id", "Echo").output == "Added \"Echo\".\n")
            #expect(try bench.run("ctl", "move", "Echo", "--after", "Reverb").status == 0)
            #expect(try bench.run("ctl", "bypass", "Echo", "on").output == "Echo is bypassed.\n")
            #expect(try bench.run("ctl", "save-scene", "Verse").status == 0)
            #expect(try bench.run("ctl", "remove", "Echo").status == 0)
            #expect(try bench.run("ctl", "undo").output == "Undid: remove Echo\n")
            #expect(try bench.run("ctl", "scene", "Verse").status == 0)
            #expect(try bench.run("ctl", "scenes").output == "1  Verse  (plays)\n")
            let json = try bench.run("ctl", "get", "Gain.gain", "--json")
            #expect(json.output == #"{"path":"Gain.gain","text":"-6.1 dB","value":-6.1}"# + "\n")
            #expect(try bench.run("ctl", "stop").status == 0)
            host.wait(seconds: 10).expectSuccess()
            try bench.run("ctl", "status").expectComplaint(status: 1, "No host plays")
        }

        @Test func aMeterIsListedAsWhatCannotBeSet() throws {
            let bench = try Workbench(adding: ["BULKHEAD_PATH": Build.testPluginFolder])
            try bench.writeTone()
            let host = try bench.start("play", "in.wav", "--driver", "null", "--loop", "-e", "Painter")
            try #require(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
            defer { host.send(SIGINT) }
            let told = try bench.run("ctl", "parameters", "Painter", "--json").output
            let rows = try #require(try JSONSerialization.jsonObject(with: Data(told.utf8)) as? [[String: Any]])
            let fixed = rows.filter { $0["isReadOnly"] as? Bool == true }.compactMap { $0["path"] as? String }
            #expect(rows.count == 3 && fixed == ["Painter.peak"])
            let refused = try bench.run("ctl", "set", "Painter.peak=0.5")
            #expect(refused.status == 1 && refused.errors.contains("peak"), "\(refused.errors)")
        }

        @Test func whatIsRefusedIsSaidInASentence() throws {
            let (bench, host) = try play()
            defer { host.send(SIGINT) }
            let refusals: [(words: [String], status: Int32, reason: String)] = [
                (["set", "Gain.gian=3"], 1, "Did you mean gain?"), (["set", "Gain.gain=300"], 1, "300"),
                (["set", "Gain.gain=nan"], 1, "\"nan\""), (["set", "main.volume=inf"], 1, "takes a number from"),
                (["set", "gain"], 2, "PATH=VALUE"), (["add", "Nonsense"], 1, "There is no plug-in"),
                (["remove", "main"], 1, "stays"),
                (["scene", "Verse"], 1, "There are none yet"), (["undo"], 1, "nothing to undo"),
                (["status", "--name", "nobody"], 1, "No host is called"), (["bypass", "Gain", "maybe"], 2, "on or off"),
                (["connect", "Gain"], 2, "FROM TO"), (["call", "nothing"], 1, "no method"),
                (["watch", "weather"], 1, "Topics are meters"),
            ]
            for (words, status, reason) in refusals {
                let outcome = try bench.run(["ctl"] + words)
                #expect(outcome.status == status && outcome.errors.contains(reason), "\(words): \(outcome.errors)")
            }
        }

        @Test func theSessionIsBackWithItsScenesAfterItsHostWasKilled() throws {
            let (bench, host) = try play()
            #expect(try bench.run("ctl", "save-scene", "Verse").status == 0)
            #expect(try bench.run("ctl", "add", "Delay").status == 0)
            #expect(try bench.run("ctl", "set", "Delay.mix=77").status == 0)
            let file = ".local/state/bulkhead/play.json"
            #expect(eventually(within: 10) { String(decoding: bench.bytes(file), as: UTF8.self).contains("\"mix\" : 77") })
            host.send(SIGKILL)
            _ = host.wait(seconds: 5)
            let again = try bench.start(["play", "in.wav", "--driver", "null", "--loop", "--resume"])
            #expect(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
            #expect(try bench.run("ctl", "get", "Delay.mix").output == "Delay.mix = 77 %\n")
            #expect(try bench.run("ctl", "scenes").output.contains("Verse"))
            again.send(SIGINT)
            again.wait(seconds: 10).expectSuccess()
        }

        @Test func theSchemaIsTheOneOfTheManual() throws {
            let bench = try Workbench()
            let printed = try bench.run("ctl", "schema")
            printed.expectSuccess()
            let path = FilePath.folder(of: #filePath) + "/../../Host/Manual/control.schema.json"
            #expect(printed.output == (try String(contentsOfFile: path, encoding: .utf8)))
        }

        private enum FilePath {
            static func folder(of path: String) -> String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }
        }
    }
}

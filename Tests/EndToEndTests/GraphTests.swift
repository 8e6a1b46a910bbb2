// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead graph: rendered, played, checked and shown as the file says, and refused by name where it cannot be.

import Foundation
import Testing

extension Commands {
    @Suite struct GraphTests {
        private static let nodes = """
            {"id": "drums", "kind": "player", "volume": 0.5, "files": [{"path": "sounds/drums.wav", "repeats": 2}]},
            {"id": "pad", "kind": "player", "pan": -0.3, "files": [{"path": "sounds/pad.wav", "at": 0.05}]},
            {"id": "bus", "kind": "mixer"},
            {"id": "room", "kind": "unit", "unit": {"id": "Reverb", "parameters": {"mix": 30}}}
            """
        private static let connections = """
            {"from": "drums", "to": "bus"}, {"from": "pad", "to": "bus", "volume": 0.7}, {"from": "bus", "to": "room"},
            {"from": "room", "to": "main"}
            """

        private static func document(_ nodes: String = nodes, _ connections: String = connections, more: String = "") -> String {
            "{\"bulkheadGraph\": 1, \"nodes\": [\(nodes)], \"connections\": [\(connections)]\(more)}"
        }

        /// A folder with the sounds of the graph, and the graph in `song.json`.
        private func bench(_ text: String = document()) throws -> Workbench {
            let plugins = URL(fileURLWithPath: RunningCommand.executable).deletingLastPathComponent()
                .appendingPathComponent("TestPlugins").path
            let bench = try Workbench(adding: ["BULKHEAD_PATH": plugins])
            try FileManager.default.createDirectory(atPath: bench.path("graphs/sounds"), withIntermediateDirectories: true)
            try bench.writeTone("graphs/sounds/drums.wav", frames: 6000)
            try bench.writeTone("graphs/sounds/pad.wav", channels: 1, rate: 44_100, frames: 8820)
            try bench.write("graphs/song.json", Array(text.utf8))
            return bench
        }

        @Test func aGraphIsRenderedWithAllItsSounds() throws {
            let bench = try bench()
            try bench.run("graph", "render", "graphs/song.json", "out.wav", "--report", "report.json").expectSuccess()
            let sound = try bench.load("out.wav")
            // 12,000 frames of drums, and the tail of the reverb.
            #expect(sound.frameCount > 20_000 && sound.channelCount == 2 && sound.sampleRate == 48_000)
            #expect(sound.peak(ofChannel: 0) > 0.1 && sound.peak(ofChannel: 0) != sound.peak(ofChannel: 1))
            #expect(try bench.report().units.map(\.id) == ["aufx:rvrb:blkh"])
            try bench.run("graph", "render", "graphs/song.json", "again.wav", "--block-size", "100", "--serial").expectSuccess()
            let again = try bench.load("again.wav")
            for channel in 0..<2 { #expect(again[channel].elementsEqual(sound[channel])) }
        }

        /// A graph with an input bus "key" of two channels that is heard, and "spare", which leads nowhere.
        private static let busDocument = """
            {"bulkheadGraph": 1, "inputBuses": [{"name": "key"}, {"name": "spare", "channels": 1}], "nodes": [{"id": "mic", "kind": "input"}],
             "connections": [{"from": "mic:1", "to": "main"}]}
            """

        @Test func aFileIsPlayedIntoAFurtherBusOfTheInput() throws {
            let bench = try bench(Self.busDocument)
            try bench.writeTone("key.wav", frames: 5000)
            try bench.writeTone("mono.wav", channels: 1, frames: 3000)
            let outcome = try bench.run("graph", "render", "graphs/song.json", "out.wav", "--input-bus", "key=key.wav")
            #expect(outcome.status == 0 && outcome.errors.contains("The input bus \"spare\""), "\(outcome.errors)")
            let (sound, source) = (try bench.load("out.wav"), try bench.load("key.wav"))
            #expect(sound.frameCount == 5000 && sound.peak(ofChannel: 0) > 0.1)
            for channel in 0..<2 { #expect(sound[channel].dropFirst(1000).elementsEqual(source[channel].dropFirst(1000))) }
            // One channel goes to both.
            _ = try bench.run("graph", "render", "graphs/song.json", "mono-out.wav", "--input-bus", "key=mono.wav")
            let both = try bench.load("mono-out.wav")
            #expect(both.frameCount == 3000 && both.peak(ofChannel: 1) > 0.1 && both[0].elementsEqual(both[1]))
        }

        @Test func aBusWithoutItsFileAndAFileWithoutItsBusAreRefused() throws {
            let bench = try bench(Self.busDocument)
            try bench.writeTone("key.wav", frames: 500)
            try bench.writeTone("slow.wav", channels: 1, rate: 44_100, frames: 500)
            try bench.writeTone("three.wav", channels: 3, frames: 500)
            let render = ["graph", "render", "graphs/song.json", "no.wav"]
            try bench.run(render).expectComplaint(status: 1, "the input bus \"key\"", "--input-bus key=FILE")
            try bench.run(render + ["--input-bus", "pad=key.wav"]).expectComplaint(status: 1, "it has \"key\", \"spare\"")
            try bench.run(render + ["--input-bus", "key=key.wav", "--input-bus", "key=key.wav"]).expectComplaint(
                status: 1, "\"key\" has two files")
            try bench.run(render + ["--input-bus", "key=three.wav"]).expectComplaint(status: 1, "has 3 channels")
            try bench.run(render + ["--input-bus", "key=key.wav", "--input-bus", "spare=slow.wav"]).expectComplaint(
                status: 1, "44100.0 Hz")
            #expect(!bench.exists("no.wav"))
        }

        @Test func aFurtherBusOfTheOutputIsWrittenIntoAFileOfItsOwn() throws {
            let more = #", "outputBuses": [{"name": "spare", "channels": 1}, {"name": "wet"}]"#
            let connections = """
                {"from": "drums", "to": "bus"}, {"from": "pad", "to": "room"}, {"from": "bus", "to": "main"}, {"from": "room", "to": "output:2"}
                """
            let nodes = Self.nodes.replacingOccurrences(of: "\"pan\": -0.3, ", with: "")
            let bench = try bench(Self.document(nodes, connections, more: more))
            try bench.run("graph", "check", "graphs/song.json").expectSuccess()
            let render = ["graph", "render", "graphs/song.json", "out.wav"]
            let outcome = try bench.run(render + ["--output-bus", "wet=wet.wav"])
            #expect(
                outcome.status == 0 && outcome.errors.contains("Nothing leads to the output bus \"spare\""), "\(outcome.errors)")
            let (main, wet) = (try bench.load("out.wav"), try bench.load("wet.wav"))
            // The reverb rings on by the second file, when the drums of the first one are over.
            #expect(main.frameCount == wet.frameCount && main.frameCount > 20_000 && wet.channelCount == 2)
            #expect(main[0].dropFirst(12_000).allSatisfy { $0 == 0 } && main.peak(ofChannel: 0) > 0.1)
            #expect(wet[0].dropFirst(14_000).contains { abs($0) > 0.001 })
            try bench.run(["graph", "render", "graphs/song.json", "no.wav"]).expectComplaint(
                status: 1, "the output bus \"wet\"", "--output-bus wet=FILE")
            try bench.run(render + ["--output-bus", "dry=wet.wav"]).expectComplaint(status: 1, "it has \"spare\", \"wet\"")
            try bench.run(["graph", "render", "graphs/song.json", "no.wav", "--output-bus", "wet=no.wav"]).expectComplaint(
                status: 2, "would be written twice")
            try bench.run("graph", "play", "graphs/song.json", "--driver", "null").expectComplaint(status: 1, "no further outputs")
            // A name with an "=" hides no file that is read.
            let document = String(decoding: bench.bytes("graphs/song.json"), as: UTF8.self).replacing("\"wet\"", with: "\"w=t\"")
            try bench.write("graphs/song.json", Array(document.utf8))
            try bench.run(["graph", "render", "graphs/song.json", "no.wav", "--output-bus", "w=t=graphs/song.json"])
                .expectComplaint(
                    status: 2, "read and written")
            #expect(bench.bytes("graphs/song.json").elementsEqual(document.utf8))
            #expect(!bench.exists("no.wav"))
        }

        @Test func aFileThatIsCutShortIsSaidAndNothingIsWritten() throws {
            let bench = try bench(Self.document(Self.nodes.replacingOccurrences(of: "drums.wav", with: "torn.flac")))
            try bench.writeTone("whole.flac", frames: 480_000)
            try bench.write(
                "graphs/sounds/torn.flac", Array(bench.bytes("whole.flac").dropLast(bench.bytes("whole.flac").count / 2)))
            try bench.run("graph", "render", "graphs/song.json", "out.wav").expectComplaint(
                status: 1, "The node \"drums\" cannot play", "torn.flac")
            #expect(!bench.exists("out.wav"))
        }

        @Test func theLengthOfTheGraphIsThatOfTheFile() throws {
            let bench = try bench(Self.document(more: ", \"length\": 0.3, \"sampleRate\": 44100, \"channels\": 1"))
            try bench.run("graph", "render", "graphs/song.json", "out.flac").expectSuccess()
            let sound = try bench.load("out.flac")
            #expect(sound.frameCount == 13_230 && sound.channelCount == 1 && sound.sampleRate == 44_100)
        }

        @Test func aSavedChainIsAGraphThatSoundsTheSameBitForBit() throws {
            let bench = try bench()
            try bench.writeTone(frames: 9600)
            try bench.run("chain", "save", "mine.json", "-e", "Gain", "--set", "gain=-6.1", "-e", "Reverb").expectSuccess()
            try bench.run("graph", "render", "mine.json", "graph.wav", "--input", "in.wav").expectSuccess()
            try bench.run("render", "in.wav", "chain.wav", "--chain", "./mine.json").expectSuccess()
            #expect(bench.bytes("graph.wav") == bench.bytes("chain.wav") && bench.bytes("graph.wav").count > 9600 * 4)
            try bench.run("graph", "render", "mine.json", "no.wav").expectComplaint(status: 1, "has an input", "--input IN")
            try bench.run("graph", "render", "graphs/song.json", "no.wav", "--input", "in.wav").expectComplaint(
                status: 1, "leave --input out")
            #expect(!bench.exists("no.wav"))
        }

        @Test func aGraphIsPlayedToItsEnd() throws {
            let bench = try bench(Self.document(more: ", \"length\": 0.3"))
            let played = try bench.run("graph", "play", "graphs/song.json", "--driver", "null")
            played.expectSuccess()
            #expect(played.output == "Playing song.json\n")
            let whole = try self.bench()
            try whole.run("graph", "play", "graphs/song.json", "--driver", "null", "--duration", "0.2").expectSuccess()
        }

        @Test func aGraphIsChecked() throws {
            let bench = try bench(Self.document(Self.nodes + ", {\"id\": \"idle\", \"kind\": \"mixer\"}"))
            let checked = try bench.run("graph", "check", "graphs/song.json")
            checked.expectSuccess()
            let counts = "fine: 5 nodes (2 players, 2 mixers, 1 unit), 4 connections, 0.25 s\n"
            #expect(checked.output == counts + "\"idle\" leads nowhere: it is not heard.\n")
            let rendered = try bench.run("graph", "render", "graphs/song.json", "out.wav")
            #expect(rendered.status == 0 && rendered.errors.contains("\"idle\" leads nowhere: it is not heard."))
            let played = try bench.run("graph", "play", "graphs/song.json", "--driver", "null", "--duration", "0.1", "--plain")
            #expect((played.output + played.errors).contains("\"idle\" leads nowhere: it is not heard."))
        }

        @Test func allThatIsWrongIsSaid() throws {
            let bench = try bench(
                Self.document(Self.nodes, "{\"from\": \"drums\", \"to\": \"no\"}, {\"from\": \"missing\", \"to\": \"bus\"}"))
            let checked = try bench.run("graph", "check", "graphs/song.json")
            #expect(checked.status == 1 && checked.output.isEmpty)
            #expect(checked.errors.contains("names the node \"no\"") && checked.errors.contains("names the node \"missing\""))
        }

        @Test func aGraphIsShownInTheOrderOfItsSound() throws {
            let bench = try bench()
            let shown = try bench.run("graph", "show", "graphs/song.json")
            shown.expectSuccess()
            let wanted = """
                song.json: 4 nodes (2 players, 1 mixer, 1 unit), 4 connections

                drums   player, volume 0.5
                  sounds/drums.wav, 2 times
                  → bus

                pad     player, pan -0.3
                  sounds/pad.wav, at 0.05 s
                  → bus, volume 0.7

                bus     mixer
                  → room

                room    unit  Reverb
                  → main

                main
                  → output

                output

                """
            #expect(shown.output == wanted)
            let json = try bench.run("graph", "show", "graphs/song.json", "--json")
            try bench.write("graphs/copy.json", Array(json.output.utf8))
            for (file, out) in [("song", "a.wav"), ("copy", "b.wav")] {
                try bench.run("graph", "render", "graphs/\(file).json", out).expectSuccess()
            }
            #expect(bench.bytes("a.wav") == bench.bytes("b.wav"))
        }

        @Test func aRoomIsShownAndRenderedToItsEnd() throws {
            let json = """
                {"bulkheadGraph": 1, "nodes": [
                {"id": "drums", "kind": "player", "files": [{"path": "sounds/drums.wav"}], "position": [0, 0, -1], "reverbBlend": 0.5},
                {"id": "space", "kind": "environment", "reverb":
                {"preset": "cathedral", "level": 3, "filter": {"type": "highPass", "frequency": 200}}}],
                "connections": [{"from": "drums", "to": "space"}, {"from": "space", "to": "main"}]}
                """
            let bench = try bench(json)
            let shown = try bench.run("graph", "show", "graphs/song.json")
            shown.expectSuccess()
            #expect(shown.output.contains("player, at 0, 0, -1 m, reverb blend 0.5\n"))
            #expect(shown.output.contains("\n  reverb cathedral, 3 dB, highPass at 200 Hz\n"))
            try bench.run("graph", "render", "graphs/song.json", "out.wav").expectSuccess()
            let (dry, heard) = (try bench.load("graphs/sounds/drums.wav"), try bench.load("out.wav"))
            // A cathedral sounds for seconds.
            #expect(heard.frameCount > dry.frameCount + 48_000, "\(heard.frameCount)")
        }

        /// 100 m are 0.29 s, so nothing but silence is in a file that ends with its source.
        @Test func soundThatIsUnderWayIsRenderedToItsEnd() throws {
            let json = """
                {"bulkheadGraph": 1, "nodes": [
                {"id": "drums", "kind": "player", "files": [{"path": "sounds/pad.wav"}], "position": [0, 0, -100]},
                {"id": "space", "kind": "environment", "doppler": true, "distance": {"rolloff": 0}}],
                "connections": [{"from": "drums", "to": "space"}, {"from": "space", "to": "main"}]}
                """
            let bench = try bench(json)
            try bench.run("graph", "render", "graphs/song.json", "out.wav").expectSuccess()
            let heard = try bench.load("out.wav")
            // At the rate of the file, 44.1 kHz.
            let (travel, length) = (12_850, 8820)
            #expect((length + travel - 64...length + travel + 256).contains(heard.frameCount), "\(heard.frameCount)")
            let loud = (0..<heard.frameCount).filter { abs(heard[0][$0]) > 0.01 }
            let (first, last) = (try #require(loud.first), try #require(loud.last))
            #expect(abs(first - travel) < 100 && abs(last - travel - length) < 200, "\(first)...\(last)")
        }

        @Test func hostileNamesAreDrawnAsText() throws {
            let name = "<script>&\\\"" + String(repeating: "long", count: 40)
            let bench = try bench(
                Self.document("{\"id\": \"\(name)\", \"kind\": \"mixer\"}", "{\"from\": \"\(name)\", \"to\": \"main\"}"))
            try bench.run("graph", "show", "graphs/song.json", "--svg", "song.svg").expectSuccess()
            let picture = String(decoding: bench.bytes("song.svg"), as: UTF8.self)
            #expect(picture.hasPrefix("<svg ") && picture.hasSuffix("</svg>\n") && !picture.contains("<script"))
            #expect(picture.contains("&lt;script&gt;&amp;&quot;long"))
            // Nothing but what the host writes begins with an angle bracket.
            let tags = picture.split(separator: "<").dropFirst().map { $0.prefix { $0.isLetter || $0 == "/" } }
            #expect(Set(tags).isSubset(of: ["svg", "title", "/title", "style", "/style", "path", "rect", "text", "/text", "/svg"]))
            let shown = try bench.run("graph", "show", "graphs/song.json")
            shown.expectSuccess()
            for line in shown.output.split(separator: "\n") { #expect(line.count <= 80) }
        }

        private static let files: [(text: String, reason: String)] = [
            ("{\"bulkheadGraph\": 1, \"no", "\"graphs/song.json\": This is not a graph of Bulkhead: it is not JSON, or cut short."),
            ("{\"train\": 1}", "This is not a graph of Bulkhead: \"bulkheadGraph\" is missing."),
            ("{\"bulkheadGraph\": 2}", "made by a newer Bulkhead"),
            ("", "Couldn't read the graph \"graphs/song.json\": it is empty."),
            (
                document(nodes.replacingOccurrences(of: "\"Reverb\"", with: "\"Nope\"")),
                "\"room\" cannot be made: There is no plug-in \"Nope\"."
            ),
            (document(nodes.replacingOccurrences(of: "pad.wav", with: "gone.wav")), "The node \"pad\" cannot play"),
            (document(nodes.replacingOccurrences(of: "\"pan\": -0.3", with: "\"pan\": 1e300")), "The node \"pad\" is malformed"),
            (
                document(nodes, connections.replacingOccurrences(of: "\"to\": \"main\"", with: "\"to\": \"bus\"")),
                "These nodes would feed each other: bus → room → bus."
            ),
            (
                document(nodes.replacingOccurrences(of: "\"parameters\"", with: "\"isolation\": \"in-process\", \"parameters\"")),
                "add --allow in-process"
            ),
        ]

        @Test(arguments: files) func aBadFileIsRefusedByEveryAction(text: String, reason: String) throws {
            let bench = try bench(text)
            for call in [
                ["render", "graphs/song.json", "out.wav"], ["play", "graphs/song.json", "--driver", "null"],
                ["check", "graphs/song.json"],
            ] {
                try bench.run(["graph"] + call).expectComplaint(status: 1, reason)
            }
            #expect(!bench.exists("out.wav"))
        }

        @Test func whatAUnitDoesWrongIsInTheExitStatus() throws {
            let unit = "\"id\": \"Misbehaver\", \"parameters\": {\"gain\": -0.9, \"fault\": 1, \"block\": 1}"
            let bench = try bench(
                Self.document(Self.nodes.replacingOccurrences(of: "\"id\": \"Reverb\", \"parameters\": {\"mix\": 30}", with: unit)))
            let render = ["graph", "render", "graphs/song.json", "out.wav", "--block-size", "480"]
            let failed = try bench.run(render)
            #expect(
                failed.status == 1 && failed.errors.contains("\"Misbehaver\"") && failed.errors.contains("replacement"),
                "\(failed.errors)")
            try bench.run(render + ["--on-fault", "stop"]).expectComplaint(status: 1, "nothing was written")
        }

        private static let folder = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

        @Test func theExampleIsRendered() throws {
            let bench = try bench()
            let example = try String(contentsOfFile: "\(Self.folder)/Host/Examples/TwoPlayers.json", encoding: .utf8)
            try bench.write("graphs/sounds/TwoPlayers.json", Array(example.utf8))
            let checked = try bench.run("graph", "check", "graphs/sounds/TwoPlayers.json")
            checked.expectSuccess()
            #expect(checked.output.hasPrefix("fine: 5 nodes (2 players, 1 mixer, 2 units), 6 connections"))
            try bench.run("graph", "render", "graphs/sounds/TwoPlayers.json", "out.wav").expectSuccess()
            #expect(try bench.load("out.wav").peak(ofChannel: 0) > 0.05)
        }

        @Test func theSchemaIsTheOneOfTheManual() throws {
            let bench = try bench()
            let printed = try bench.run("graph", "schema")
            printed.expectSuccess()
            let published = try String(contentsOfFile: "\(Self.folder)/Host/Manual/graph.schema.json", encoding: .utf8)
            #expect(printed.output == published)
            #expect(try JSONSerialization.jsonObject(with: Data(published.utf8)) is [String: Any])
        }

        private static let mistakes: [(arguments: [String], status: Int32, reason: String)] = [
            ([], 2, "render, play, check, show or schema"), (["make"], 2, "not \"make\""), (["check"], 2, "Say which file"),
            (["render", "graphs/song.json"], 2, "Say which file to write"), (["check", "a", "b"], 2, "too many"),
            (["schema", "a"], 2, "too many"), (["show", "a", "--svg", "b", "--json"], 2, "leave one out"),
            (["check", "gone.json"], 1, "\"gone.json\": it is not there."), (["check", "graphs"], 1, "it is not a file"),
            (["render", "graphs/song.json", "graphs/sounds/pad.wav"], 2, "read and written"),
            (["show", "graphs/song.json", "--svg", "graphs/song.json"], 2, "read and written"),
            (["render", "graphs/song.json", "out.xyz"], 1, "out.xyz"),
        ]

        @Test(arguments: mistakes) func aMistakeIsSaid(arguments: [String], status: Int32, reason: String) throws {
            try bench().run(["graph"] + arguments).expectComplaint(status: status, reason)
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// --capture and bulkhead replay: a performance is rendered again to the same bits, or a sentence says why not. Test thread.

import AudioFiles
import Foundation
import PipeWireIO
import Synchronization
import TestSupport
import Testing

/// Tells a thread that it is to end.
private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}

extension EndToEnd {
    // Each plays for some seconds, and renders that several times.
    @Suite struct ReplayTests {
        func play(_ bench: Workbench, _ words: String..., isWhole: Bool = true, then body: (RunningCommand) throws -> Void)
            throws -> Outcome
        {
            var outcome: Outcome?
            try bench.take(isWhole: isWhole) {
                let host = try bench.start(["play", "in.wav", "--driver", "null", "--loop", "--capture", "take"] + words)
                try #require(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
                usleep(300_000)
                try body(host)
                usleep(300_000)
                host.send(SIGINT)
                outcome = host.wait(seconds: 10)
            }
            return try #require(outcome)
        }

        @Test func aSynthPlayedByMIDIAndMovedByAMappingOSCAndClientsHasTheSameBits() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try Workbench(session)
            let port = try Datagram.freePort()
            try bench.take {
                let live = try bench.start("live", "-e", "Synth", "-e", "Reverb", "--osc", "\(port)", "--capture", "take")
                #expect(eventually(within: 10) { (try? bench.run("ctl", "get", "Reverb.mix").status) == 0 })
                try bench.ctl("map", "cc:1:7", "Reverb.mix", "--maximum", "75", "--no-pick-up")
                let controller = try Controller(session)
                defer { controller.stop() }
                try session.link("bulkhead-controller:midi_out", "bulkhead-live:midi_in")
                #expect(eventually(within: 10) { controller.driver.sendMIDI([0x90, 60, 100]) })
                for step in UInt8(0)..<40 {
                    _ = controller.driver.sendMIDI([0xB0, 7, step * 3])
                    if step % 5 == 0 { _ = controller.driver.sendMIDI([step % 10 == 0 ? 0x90 : 0x80, 60 + step / 2, 90]) }
                    // A number of 32 bits: 0.5 to 40.
                    let decay = (0.5 + Float(step) / 10).bitPattern
                    try Datagram.send(
                        Array("/Reverb/decay\0\0\0,f\0\0".utf8) + (0..<4).map { UInt8(truncatingIfNeeded: decay >> (24 - 8 * $0)) },
                        to: port)
                    usleep(20_000)
                }
                try bench.ctl("bypass", "Reverb", "on")
                try bench.ctl("set", "main.volume=0.5")
                try bench.ctl("bypass", "Reverb", "off")
                usleep(500_000)
                live.send(SIGINT)
                live.wait(seconds: 10).expectSuccess()
            }
            #expect(try bench.kinds().isSuperset(of: ["midi", "parameter", "bypass", "level", "end"]))
            let moved = Set(try bench.events().compactMap { $0["keyPath"] as? String })
            #expect(moved.isSuperset(of: ["mix", "decay"]), "\(moved)")
            #expect(try bench.load("take/output.wav").peak(ofChannel: 0) > 0.01)
            try bench.expectSameBits()
            try bench.expectOtherBits("midi")
            try bench.expectOtherBits("bypass")
        }

        @Test func whatIsPlayedThroughEffectsHasTheSameBitsWithPresetsLevelsAndUndo() throws {
            let bench = try Workbench()
            try bench.writeTone()
            try play(bench, "-e", "Delay", "-e", "Reverb", "-e", "Filter", "--quantum", "512") { _ in
                for value in [5, 60, 30] { try bench.ctl("set", "Reverb.mix=\(value)") }
                try bench.ctl("preset", "Reverb", "Large Hall")
                try bench.ctl("set", "main.volume=0.25")
                try bench.ctl("set", "Filter.cutoff=900")
                try bench.ctl("undo")
                for word in ["on", "off", "on", "off"] { try bench.ctl("bypass", "Delay", word) }
            }.expectSuccess()
            try bench.expectSameBits()
            try bench.expectOtherBits("parameter")
            try bench.expectOtherBits("level")
        }

        @Test func editsAndScenesAreRepeated() throws {
            let bench = try Workbench()
            try bench.writeTone()
            try play(bench, "-e", "Delay", "-e", "Reverb") { _ in
                try bench.ctl("save-scene", "Verse")
                try bench.ctl("add", "Distortion", "--before", "Reverb")
                usleep(200_000)
                try bench.ctl("set", "Distortion.mix=40")
                try bench.ctl("remove", "Delay")
                usleep(200_000)
                try bench.ctl("undo")
                try bench.ctl("scene", "Verse")
                usleep(200_000)
                try bench.ctl("set", "Reverb.mix=80")
            }.expectSuccess()
            #expect(try bench.kinds().isSuperset(of: ["edit", "scene"]))
            try bench.expectSameBits()
        }

        @Test func scenesAndEditsAreRepeatedWhileInstrumentsArePlayed() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.take {
                let live = try bench.start("live", "-e", "Synth", "-e", "Reverb", "--capture", "take")
                #expect(eventually(within: 10) { (try? bench.run("ctl", "get", "Reverb.mix").status) == 0 })
                let controller = try Controller(session)
                defer { controller.stop() }
                try session.link("bulkhead-controller:midi_out", "bulkhead-live:midi_in")
                #expect(eventually(within: 10) { controller.driver.sendMIDI([0xB0, 7, 90]) })
                try bench.ctl("save-scene", "one")
                let (isOver, driver) = (Flag(), controller.driver)
                let hand = Thread {
                    for step in 0... where !isOver.isSet {
                        let key = UInt8(50 + step % 24)
                        for bytes: [UInt8] in [[0x90, key, 100], [0xE0, 0, UInt8(40 + step % 48)], [0xB0, 1, UInt8(step % 128)]] {
                            _ = driver.sendMIDI(bytes)
                        }
                        usleep(7000)
                        if step % 3 > 0 { _ = driver.sendMIDI([0x80, key, 64]) }
                    }
                }
                hand.start()
                defer { isOver.set() }
                usleep(100_000)
                try bench.ctl("add", "Synth", "--id", "second")
                usleep(100_000)
                try bench.ctl("save-scene", "two")
                for scene in ["one", "two", "one"] {
                    try bench.ctl("scene", scene)
                    usleep(150_000)
                }
                try bench.ctl("remove", "Synth")
                usleep(100_000)
                try bench.ctl("undo")
                usleep(200_000)
                isOver.set()
                usleep(200_000)
                live.send(SIGINT)
                live.wait(seconds: 10).expectSuccess()
            }
            #expect(try bench.kinds().isSuperset(of: ["midi", "edit", "scene", "routes"]))
            #expect(try !bench.kinds().contains("unrepeatable"))
            #expect(try bench.load("take/output.wav").peak(ofChannel: 0) > 0.01)
            try bench.expectSameBits()
        }

        @Test func aKnobThatMovesWhileScenesAndEditsTakeOverIsRepeated() throws {
            let session = try PrivatePipeWire(quantum: 2048)
            defer { session.close() }
            let bench = try Workbench(session)
            let port = try Datagram.freePort()
            try bench.take {
                let live = try bench.start("live", "-e", "Delay", "-e", "Reverb", "--osc", "\(port)", "--capture", "take")
                #expect(eventually(within: 10) { (try? bench.run("ctl", "get", "Reverb.mix").status) == 0 })
                let source = try LevelNode("source", in: session)
                defer { withExtendedLifetime(source) {} }
                for side in ["FL", "FR"] { try session.link("source:output_\(side)", "bulkhead-live:input_\(side)") }
                let isOver = Flag()
                let knob = Thread {
                    for step in 0... where !isOver.isSet {
                        // A number of 32 bits: 10 to 50.
                        let mix = Float(10 + step % 40).bitPattern
                        for node in ["/Delay", "/Reverb"] {
                            let address = Array("\(node)/mix".utf8)
                            let padding = [UInt8](repeating: 0, count: 4 - address.count % 4)
                            let number = (0..<4).map { UInt8(truncatingIfNeeded: mix >> (24 - 8 * $0)) }
                            try? Datagram.send(address + padding + [0x2C, 0x66, 0, 0] + number, to: port)
                        }
                        usleep(2000)
                    }
                }
                knob.start()
                defer { isOver.set() }
                try bench.ctl("save-scene", "one")
                try bench.ctl("remove", "Delay")
                try bench.ctl("undo")
                try bench.ctl("save-scene", "two")
                for scene in ["one", "two", "one"] { try bench.ctl("scene", scene) }
                usleep(300_000)
                isOver.set()
                live.send(SIGINT)
                live.wait(seconds: 10).expectSuccess()
            }
            #expect(try bench.load("take/output.wav").peak(ofChannel: 0) > 0.005)
            let nodes = try bench.events().filter { $0["keyPath"] as? String == "mix" }.compactMap { $0["madeBy"] as? Int }
            #expect(Set(nodes).count > 2, "\(Set(nodes))")
            try bench.expectSameBits()
        }

        /// Scenes that hear the input at levels of their own.
        private static let faderSession = """
            {"bulkheadSession": 1, "folder": "/", "graph": \(graph(volume: 0.5)), "scenes": [
             {"name": "one", "graph": \(graph(volume: 0.9))}, {"name": "two", "graph": \(graph(volume: 0.2))}]}
            """

        private static func graph(volume: Double) -> String {
            """
            {"bulkheadGraph": 1, "nodes": [{"id": "mic", "kind": "input", "volume": \(volume)}],
             "connections": [{"from": "mic", "to": "main"}]}
            """
        }

        @Test func aFaderOfTheInputThatMovesWhileScenesTakeOverIsRepeated() throws {
            let session = try PrivatePipeWire(quantum: 2048)
            defer { session.close() }
            let bench = try Workbench(session)
            let port = try Datagram.freePort()
            try FileManager.default.createDirectory(atPath: bench.path(".local/state/bulkhead"), withIntermediateDirectories: true)
            try bench.take {
                try bench.write(".local/state/bulkhead/live.json", Array(Self.faderSession.utf8))
                let live = try bench.start("live", "--resume", "--osc", "\(port)", "--capture", "take")
                #expect(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
                let source = try LevelNode("source", in: session)
                defer { withExtendedLifetime(source) {} }
                for side in ["FL", "FR"] { try session.link("source:output_\(side)", "bulkhead-live:input_\(side)") }
                let isOver = Flag()
                let fader = Thread {
                    for step in 0... where !isOver.isSet {
                        // A number of 32 bits: 0.1 to 0.89.
                        let volume = (0.1 + Float(step % 80) / 100).bitPattern
                        let number = (0..<4).map { UInt8(truncatingIfNeeded: volume >> (24 - 8 * $0)) }
                        try? Datagram.send(Array("/mic/volume\0,f\0\0".utf8) + number, to: port)
                        usleep(2000)
                    }
                }
                fader.start()
                defer { isOver.set() }
                for scene in ["one", "two", "one", "two", "one", "two"] {
                    try bench.ctl("scene", scene)
                    usleep(100_000)
                }
                isOver.set()
                usleep(200_000)
                live.send(SIGINT)
                live.wait(seconds: 10).expectSuccess()
            }
            let levels = try bench.events().filter { $0["event"] as? String == "level" && $0["node"] as? String == "mic:0 main:0" }
            #expect(Set(levels.compactMap { $0["madeBy"] as? Int }).count > 4, "\(levels.count)")
            #expect(try bench.load("take/output.wav").peak(ofChannel: 0) > 0.001)
            try bench.expectSameBits()
        }

        /// A graph with an input bus "key" that is heard, and one that leads nowhere at first.
        private static let busSession = """
            {"bulkheadSession": 1, "folder": "/", "scenes": [], "graph": {
             "bulkheadGraph": 1, "inputBuses": [{"name": "key", "channels": 1}, {"name": "spare"}],
             "nodes": [{"id": "mic", "kind": "input"}],
             "connections": [{"from": "mic", "to": "main"}, {"from": "mic:1", "to": "main"}]}}
            """

        @Test func allBusesOfTheInputAreRepeated() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try Workbench(session)
            try FileManager.default.createDirectory(atPath: bench.path(".local/state/bulkhead"), withIntermediateDirectories: true)
            let source = try LevelNode("source", in: session)
            defer { withExtendedLifetime(source) {} }
            try bench.take {
                try bench.write(".local/state/bulkhead/live.json", Array(Self.busSession.utf8))
                let live = try bench.start("live", "--resume", "--capture", "take")
                #expect(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
                try session.link("source:output_FL", "bulkhead-live:input_FL")
                try session.link("source:output_FR", "bulkhead-live:key")
                try session.link("source:output_FR", "bulkhead-live:spare_FR")
                usleep(300_000)
                try bench.ctl("connect", "mic:2", "main")
                usleep(300_000)
                live.send(SIGINT)
                live.wait(seconds: 10).expectSuccess()
            }
            // All that came in is heard: 0.01, 0.02 on both sides, and 0.02 on the right.
            let heard = try bench.load("take/output.wav")
            #expect(abs(heard.peak(ofChannel: 0) - 0.03) < 0.001 && abs(heard.peak(ofChannel: 1) - 0.04) < 0.001)
            let buses = try ["input", "input-1", "input-2"].map { try bench.load("take/\($0).wav") }
            #expect(buses.map(\.channelCount) == [2, 1, 2])
            try bench.expectSameBits()
            // The files are what is heard: nothing is repeated without them, or with another one in their place.
            let key = bench.bytes("take/input-1.wav")
            try FileManager.default.removeItem(atPath: bench.path("take/input-1.wav"))
            try bench.run("replay", "take", "out.wav").expectComplaint(status: 1, "take/input-1.wav")
            try bench.write("take/input-1.wav", Array(bench.bytes("take/input-2.wav")))
            try bench.run("replay", "take", "out.wav").expectComplaint(
                status: 1, "\"take/input-1.wav\" has 2 channels", "\"key\" has 1")
            try bench.writeTone("take/input-1.wav", channels: 1, rate: 48_000, frames: heard.frameCount)
            try bench.run("replay", "take", "out.wav").expectComplaint(status: 1, "has other bits than were heard from frame")
            try bench.write("take/input-1.wav", Array(key))
            try bench.run("replay", "take", "out.wav", "--block-size", "333").expectSuccess()
        }

        /// Captures the graph with its input bus "key" led to `end`, where a sound comes in.
        private func captureKey(ledTo end: String, _ session: PrivatePipeWire, _ bench: Workbench) throws -> Outcome {
            try FileManager.default.createDirectory(atPath: bench.path(".local/state/bulkhead"), withIntermediateDirectories: true)
            let connections = #"{"from": "mic", "to": "main"}, {"from": "mic:1", "to": "\#(end)"}"#
            let text = Self.busSession
                .replacing(#"{"from": "mic", "to": "main"}, {"from": "mic:1", "to": "main"}"#, with: connections)
                .replacing(#""nodes":"#, with: #""outputBuses": [{"name": "wet"}], "nodes":"#)
            let source = try LevelNode("source", in: session)
            defer { withExtendedLifetime(source) {} }
            var live: Outcome?
            try bench.take {
                try bench.write(".local/state/bulkhead/live.json", Array(text.utf8))
                let host = try bench.start("live", "--resume", "--capture", "take")
                #expect(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
                try session.link("source:output_FR", "bulkhead-live:key")
                usleep(300_000)
                host.send(SIGINT)
                live = host.wait(seconds: 10)
            }
            return try #require(live)
        }

        /// What leaves at a further bus of the output is heard and not kept: the capture says so as it begins, and the replay at its end.
        @Test func whatIsNotKeptIsSaid() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try Workbench(session)
            try captureKey(ledTo: "output:1", session, bench).expectComplaint(
                status: 0, "The capture keeps what the main output plays, and not what the graph leads to further buses")
            try bench.run("replay", "take", "out.wav").expectComplaint(
                status: 1, "led to further buses of the output", "it was not compared")
        }

        @Test func whatIsLedToTheMainOutputIsRepeated() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try Workbench(session)
            let live = try captureKey(ledTo: "output", session, bench)
            #expect(!live.errors.contains("The capture keeps"), "\(live.errors)")
            // 0.02 comes in at the bus.
            #expect(try abs(bench.load("take/output.wav").peak(ofChannel: 1) - 0.02) < 0.001)
            try bench.expectSameBits()
        }

        @Test func theFormerSceneGoesThatHasRungOut() throws {
            let bench = try Workbench()
            try bench.writeTone()
            try play(bench, "-e", "Reverb", "--set", "decay=8", "--set", "mix=70") { _ in
                try bench.ctl("save-scene", "long")
                try bench.ctl("remove", "Reverb")
                try bench.ctl("add", "Gain")
                try bench.ctl("save-scene", "short")
                try bench.ctl("scene", "long")
                // The longer one rings on when the shorter one, which came later, has gone.
                try bench.ctl("scene", "short")
                try bench.ctl("scene", "short")
                usleep(1_500_000)
            }.expectSuccess()
            let scenes = try bench.events().enumerated().filter { $0.element["event"] as? String == "scene" }
            let removed = try bench.events().filter { $0["event"] as? String == "removal" }.compactMap { $0["madeBy"] as? Int }
            #expect(scenes.count == 3 && !removed.isEmpty, "\(removed)")
            try bench.expectSameBits()
        }

        @Test func aReplayEndsWhereItCannotRepeatWhatWasDone() throws {
            let bench = try Workbench()
            try bench.writeTone()
            try bench.run("preset", "save", "Reverb", "Mine", "--set", "mix=45").expectSuccess()
            try play(bench, "-e", "Reverb") { _ in
                try bench.ctl("set", "Reverb.mix=70")
                try bench.ctl("preset", "Reverb", "Mine")
            }.expectSuccess()
            let outcome = try bench.run("replay", "take", "out.wav")
            outcome.expectComplaint(
                status: 1, "\"out.wav\" ends at frame",
                "the preset \"Mine\" of \"Reverb\" was selected, which a replay cannot repeat")
            #expect(!outcome.errors.contains("other bits"), "\(outcome.errors)")
            let frame = try #require(try bench.events().first { $0["event"] as? String == "unrepeatable" }?["frame"] as? Int)
            #expect(try bench.load("out.wav").frameCount == frame && frame > 0)
        }

        @Test func aBlockThatWasReplacedIsNamed() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let outcome = try play(bench, "-e", "Delay", "-e", "Gain", "--set", "gain=-3", isWhole: false) { host in
                kill(try host.process(ofEffect: "Gain"), SIGKILL)
                usleep(500_000)
            }
            #expect(outcome.status == 0, "\(outcome.errors)")
            let replaced = try #require(try bench.events().first { $0["event"] as? String == "replaced" })
            let frame = try #require(replaced["frame"] as? Int)
            try bench.run("replay", "take", "out.wav").expectComplaint(
                status: 1, "Blocks were replaced", "\"Gain\" in the frames \(frame) to", "has other bits than were heard from frame"
            )
        }

        @Test func aKilledHostLeavesWhatCanBeReplayedUpToItsEnd() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let host = try bench.start("play", "in.wav", "--driver", "null", "--loop", "-e", "Reverb", "--capture", "take")
            try #require(eventually(within: 20) { (try? bench.run("ctl", "set", "Reverb.mix=70"))?.status == 0 })
            usleep(2_500_000)
            try bench.ctl("set", "Reverb.mix=20")
            usleep(300_000)
            host.send(SIGKILL)
            _ = host.wait(seconds: 10)
            let outcome = try bench.run("replay", "take", "out.wav")
            #expect(outcome.status == 1 && outcome.errors.contains("The capture was not completed"), "\(outcome.errors)")
            #expect(!outcome.errors.contains("other bits"), "\(outcome.errors)")
            #expect(try bench.load("out.wav").frameCount > 24_000)
        }

        @Test(.enabled(if: geteuid() == 0, "nothing can be mounted here")) func aFullDiskEndsTheCaptureAndNotTheMusic() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 144_000)
            try FileManager.default.createDirectory(atPath: bench.path("disk"), withIntermediateDirectories: true)
            let mounted = #"mount -t tmpfs -o size=600k none disk; exec "$@""#
            let outcome = try bench.run(
                ["play", "in.wav", "--driver", "null", "-e", "Gain", "--capture", "disk/take"],
                shell: "exec unshare -rm sh -c '\(mounted)' sh \"$@\"")
            outcome.expectComplaint(status: 75, "\"disk/take/", "the disk is full")
            #expect(outcome.output.contains("what plays goes on."), "\(outcome.output)")
        }

        @Test func soundThatWasNotComparedIsNoSuccess() throws {
            let bench = try Workbench()
            try bench.writeTone()
            try play(bench, "-e", "Gain") { _ in try bench.ctl("set", "Gain.gain=-3") }.expectSuccess()
            let kept = try bench.events()
            let heard = try bench.load("take/output.wav").frameCount
            func replay(endingAt end: Int, and more: [CapturedLine] = []) throws -> Outcome {
                try bench.write(kept.filter { $0["event"] as? String != "end" } + more + [["frame": end, "event": "end"]])
                return try bench.run("replay", "take", "out.wav")
            }
            try replay(endingAt: heard).expectSuccess()
            try replay(endingAt: heard - 100).expectComplaint(status: 1, "\"take/output.wav\" goes on for 100 frames")
            try replay(endingAt: heard, and: [["frame": heard + 9, "event": "plan"]]).expectComplaint(
                status: 1, "1 events behind its end")
            try replay(endingAt: 1 << 53).expectComplaint(status: 1, "lacks \((1 << 53) - heard) frames")
            #expect(try bench.load("out.wav").frameCount == heard)
            let long: CapturedLine = ["frame": 1, "event": "replaced", "node": "Gain", "frameCount": Int.max]
            try replay(endingAt: heard, and: [long]).expectComplaint(status: 1, "\"frameCount\" is not from 1 to")
            let late: CapturedLine = ["frame": Int.max, "event": "replaced", "node": "Gain", "frameCount": 1]
            try replay(endingAt: heard, and: [late]).expectComplaint(status: 1, "\"frame\" is above")
            try replay(endingAt: heard, and: [["frame": 5, "event": "removal", "madeBy": 3]]).expectComplaint(
                status: 1, "a former scene goes that the session does not have")
        }

        @Test func aFileThatHoldsOtherBitsSaysSo() throws {
            let bench = try Workbench()
            try bench.writeTone()
            try play(bench, "-e", "Gain") { _ in }.expectSuccess()
            let sentences = [
                "flac": "holds them rounded to 24 bits and limited to full scale.", "aiff": "holds them rounded to 24 bits",
                "ogg": "holds them compressed, with loss.", "w64": "has the bits that were heard, in all",
            ]
            for (name, sentence) in sentences {
                let outcome = try bench.run("replay", "take", "out.\(name)")
                outcome.expectSuccess()
                #expect(outcome.output.contains("\"out.\(name)\" \(sentence)"), "\(outcome.output)")
            }
            // Nothing but the sound is on standard output.
            try bench.run("replay", "take", "out.wav").expectSuccess()
            let outcome = try bench.run(["replay", "take", "-"], shell: "\"$@\" > piped.wav")
            #expect(outcome.status == 0 && outcome.errors.contains("Standard output has the bits"), "\(outcome.errors)")
            #expect(bench.bytes("piped.wav").count == bench.bytes("out.wav").count)
            #expect(try bench.load("piped.wav").frameCount == bench.load("out.wav").frameCount)
        }

        @Test func aReportThatCannotBeWrittenLeavesTheCaptureWhole() throws {
            let bench = try Workbench()
            try bench.writeTone()
            try FileManager.default.createDirectory(atPath: bench.path("reports"), withIntermediateDirectories: true)
            try play(bench, "-e", "Gain", "--report", "reports/report.json") { _ in
                try FileManager.default.removeItem(atPath: bench.path("reports"))
            }.expectComplaint(status: 130, "reports/report.json")
            #expect(try bench.kinds().contains("end"))
            try bench.run("replay", "take", "out.wav").expectSuccess()
        }

        @Test func whatCannotBeCapturedOrReplayedIsRefused() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let words = ["play", "in.wav", "--driver", "null", "-e", "Gain", "--duration", "0.5", "--capture"]
            try bench.run(words + ["take", "--metronome"]).expectComplaint(status: 2, "--metronome", "--capture")
            try bench.run(words + ["nowhere/take"]).expectComplaint(status: 1, "\"nowhere/take\"")
            try bench.run(words + ["take"]).expectSuccess()
            try bench.run(words + ["take"]).expectComplaint(status: 1, "\"take\"", "not empty")
            try bench.run("replay", "take", "take/output.wav").expectComplaint(status: 2, "read and written")
            try bench.run("replay", "nowhere", "out.wav").expectComplaint(status: 1, "nowhere/capture.json", "it is not there")
            let session = String(decoding: bench.bytes("take/session.json"), as: UTF8.self)
            let version = try #require(session.firstMatch(of: /"version" : "([0-9.]+)"/)).1
            try bench.write("take/session.json", Array(session.replacing("\"\(version)\"", with: "\"0.0.1\"").utf8))
            try bench.run("replay", "take", "out.wav").expectComplaint(status: 1, "\"Gain\" 0.0.1", "\(version) is installed")
            try bench.write("take/session.json", Array(session.utf8))
            try bench.write("take/events.jsonl", Array("{\"frame\":3,\"event\":\"midi\"}\n".utf8))
            try bench.run("replay", "take", "out.wav").expectComplaint(status: 1, "line 1", "\"port\" is missing")
            try bench.write([
                ["frame": 0, "event": "parameter", "node": "Reverb", "keyPath": "mix", "value": 1], ["frame": 9, "event": "end"],
            ])
            try bench.run("replay", "take", "out.wav").expectComplaint(status: 1, "\"Reverb.mix\" changes")
        }
    }
}

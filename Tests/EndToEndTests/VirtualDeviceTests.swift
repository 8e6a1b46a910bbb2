// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Virtual sinks and sources: programs play to them and record them, in a PipeWire of their own.

import CPipeWireShims
import Foundation
import PipeWireIO
import TestSupport
import Testing

extension EndToEnd {
    @Suite(.serialized) struct VirtualDeviceTests {
        /// Halves the amplitude.
        private static let half = ["-e", "Gain", "--set", "gain=-6.0206"]

        private func start(_ words: [String], in session: PrivatePipeWire) throws -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = words
            process.environment = session.environment
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }

        private func end(_ process: Process) {
            process.terminate()
            process.waitUntilExit()
        }

        @discardableResult
        private func output(_ words: [String], in session: PrivatePipeWire) throws -> String {
            let (process, pipe) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = words
            process.environment = session.environment
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            try process.run()
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }

        private func set(_ setting: String, _ value: Int, in session: PrivatePipeWire) throws {
            try output(["pw-metadata", "-n", "settings", "0", setting, "\(value)"], in: session)
        }

        /// The number by which tools name a node.
        private func identifier(_ node: String, in session: PrivatePipeWire) throws -> String {
            struct Dumped: Decodable {
                struct Info: Decodable { let props: [String: Value]? }
                let id: Int
                let info: Info?
            }
            /// Text, or anything else.
            struct Value: Decodable {
                let text: String?
                init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
            }
            var found: Int?
            _ = try eventually(within: 10) {
                let objects = try JSONDecoder().decode([Dumped].self, from: Data(output(["pw-dump"], in: session).utf8))
                found = objects.first { $0.info?.props?["node.name"]?.text == node }?.id
                return found != nil
            }
            return "\(try #require(found, "there is no node \(node)"))"
        }

        private func isLinked(_ output: String, to input: String, in session: PrivatePipeWire) throws -> Bool {
            try eventually(within: 10) {
                let lines = try self.output(["pw-link", "-l"], in: session).split(separator: "\n").map(String.init)
                guard let start = lines.firstIndex(of: output) else { return false }
                return lines[(start + 1)...].prefix { $0.hasPrefix("  |") }.contains("  |-> \(input)")
            }
        }

        /// The peak of what comes in half a second, after a moment.
        private func peak(of node: String, isSink: Bool, in session: PrivatePipeWire, _ bench: Workbench) throws -> Float {
            let recorder = try PipeWireRecorder(
                sinkName: node, path: bench.path("heard.wav"), environment: session.environment, monitorsSink: isSink)
            usleep(500_000)
            recorder.stop()
            return try bench.load("heard.wav").peak(ofChannel: 1)
        }

        /// The cycles that the host had late, and those that its effects had.
        private func lateCycles(of bench: Workbench) throws -> Int {
            struct Status: Decodable {
                struct Node: Decodable { let late: Int? }
                let xruns: Int
                let nodes: [Node]
            }
            let status = try JSONDecoder().decode(Status.self, from: Data(bench.run("ctl", "status", "--json").output.utf8))
            return status.xruns + status.nodes.compactMap(\.late).reduce(0, +)
        }

        @Test func whatIsPlayedToAVirtualSinkGoesThroughTheChainAtTheDesktopsVolume() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.writeTone(frames: 48_000 * 20)
            let live = try bench.start(["live", "--sink", "--name", "voice"] + Self.half)
            #expect(try isLinked("voice-chain:output_FL", to: "\(session.sinkName):playback_FL", in: session))
            let player = try start(["pw-play", "--target", "voice", bench.path("in.wav")], in: session)
            defer { end(player) }
            #expect(try isLinked("pw-play:output_FL", to: "voice:playback_FL", in: session))
            #expect(abs(try peak(of: session.sinkName, isSink: true, in: session, bench) - 0.125) < 0.002)
            let node = try identifier("voice", in: session)
            // The desktop's volume is cubic.
            try output(["wpctl", "set-volume", node, "0.5"], in: session)
            #expect(abs(try peak(of: session.sinkName, isSink: true, in: session, bench) - 0.125 / 8) < 0.001)
            try output(["wpctl", "set-mute", node, "1"], in: session)
            #expect(try peak(of: session.sinkName, isSink: true, in: session, bench) < 0.0001)
            #expect(try bench.run("ctl", "status", "--json").output.contains("\"sink\""))
            live.send(SIGINT)
            live.wait(seconds: 5).expectSuccess()
        }

        @Test func programsRecordAVirtualSourceThroughTheChain() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.writeTone(frames: 48_000 * 20)
            // The monitor of the session's sink stands for a microphone.
            let live = try bench.start(["live", "--source", "--name", "mic", "--input", session.sinkName] + Self.half)
            let player = try start(["pw-play", "--target", session.sinkName, bench.path("in.wav")], in: session)
            defer { end(player) }
            #expect(try isLinked("mic-chain:output_FL", to: "mic:input_FL", in: session))
            #expect(try isLinked("pw-play:output_FL", to: "\(session.sinkName):playback_FL", in: session))
            #expect(abs(try peak(of: "mic", isSink: false, in: session, bench) - 0.125) < 0.002)
            try output(["wpctl", "set-volume", try identifier("mic", in: session), "0.5"], in: session)
            #expect(abs(try peak(of: "mic", isSink: false, in: session, bench) - 0.125 / 8) < 0.001)
            live.send(SIGINT)
            live.wait(seconds: 5).expectSuccess()
        }

        @Test func aVirtualSinkThatIsTheDefaultPlaysToTheRealOneAndOutlivesIt() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            let live = try bench.start(["live", "--sink", "--name", "voice"] + Self.half)
            #expect(try isLinked("voice-chain:output_FL", to: "\(session.sinkName):playback_FL", in: session))
            try output(["wpctl", "set-default", try identifier("voice", in: session)], in: session)
            let player = try CountingNode(playingTo: "voice", in: session)
            let listener = try CountingNode(hearing: "voice", in: session)
            #expect(try isLinked("voice-chain:output_FL", to: "\(session.sinkName):playback_FL", in: session))
            try output(["pw-cli", "destroy", session.sinkName], in: session)
            #expect(eventually(within: 10) { live.output.contains("The sink \"\(session.sinkName)\" is gone. Waiting for it.\n") })
            // The player goes on, and what it plays never comes back to it.
            let before = listener.soundingFrames
            #expect(eventually(within: 5) { listener.soundingFrames > before + 24_000 })
            #expect(try !output(["pw-link", "-l"], in: session).contains("voice:playback_FL\n  |<- voice-chain"))
            let device = """
                { factory.name=support.null-audio-sink node.name="\(session.sinkName)" media.class="Audio/Sink" object.linger=true
                  audio.position="FL,FR" }
                """
            try output(["pw-cli", "create-node", "adapter", device], in: session)
            #expect(try isLinked("voice-chain:output_FL", to: "\(session.sinkName):playback_FL", in: session))
            _ = player
            live.send(SIGINT)
            live.wait(seconds: 5).expectSuccess()
        }

        @Test func whatMakesNoSenseWithAVirtualDeviceIsRefused() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            for (words, sentence) in [
                (["--sink", "--source"], "a --sink or a --source"), (["--sink", "--input", "a"], "has no --input"),
                (["--source", "--output", "a"], "has no --output"),
            ] {
                try bench.run(["live", "-e", "Gain"] + words).expectComplaint(status: 2, sentence)
            }
            try bench.run("live", "-e", "Sampler", "--sink").expectComplaint(status: 2, "to which no program can play")
            try bench.run("live", "-e", "Gain", "--sink", "--name", session.sinkName).expectComplaint(
                status: 1, "PipeWire has a node of that name already")
            let wide = try bench.run("live", "-e", "Gain", "--sink", "--channels", "6", "--duration", "0.3")
            #expect(wide.status == 0 && wide.errors.contains("The node has 6 channels, and the sink that it plays to has 2"))
        }

        /// Quanta change every 100 ms and rates every 300 ms, while programs come and go beside the one that counts.
        ///
        /// A new rate restarts all nodes of the graph. A quantum restarts none, so nothing may be lost.
        @Test func aHundredChangesOfRateAndQuantumLoseNothingButWhileTheRateChanges() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.writeSamples("left.wav", [Float](repeating: 0, count: 48_000 * 60))
            let live = try bench.start("live", "--sink", "--name", "voice", "-e", "Gain", "--report", "report.json")
            #expect(try isLinked("voice-chain:output_FL", to: "\(session.sinkName):playback_FL", in: session))
            let steady = try start(["pw-play", "--target", "voice", bench.path("left.wav")], in: session)
            defer { end(steady) }
            let player = try CountingNode(playingTo: "voice", in: session)
            // The monitor of a sink that drives the graph is a cycle behind, and loses frames itself when the quantum changes.
            let listener = try CountingNode(hearing: "voice-chain", in: session)
            #expect(eventually(within: 10) { listener.soundingFrames > 24_000 })
            let rounds = Sample.isWhole ? 200 : 24
            let quanta = [256, 1024, 512, 2048]
            let gapsBefore = listener.gaps
            for round in 0..<rounds {
                // What a browser does: it opens a stream, asks for another latency each time, and closes the stream again.
                let tab = try start(
                    ["pw-play", "--target", "voice", "--latency", "\(10 + 10 * (round % 9))ms", bench.path("left.wav")], in: session
                )
                for quantum in quanta {
                    try set("clock.force-quantum", quantum, in: session)
                    usleep(40_000)
                }
                end(tab)
            }
            #expect(listener.quantum == 2048)
            let lost = listener.gaps - gapsBefore
            let late = try lateCycles(of: bench)
            // PipeWire 1.4 loses frames of what is played to a null sink with each change; 0.3.65 loses none. On a busy machine cycles come
            // late; a cycle that was not late loses nothing more.
            let known = CPipeWireShims_isAtLeast(1, 4, 0) ? rounds * quanta.count + 1 : 0
            #expect(
                lost <= known + 2 * late, "\(lost) gaps at \(rounds * quanta.count) changes of quantum, and \(late) late cycles")
            let (silentBefore, gaps) = (listener.silentFrames, listener.gaps)
            for round in 0..<rounds / 2 {
                let rate = round % 2 == 0 ? 96_000 : 48_000
                try set("clock.force-rate", rate, in: session)
                #expect(eventually(within: 5) { listener.sampleRate == Double(rate) })
                usleep(250_000)
            }
            // Half a second for each would be a fault; on a quiet machine each is silent for 0.13 s.
            let silent = Double(listener.silentFrames - silentBefore) / 48_000
            #expect(listener.gaps - gaps <= rounds, "\(listener.gaps - gaps) gaps at \(rounds / 2) changes of rate")
            #expect(silent < 0.25 * Double(rounds), "\(silent) s of silence at \(rounds / 2) changes of rate")
            let before = listener.soundingFrames
            #expect(eventually(within: 5) { listener.soundingFrames > before + 24_000 })
            _ = player
            live.send(SIGINT)
            live.wait(seconds: 5).expectSuccess()
            let report = try bench.report()
            #expect(report.units[0].restarts == 0)
        }
    }
}

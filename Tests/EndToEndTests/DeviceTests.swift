// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Devices and a daemon that go while a command plays, and come back: a real PipeWire loses them.

import AudioFiles
import AudioFormats
import Foundation
import PipeWireIO
import Testing

extension EndToEnd {
    @Suite(.serialized) struct DeviceTests {
        /// What a tool printed in the session.
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

        private func makeDevice(_ name: String, _ mediaClass: String = "Audio/Sink", in session: PrivatePipeWire) throws {
            let device = """
                { factory.name=support.null-audio-sink node.name="\(name)" media.class="\(mediaClass)" object.linger=true
                  priority.session=5000 audio.position="FL,FR" }
                """
            try output(["pw-cli", "create-node", "adapter", device], in: session)
            #expect(try eventually(within: 5) { try output(["pw-link", "-io"], in: session).contains("\(name):") })
        }

        private func destroy(_ name: String, in session: PrivatePipeWire) throws {
            try output(["pw-cli", "destroy", name], in: session)
            #expect(try eventually(within: 5) { try !output(["pw-link", "-io"], in: session).contains("\(name):") })
        }

        /// Whether these links are there, and no others of the port that they begin with.
        private func isLinked(_ output: String, to inputs: String..., in session: PrivatePipeWire) throws -> Bool {
            try eventually(within: 5) {
                let lines = try self.output(["pw-link", "-l"], in: session).split(separator: "\n").map(String.init)
                guard let start = lines.firstIndex(of: output) else { return false }
                return lines[(start + 1)...].prefix { $0.hasPrefix("  |->") } == inputs.map { "  |-> \($0)" }[...]
            }
        }

        /// Waits until a host plays: its ports are there before.
        private func awaitHost(in bench: Workbench) throws {
            #expect(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
        }

        private func says(_ command: RunningCommand, _ line: String) -> Bool {
            eventually(within: 10) { command.output.contains("\(line)\n") }
        }

        @Test func aSinkThatGoesIsAwaitedAndLinkedAgain() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            try makeDevice("usb", in: session)
            let bench = try Workbench(session)
            let live = try bench.start("live", "-e", "Reverb", "--output", "usb", "--report", "report.json")
            #expect(try isLinked("bulkhead-live:output_FR", to: "usb:playback_FR", in: session))
            try awaitHost(in: bench)
            try destroy("usb", in: session)
            #expect(says(live, "The sink \"usb\" is gone. Waiting for it."))
            #expect(try output(["pw-link", "-o"], in: session).contains("bulkhead-live:output_FL"))
            #expect(try bench.run("ctl", "status").output.contains("sink: gone; the host waits for it"))
            try makeDevice("usb", in: session)
            #expect(says(live, "Linked to the sink \"usb\"."))
            #expect(eventually(within: 5) { (try? bench.run("ctl", "status").output.contains("sink: usb")) == true })
            // The ports of a device come one by one, and each is linked with its own channel alone.
            for side in ["FL", "FR"] {
                #expect(try isLinked("bulkhead-live:output_\(side)", to: "usb:playback_\(side)", in: session))
            }
            live.send(SIGINT)
            live.wait(seconds: 5).expectSuccess()
            #expect(try bench.report().units[0].faults.isEmpty)
        }

        /// PipeWire adds up what is linked to one port; the mean is heard, and said.
        @Test func aMonoSinkIsFoundByTheNameThatTheDesktopShowsAndPlaysTheMean() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let device = """
                { factory.name=support.null-audio-sink node.name="kitchen" node.description="Kitchen Radio" media.class="Audio/Sink"
                  object.linger=true audio.position="MONO" }
                """
            try output(["pw-cli", "create-node", "adapter", device], in: session)
            #expect(try eventually(within: 5) { try output(["pw-link", "-i"], in: session).contains("kitchen:playback_MONO") })
            let bench = try Workbench(session)
            try bench.writeTone(frames: 96_000)
            let recorder = try PipeWireRecorder(
                sinkName: "kitchen", path: bench.path("heard.wav"), channels: 1, environment: session.environment)
            let play = try bench.start("play", "in.wav", "-e", "Gain", "--output", "Kitchen Radio", "--quantum", "1000", "--plain")
            play.wait(seconds: 20).expectSuccess()
            recorder.stop()
            #expect(play.output.contains("The sink has one channel: left and right are heard in it together"))
            // A newer PipeWire gives any number of frames that is forced.
            let isRounded = play.output.contains("The cycles have 512 frames and not the 1000 of --quantum")
            #expect(isRounded != PipeWireDaemon.takesAnyQuantum, "\(play.output)")
            let peak = try bench.load("heard.wav").peak(ofChannel: 0)
            #expect(abs(peak - 0.25) < 0.01, "\(peak)")
            let missing = try bench.run("play", "in.wav", "-e", "Gain", "--output", "Cellar")
            #expect(missing.status != 0 && missing.errors.contains("\"kitchen\" (Kitchen Radio)"))
        }

        @Test func aSourceThatGoesIsAwaitedAndLinkedAgain() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            try makeDevice("mic", "Audio/Source/Virtual", in: session)
            let bench = try Workbench(session)
            let live = try bench.start("live", "-e", "Gain", "--input", "mic")
            #expect(try isLinked("mic:capture_FL", to: "bulkhead-live:input_FL", in: session))
            try awaitHost(in: bench)
            try destroy("mic", in: session)
            #expect(says(live, "The source \"mic\" is gone. Waiting for it."))
            try makeDevice("mic", "Audio/Source/Virtual", in: session)
            #expect(says(live, "Linked to the source \"mic\"."))
            #expect(try isLinked("mic:capture_FR", to: "bulkhead-live:input_FR", in: session))
            live.send(SIGINT)
            live.wait(seconds: 5).expectSuccess()
        }

        @Test func playMovesToTheNewDefaultSinkAndWaitsWhereThereIsNone() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            try makeDevice("usb", in: session)
            let bench = try Workbench(session)
            try bench.writeTone()
            let play = try bench.start("play", "in.wav", "--loop", "-e", "Gain")
            #expect(try isLinked("bulkhead:output_FL", to: "usb:playback_FL", in: session))
            try awaitHost(in: bench)
            try destroy("usb", in: session)
            #expect(says(play, "Linked to the sink \"\(session.sinkName)\" now, in place of \"usb\"."))
            try destroy(session.sinkName, in: session)
            #expect(says(play, "The sink \"\(session.sinkName)\" is gone. Waiting for it."))
            try makeDevice("other", in: session)
            #expect(says(play, "Linked to the sink \"other\"."))
            play.send(SIGINT)
            play.wait(seconds: 5).expectSuccess()
        }

        @Test func aDaemonThatGoesIsAwaitedToo() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            let live = try bench.start("live", "-e", "Gain", "--output", session.sinkName, "--report", "report.json")
            #expect(try isLinked("bulkhead-live:output_FL", to: "\(session.sinkName):playback_FL", in: session))
            try awaitHost(in: bench)
            session.killDaemon()
            #expect(eventually(within: 10) { live.output.contains("PipeWire went away") })
            try session.reviveDaemon()
            #expect(says(live, "PipeWire is back."))
            #expect(try isLinked("bulkhead-live:output_FL", to: "\(session.sinkName):playback_FL", in: session))
            live.send(SIGINT)
            live.wait(seconds: 5).expectSuccess()
            let report = try bench.report()
            #expect(report.units[0].restarts == 0 && report.cycles > 0)
        }

        @Test(
            .enabled(if: FileManager.default.fileExists(atPath: "/usr/lib/lv2/lsp-plugins.lv2"), "LSP's plug-ins are not installed")
        )
        func aPlugInThatRefusesARateIsLeftOutUntilTheNext() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session, adding: ["LV2_PATH": "/usr/lib/lv2"])
            let live = try bench.start(
                "live", "-e", "lv2:http://lsp-plug.in/plugins/lv2/para_equalizer_x16_stereo", "-e", "Gain", "--report",
                "report.json")
            #expect(
                eventually(within: 30) { (try? self.output(["pw-link", "-o"], in: session).contains("bulkhead-live")) == true })
            try output(["pw-metadata", "-n", "settings", "0", "clock.force-rate", "768000"], in: session)
            #expect(
                eventually(within: 10) {
                    live.output.contains(" is left out and its input passed on, until the rate is another one: ")
                })
            try output(["pw-metadata", "-n", "settings", "0", "clock.force-rate", "48000"], in: session)
            #expect(eventually(within: 10) { live.output.contains(" takes this rate and is heard again.") })
            live.send(SIGINT)
            // What the plug-in itself says of the rate is on standard error.
            let outcome = live.wait(seconds: 10)
            #expect(outcome.status == 0 && outcome.leftovers.isEmpty)
            let report = try bench.report()
            #expect(report.units.count == 2 && report.leftOut?.count == 1)
            #expect(report.leftOut?.first?.sampleRate == 768_000 && report.leftOut?.first?.id.hasPrefix("lv2:") == true)
        }

        /// A graph that may run at both rates runs at the file's.
        @Test func playAsksForTheRateOfTheFile() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            try output(["pw-metadata", "-n", "settings", "0", "clock.allowed-rates", "[ 44100 48000 ]"], in: session)
            let bench = try Workbench(session)
            try bench.writeTone("44.wav", rate: 44_100, frames: 44_100)
            try bench.writeTone("48.wav", frames: 48_000)
            for (file, rate) in [("44.wav", 44_100.0), ("48.wav", 48_000)] {
                try bench.run("play", file, "--report", "report.json").expectSuccess()
                #expect(try bench.report().sampleRate == rate)
            }
        }

        /// The same tone in all six: left, the centre and the left surround are heard left, and the low frequencies nowhere.
        @Test func sixChannelsAreMixedDownToAStereoSink() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.writeTone(channels: 6, frames: 96_000)
            let recorder = try PipeWireRecorder(
                sinkName: session.sinkName, path: bench.path("heard.wav"), environment: session.environment)
            try bench.run("play", "in.wav", "-e", "Gain", "--duration", "1.5").expectSuccess()
            recorder.stop()
            let heard = try bench.load("heard.wav")
            for channel in 0..<2 { #expect(abs(heard.peak(ofChannel: channel) - 0.25 * (1 + 2 * 0.7071)) < 0.005) }
        }

        /// Each channel by itself, and each in its place, also where the file's surrounds are the sink's sides.
        @Test(arguments: [0x3F, 0x60F] as [UInt32]) func sixChannelsStaySixOnASinkThatHasThem(mask: UInt32) throws {
            let session = try PrivatePipeWire(channels: 6)
            defer { session.close() }
            let bench = try Workbench(session)
            let layout = try #require(ChannelLayout(mask: mask))
            let writer = try AudioFileWriter(path: bench.path("in.wav"), sampleRate: 48_000, channelCount: 6, layout: layout)
            let audio = try #require(LoadedAudio(channelCount: 6, frameCount: 96_000, sampleRate: 48_000))
            for channel in 0..<6 {
                for frame in 0..<96_000 { audio[channel][frame] = Float(channel + 1) / (frame % 2 == 0 ? 16 : -16) }
            }
            try writer.write(audio)
            try writer.finish()
            let recorder = try PipeWireRecorder(
                sinkName: session.sinkName, path: bench.path("heard.wav"), channels: 6, environment: session.environment)
            try bench.run("play", "in.wav", "-e", "Gain", "--duration", "1.5").expectSuccess()
            recorder.stop()
            let heard = try bench.load("heard.wav")
            for channel in 0..<6 { #expect(abs(heard.peak(ofChannel: channel) - Float(channel + 1) / 16) < 0.005, "\(channel)") }
        }

        /// Two units, for a row of them has one clock.
        @Test func aRateThatChangesLeavesTheTuneAsItWas() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.writeTone(frames: 48_000)
            let change = "(sleep 1; pw-metadata -n settings 0 clock.force-rate 96000) >/dev/null 2>&1 &"
            let play = try bench.start(
                ["play", "in.wav", "--loop", "-e", "Gain", "-e", "Gain", "--duration", "5"], shell: "\(change) exec \"$@\"")
            #expect(says(play, "The graph runs at 96000 Hz now, in place of 48000 Hz."))
            usleep(500_000)
            let recorder = try PipeWireRecorder(
                sinkName: session.sinkName, path: bench.path("heard.wav"), environment: session.environment)
            play.wait(seconds: 10).expectSuccess()
            recorder.stop()
            let heard = try bench.load("heard.wav")
            let sounding = heard[0].drop { abs($0) < 0.01 }.prefix(Int(heard.sampleRate))
            let rises = zip(sounding, sounding.dropFirst()).count { $0 < 0 && $1 >= 0 }
            #expect(sounding.count == Int(heard.sampleRate) && abs(rises - 440) <= 2, "\(rises) Hz")
        }

        @Test func twoNodesWithNamesKeepTheirChainsApart() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            let live = try [("voice", "-6.1"), ("drums", "-12.1")].map { name, gain in
                try bench.start("live", "--name", name, "-e", "Gain", "--set", "gain=\(gain)")
            }
            for name in ["voice", "drums"] {
                #expect(eventually(within: 10) { bench.exists(".local/state/bulkhead/live-\(name).json") })
                #expect(try output(["pw-link", "-o"], in: session).contains("\(name):output_FL"))
            }
            // A third one of the same name does not overwrite what the first keeps.
            let third = try bench.start("live", "--name", "voice", "-e", "Filter", "--duration", "1.5")
            let refusal = third.wait(seconds: 10)
            #expect(refusal.status == 0 && refusal.errors.contains("is not kept for --resume"))
            for command in live { command.send(SIGINT) }
            for command in live { command.wait(seconds: 5).expectSuccess() }
            #expect(!bench.exists(".local/state/bulkhead/live.json"))
            let kept = bench.bytes(".local/state/bulkhead/live-voice.json")
            #expect(String(decoding: kept, as: UTF8.self).contains("-6.1"))
            let resumed = try bench.start("live", "--resume", "--name", "voice", "--duration", "2", "--report", "report.json")
            resumed.wait(seconds: 10).expectSuccess()
            #expect(bench.bytes(".local/state/bulkhead/live-voice.json") == kept)
            try bench.run("live", "--name", "choir", "--resume").expectComplaint(
                status: 1, "live --name choir has not played a chain yet")
        }
    }
}

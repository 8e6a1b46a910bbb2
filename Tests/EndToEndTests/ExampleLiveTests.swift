// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the examples that are written as for Apple's systems play and record through PipeWire.

import Foundation
import PipeWireIO
import Testing

extension EndToEnd {
    @Suite struct ExampleLiveTests {
        @Test func aPlayerPlaysAFileAnOctaveHigherToItsEnd() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.writeTone(rate: 44_100, frames: 88_200)
            let recorder = try PipeWireRecorder(
                sinkName: session.sinkName, path: bench.path("heard.wav"), environment: session.environment)
            let (status, output) = try bench.runExample("CommandLinePlayer", ["in.wav", "--pitch", "12", "--volume", "0.5"])
            recorder.stop()
            #expect(status == 0 && output.contains(" of 2.0 s") && output.hasSuffix("\nIt is over.\n"), "\(output)")
            let heard = try bench.load("heard.wav")
            let sounding = heard[0].drop { abs($0) < 0.02 }.prefix { _ in true }
            #expect(sounding.count > 80_000)
            let second = sounding.dropFirst(12_000).prefix(48_000)
            #expect(abs(second.amplitude(of: 880) - 0.125) < 0.03 && second.amplitude(of: 440) < 0.01)
        }

        @Test func aRecorderRecordsTheMicrophoneAndShowsItsLevel() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.writeTone(frames: 480_000)
            let microphone = """
                { factory.name=support.null-audio-sink node.name=microphone media.class=Audio/Source/Virtual
                  object.linger=true audio.position="FL,FR" }
                """
            let tool = try start(["pw-cli", "create-node", "adapter", microphone], in: bench)
            tool.waitUntilExit()
            let player = try start(["pw-play", "--target", "0", bench.path("in.wav")], in: bench)
            defer { player.terminate() }
            for side in ["FL", "FR"] {
                let isLinked = try eventually(within: 5) {
                    let link = try start(["pw-link", "pw-play:output_\(side)", "microphone:input_\(side)"], in: bench)
                    link.waitUntilExit()
                    return link.terminationStatus == 0
                }
                #expect(isLinked)
            }
            let (status, output) = try bench.runExample("VoiceRecorder", ["voice.wav", "2"])
            #expect(status == 0 && output.contains("-15.1 dB"), "\(output)")
            let voice = try bench.load("voice.wav")
            #expect((48_000..<110_000).contains(voice.frameCount), "\(voice.frameCount) frames")
            #expect(abs(voice[0].suffix(24_000).amplitude(of: 440) - 0.25) < 0.01)
        }

        private func start(_ arguments: [String], in bench: Workbench) throws -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = arguments
            process.environment = bench.environment
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }
    }
}
